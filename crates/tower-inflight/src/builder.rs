//! The builders, which all have the settings of a limiter and add their own.

mod calls;
mod settings;

pub use crate::adaptive::{AdaptiveAimdBuilder, AdaptiveBuilder};
pub use crate::concurrency_limit::ConcurrencyLimitBuilder;
pub use crate::keyed::KeyedLimitBuilder;
pub use crate::limit::LimiterBuilder;
pub use crate::priority_queue::PriorityQueueBuilder;

pub(crate) use self::calls::call_setters;
pub(crate) use self::settings::{Settings, limiter_setters, line_setters};
