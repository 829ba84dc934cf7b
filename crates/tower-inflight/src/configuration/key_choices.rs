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
#[serde(remote = "KeyOverflow", rename_all = "snake_case")]
pub(crate) enum OverflowKey {
    Refuse,
    Share(#[serde(deserialize_with = "plan")] KeyPlan),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanKeys {
    limit: usize,
    #[serde(default = "one")]
    share: NonZeroU32,
}

fn one() -> NonZeroU32 {
    NonZeroU32::MIN
}

fn plan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<KeyPlan, D::Error> {
    let PlanKeys { limit, share } = PlanKeys::deserialize(deserializer)?;
    let limit = Limit::new(limit).ok_or_else(|| {
        D::Error::custom(format_args!(
            "overflow.share.limit must be between 1 and {} (was {limit})",
            Limit::MAX
        ))
    })?;
    Ok(KeyPlan::new(limit).with_share(share))
}
