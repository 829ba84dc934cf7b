//! What a limiter is built from, checked when it is built.

mod adaptive_aimd;
mod adaptive_limit;
mod concurrency_limit;
mod limiter;
mod line;

pub use self::adaptive_aimd::AdaptiveAimdOptions;
pub use self::adaptive_limit::AdaptiveLimitOptions;
pub use self::concurrency_limit::ConcurrencyLimitOptions;
pub use self::limiter::LimiterOptions;

pub(crate) use self::concurrency_limit::{limit_is_adaptive, parse_max_concurrency};
pub(crate) use self::line::{LineOptions, check_timeout, parse_limit};
