use std::fmt;
use std::time::Duration;

use inflight_core::{
    ConfigError, Description, Fairness, KeyOverflow, KeyPlan, KeyedOptions, Limit,
};

use crate::duration::Short;
use crate::options::{check_timeout, parse_limit};

/// The settings of a keyed limit.
///
/// They are copied when a limiter is built; changing them later changes
/// nothing. The builder has a setter of the same name for each.
///
/// ```
/// use std::time::Duration;
/// use tower_inflight::{Fairness, KeyedLimitOptions};
///
/// let options = KeyedLimitOptions {
///     queue_limit: 50,
///     key_queue_limit: 5,
///     queue_timeout: Some(Duration::from_millis(250)),
///     fairness: Fairness::RoundRobin,
///     ..KeyedLimitOptions::default()
/// };
/// assert_eq!(
///     options.to_string(),
///     "KeyedConcurrencyLimit(100, 10 a key, queue 50/250ms, 5 a key, round robin)",
/// );
/// ```
///
/// # In a file
///
/// With the feature `serde` it can be deserialized, but for the algorithm.
/// `fairness` is `"arrival"` or `"round_robin"`; `overflow` is `"refuse"`, or
/// `{ share = { limit = 5, share = 1 } }`, where the inner `share` may be left
/// out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct KeyedLimitOptions {
    /// How much may run at once, of all keys together, in units of weight:
    /// 1 to 2<sup>31</sup> - 1, by default 100.
    ///
    /// An adaptive total begins with this, unless its algorithm says otherwise.
    pub max_concurrency: usize,

    /// How much may run at once of each key, in units of weight: 1 to
    /// 2<sup>31</sup> - 1, by default 10.
    ///
    /// Below the total, it keeps one key from taking everything; times the
    /// number of busy keys it may well be above it.
    pub key_max_concurrency: usize,

    /// How many callers may wait, of all keys together; by default 0, which
    /// rejects at once what does not fit. Nobody waits either while
    /// [`key_queue_limit`](Self::key_queue_limit) is 0, as it is by default.
    pub queue_limit: usize,

    /// How many callers of one key may wait; by default 0, which rejects at
    /// once what does not fit, so it has to be set together with `queue_limit`.
    ///
    /// Where it is as large as `queue_limit`, one key can take all the places.
    pub key_queue_limit: usize,

    /// The longest wait, the work not included; by default none. Positive, and
    /// at most 4,294,967,294 ms.
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::configuration::queue_timeout")
    )]
    pub queue_timeout: Option<Duration>,

    /// Whether the callers of one key go by priority; by default they are
    /// served first come, first served. Between keys priorities do not count.
    pub use_priority_queue: bool,

    /// Which key is next for a free slot of the total; by default the one
    /// whose caller arrived first.
    #[cfg_attr(feature = "serde", serde(with = "crate::configuration::FairnessKey"))]
    pub fairness: Fairness,

    /// How many keys there may be at once; positive, by default 10,000.
    ///
    /// A key counts while anything runs or waits under it, and is forgotten
    /// with the last. This bounds what callers who invent keys can cost.
    pub max_keys: usize,

    /// What becomes of a call under one key more; by default it is refused.
    #[cfg_attr(feature = "serde", serde(with = "crate::configuration::OverflowKey"))]
    pub overflow: KeyOverflow,

    /// The algorithm that moves the total, if it is adaptive; to be read only.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub algorithm: Option<Description>,
}

impl KeyedLimitOptions {
    pub(super) fn validate(&self) -> Result<KeyedOptions, ConfigError> {
        let limit = parse_total_limit(self.max_concurrency)?;
        let key_limit = parse_key_limit(self.key_max_concurrency)?;
        self.check_places()?;
        if let Some(timeout) = self.queue_timeout {
            check_timeout(TYPE, timeout)?;
        }
        if self.max_keys == 0 {
            let requirement = "must be positive";
            return Err(ConfigError::new(
                TYPE,
                "max_keys",
                requirement,
                self.max_keys,
            ));
        }
        Ok(KeyedOptions {
            limit,
            max_limit: self.algorithm.map(|algorithm| algorithm.max_limit),
            key: KeyPlan::new(key_limit),
            queue_limit: self.queue_limit,
            key_queue_limit: self.key_queue_limit,
            queue_timeout: self.queue_timeout,
            by_priority: self.use_priority_queue,
            measure_waits: false,
            fairness: self.fairness,
            max_keys: self.max_keys,
            overflow: self.overflow,
        })
    }

    /// With one of the two alone nobody would ever wait.
    fn check_places(&self) -> Result<(), ConfigError> {
        let (property, other) = match (self.queue_limit, self.key_queue_limit) {
            (0, 1..) => ("queue_limit", "key_queue_limit"),
            (1.., 0) => ("key_queue_limit", "queue_limit"),
            _ => return Ok(()),
        };
        let requirement = format!("must be positive where {other} is");
        Err(ConfigError::new(TYPE, property, requirement, 0))
    }
}

impl Default for KeyedLimitOptions {
    fn default() -> Self {
        Self {
            max_concurrency: 100,
            key_max_concurrency: 10,
            queue_limit: 0,
            key_queue_limit: 0,
            queue_timeout: None,
            use_priority_queue: false,
            fairness: Fairness::Arrival,
            max_keys: KeyedOptions::MAX_KEYS,
            overflow: KeyOverflow::Refuse,
            algorithm: None,
        }
    }
}

impl fmt::Display for KeyedLimitOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyedConcurrencyLimit(")?;
        match self.algorithm {
            None => write!(f, "{}", self.max_concurrency)?,
            Some(Description {
                name, max_limit, ..
            }) => {
                write!(
                    f,
                    "{name}, initial {}, max {max_limit}",
                    self.max_concurrency
                )?;
            }
        }
        write!(f, ", {} a key", self.key_max_concurrency)?;
        if self.queue_limit > 0 {
            write!(f, ", queue {}", self.queue_limit)?;
            if let Some(timeout) = self.queue_timeout {
                write!(f, "/{}", Short(timeout))?;
            }
            write!(f, ", {} a key", self.key_queue_limit)?;
        }
        if self.use_priority_queue {
            f.write_str(", priority queue")?;
        }
        if self.fairness == Fairness::RoundRobin {
            f.write_str(", round robin")?;
        }
        if self.max_keys != KeyedOptions::MAX_KEYS {
            write!(f, ", {} keys", self.max_keys)?;
        }
        if let KeyOverflow::Share(plan) = self.overflow {
            write!(f, ", overflow {}", plan.limit)?;
        }
        f.write_str(")")
    }
}

pub(super) fn parse_total_limit(max_concurrency: usize) -> Result<Limit, ConfigError> {
    parse_limit(TYPE, "max_concurrency", max_concurrency)
}

pub(super) fn parse_key_limit(max_concurrency: usize) -> Result<Limit, ConfigError> {
    parse_limit(TYPE, "key_max_concurrency", max_concurrency)
}

/// Why the total of an adaptive limiter cannot be set.
pub(super) fn total_is_adaptive(max_concurrency: usize) -> ConfigError {
    let requirement = "must be left to the algorithm of an adaptive total";
    ConfigError::new(TYPE, "max_concurrency", requirement, max_concurrency)
}

const TYPE: &str = "KeyedLimitOptions";
