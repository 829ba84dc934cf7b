//! A limit for each key and one for all of them, decided together.

mod builder;
mod calls;
mod drained;
mod handle;
mod layer;
mod limiter;
mod options;
mod permit;
mod service;
mod total;

pub use self::builder::KeyedLimitBuilder;
pub use self::drained::KeyedDrained;
pub use self::layer::KeyedLimitLayer;
pub use self::limiter::KeyedLimiter;
pub use self::options::KeyedLimitOptions;
pub use self::permit::KeyedPermit;
pub use self::service::KeyedLimit;
pub use self::total::{AdaptiveTotal, FixedTotal};
