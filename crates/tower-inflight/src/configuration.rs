//! Limits from a configuration file: from text to options, from options to a
//! layer, and from a changed file to a changed limit.
//!
//! [`ConcurrencyLimitOptions`](crate::ConcurrencyLimitOptions),
//! [`AdaptiveAimdOptions`](crate::AdaptiveAimdOptions) and
//! [`KeyedLimitOptions`](crate::KeyedLimitOptions) implement
//! [`Deserialize`](serde::Deserialize), for TOML, JSON and whatever else names
//! its fields. A key is called as the field is; one that is missing has its
//! default, and one that is unknown is refused, so that a slip of the pen does
//! not go unnoticed.
//!
//! ```
//! use serde::Deserialize;
//! use tower_inflight::builder::AdaptiveAimdBuilder;
//! use tower_inflight::{
//!     AdaptiveAimdOptions, ConcurrencyLimitLayer, ConcurrencyLimitOptions, KeyedLimitOptions,
//!     KeyedLimiter,
//! };
//!
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Limits {
//!     search: ConcurrencyLimitOptions,
//!     ranking: AdaptiveAimdOptions,
//!     tenants: KeyedLimitOptions,
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let limits: Limits = toml::from_str(
//!     r#"
//!     [search]
//!     max_concurrency = 10
//!     queue_limit = 20
//!     queue_timeout = "250ms"
//!
//!     [ranking]
//!     preset = "guarded"
//!     max_limit = 50
//!     queue_limit = 20
//!
//!     [tenants]
//!     max_concurrency = 200
//!     key_max_concurrency = 20
//!     fairness = "round_robin"
//!     overflow = { share = { limit = 20 } }
//!     "#,
//! )?;
//!
//! let search = ConcurrencyLimitLayer::builder().options(limits.search).name("search").build()?;
//! assert_eq!(search.to_string(), "ConcurrencyLimit(10, queue 20/250ms)");
//!
//! let ranking = AdaptiveAimdBuilder::from(limits.ranking).name("ranking").build()?;
//! assert_eq!(
//!     ranking.to_string(),
//!     "AdaptiveConcurrencyLimit(AIMD, initial 10, min 1, max 50, window 200ms, queue 20)",
//! );
//!
//! let tenants: KeyedLimiter<String> =
//!     KeyedLimiter::builder().options(limits.tenants).name("tenants").build_limiter()?;
//! assert_eq!(
//!     tenants.options().to_string(),
//!     "KeyedConcurrencyLimit(200, 20 a key, round robin, overflow 20)",
//! );
//! # Ok(())
//! # }
//! ```
//!
//! # Times
//!
//! They are text with a unit: `"250ms"`, `"1s"`, `"1m 30s"`. A bare number is
//! refused, since nobody can see its unit.
//!
//! # What is wrong is named
//!
//! What cannot be read is the format's error; of a time it names the key and
//! the text. What can be read and not be used is a
//! [`ConfigError`](crate::ConfigError) of the `build`, which names the option
//! and the value:
//!
//! ```
//! use tower_inflight::{ConcurrencyLimitLayer, ConcurrencyLimitOptions};
//!
//! let error = toml::from_str::<ConcurrencyLimitOptions>(r#"queue_timeout = "soon""#).unwrap_err();
//! assert!(error.to_string().contains("queue_timeout must be a time such as `250ms` (was `soon`)"));
//!
//! let options = toml::from_str("max_concurrency = 0")?;
//! let error = ConcurrencyLimitLayer::builder().options(options).build().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "ConcurrencyLimitOptions.max_concurrency must be positive (was 0)",
//! );
//! # Ok::<(), toml::de::Error>(())
//! ```
//!
//! # When the file changes
//!
//! A fixed limit follows at once, through the handle, without a restart and
//! with nobody turned away for it; a value that cannot be used leaves the limit
//! as it was:
//!
//! ```
//! use tower_inflight::{ConcurrencyLimitLayer, ConcurrencyLimitOptions, Limiter};
//!
//! fn reload(limiter: &Limiter, text: &str) -> Result<(), Box<dyn std::error::Error>> {
//!     let options: ConcurrencyLimitOptions = toml::from_str(text)?;
//!     limiter.set_limit(options.max_concurrency)?;
//!     Ok(())
//! }
//!
//! let limiter = ConcurrencyLimitLayer::new(10).limiter();
//! reload(&limiter, "max_concurrency = 20").unwrap();
//! assert_eq!(limiter.snapshot().limit, 20);
//!
//! reload(&limiter, "max_concurrency = 0").unwrap_err();
//! assert_eq!(limiter.snapshot().limit, 20);
//! ```
//!
//! Everything else is fixed when the limiter is built: the line, its timeout,
//! its order, and all of an adaptive limit, which is its algorithm's to move.
//! The example `configuration` watches a file, and says so of such a change.

mod aimd_keys;
mod key_choices;
mod time;

pub(crate) use self::aimd_keys::AimdKeys;
pub(crate) use self::key_choices::{FairnessKey, OverflowKey};
pub(crate) use self::time::queue_timeout;
