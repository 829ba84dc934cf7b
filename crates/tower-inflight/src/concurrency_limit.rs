//! A fixed limit, and a line that goes first come, first served.

mod builder;
mod layer;
mod service;

pub use self::builder::ConcurrencyLimitBuilder;
pub use self::layer::ConcurrencyLimitLayer;
pub use self::service::ConcurrencyLimit;
