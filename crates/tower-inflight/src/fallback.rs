//! Another service for the calls that a limiter turns away.

mod diverted;
mod layer;
mod or_else;
mod rejected;
mod service;

pub use self::layer::FallbackLayer;
pub use self::rejected::Rejected;
pub use self::service::Fallback;

pub(crate) use self::layer::fallback_setter;
