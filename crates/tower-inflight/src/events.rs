//! What is said in the log, where the feature `tracing` is on.
//!
//! A single call is worth a debug event and no more: an overload turns away
//! thousands in a second. What somebody on call has to know is said once.

#[cfg(feature = "tracing")]
mod alarm;
#[cfg(feature = "tracing")]
mod spoken;
#[cfg(not(feature = "tracing"))]
mod unspoken;

#[cfg(feature = "tracing")]
pub(crate) use self::spoken::Events;
#[cfg(not(feature = "tracing"))]
pub(crate) use self::unspoken::Events;
