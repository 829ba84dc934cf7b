use std::fmt::Display;
use std::num::NonZeroU32;

use inflight_core::{Fairness, KeyOverflow, KeyPlan, Limit};
use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// How [`Fairness`] is written, which is the engine's and knows no serde.
#[derive(Deserialize)]
#[serde(remote = "Fairness", rename_all = "snake_case")]
pub(crate) enum FairnessKey {
    Arrival,
    RoundRobin,
}

/// How [`KeyOverflow`] is written.
#[derive(Deserialize)]
#[serde(
    remote = "KeyOverflow",
    rename_all = "snake_case",
    expecting = "`refuse` or `{ share = { limit = 5, share = 1 } }`"
)]
pub(crate) enum OverflowKey {
    Refuse,
    Share(#[serde(deserialize_with = "plan")] KeyPlan),
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "the plan of an overflow, such as `{ limit = 5, share = 1 }`"
)]
struct PlanKeys {
    limit: u64,
    #[serde(default = "one")]
    share: u64,
}

fn one() -> u64 {
    1
}

fn plan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<KeyPlan, D::Error> {
    let keys = PlanKeys::deserialize(deserializer)?;
    let limit = usize::try_from(keys.limit).ok().and_then(Limit::new);
    let limit = limit.ok_or_else(|| out_of_range("limit", Limit::MAX, keys.limit))?;
    let share = u32::try_from(keys.share).ok().and_then(NonZeroU32::new);
    let share = share.ok_or_else(|| out_of_range("share", u32::MAX, keys.share))?;
    Ok(KeyPlan::new(limit).with_share(share))
}

fn out_of_range<E: Error>(key: &str, most: impl Display, value: u64) -> E {
    E::custom(format_args!(
        "overflow.share.{key} must be between 1 and {most} (was {value})"
    ))
}
