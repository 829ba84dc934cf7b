//! What a layer reads from a request before it decides about it.
//!
//! The builders put these types together: each setter of a layer or a builder
//! (`weight`, `priority`, `max_wait`, `exempt`) wraps what was there in one
//! more. They are here to name the type of a layer or a service; there is
//! nothing to call.

mod asks;
mod exempting;
mod patient;
mod prioritized;
mod weighed;

pub use self::exempting::Exempting;
pub use self::patient::Patient;
pub use self::prioritized::Prioritized;
pub use self::weighed::Weighed;

pub(crate) use self::asks::{Asks, forwarded};
