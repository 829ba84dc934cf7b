//! The futures that the services and the limiter return.
//!
//! All are named, none spawns a task, and none allocates but for an async
//! hook and for the timer of a wait that has a deadline.

mod response;
mod state;

pub use self::response::ResponseFuture;
pub use crate::adaptive::Measuring;
pub use crate::keyed::KeyedDrained;
pub use crate::limit::{Acquire, Drained, Run};
