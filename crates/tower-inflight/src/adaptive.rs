//! A limit that an algorithm moves by what it sees of the calls that end.

mod adaptation;
mod aimd_builder;
mod aimd_layer;
mod builder;
mod calls;
mod classify;
mod controller;
mod layer;
mod limit_change;
mod measured;
mod measurement;
mod news;
mod plan;
mod rule;
mod service;
mod setters;

pub use self::adaptation::Adaptation;
pub use self::aimd_builder::AdaptiveAimdBuilder;
pub use self::aimd_layer::AdaptiveAimdLayer;
pub use self::builder::AdaptiveBuilder;
pub use self::layer::AdaptiveLayer;
pub use self::limit_change::LimitChange;
pub use self::measurement::Measuring;
pub use self::service::Adaptive;

pub(crate) use self::controller::Controller;
pub(crate) use self::measured::Measured;
pub(crate) use self::news::News;
pub(crate) use self::rule::Rule;
