//! What is counted and timed of a limiter, for whoever collects it.
//!
//! All of it is empty, and costs nothing, without the feature `metrics`.

#[cfg(feature = "metrics")]
mod attached;
#[cfg(feature = "metrics")]
mod catalogue;
#[cfg(not(feature = "metrics"))]
mod detached;
#[cfg(feature = "metrics")]
mod gauged;
mod phase;
mod reasons;
#[cfg(feature = "metrics")]
mod registry;
#[cfg(feature = "metrics")]
mod series;
#[cfg(feature = "metrics")]
mod source;

#[cfg(feature = "metrics")]
pub use self::registry::publish;

#[cfg(feature = "metrics")]
pub(crate) use self::attached::Reports;
#[cfg(not(feature = "metrics"))]
pub(crate) use self::detached::{Reports, Since};
#[cfg(feature = "metrics")]
pub(crate) use self::gauged::Gauged;
pub(crate) use self::phase::Phase;
pub(crate) use self::reasons::Reasons;
#[cfg(feature = "metrics")]
pub(crate) use self::series::Since;
