use std::time::Duration;

use inflight_core::{AimdOptions, Growth};
use serde::Deserialize;

use super::time::{queue_timeout, sampling_window};
use crate::AdaptiveAimdOptions;

/// The keys of an adaptive limit, all in one table.
///
/// They stand here because the engine, whose options they are, knows no serde,
/// and a nested table could not refuse unknown keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AimdKeys {
    #[serde(default)]
    preset: Preset,
    min_limit: Option<usize>,
    max_limit: Option<usize>,
    initial_limit: Option<usize>,
    #[serde(default, deserialize_with = "sampling_window")]
    sampling_window: Option<Duration>,
    decrease_factor: Option<f64>,
    latency_tolerance: Option<f64>,
    min_samples: Option<u64>,
    learn_baseline_when_idle: Option<bool>,
    relearn_after_cut: Option<f64>,
    growth: Option<GrowthKey>,
    overload_share: Option<f64>,
    censored_cancellations: Option<bool>,
    monitor_only: Option<bool>,
    #[serde(default)]
    queue_limit: usize,
    #[serde(default, deserialize_with = "queue_timeout")]
    queue_timeout: Option<Duration>,
    #[serde(default)]
    use_priority_queue: bool,
}

/// What the keys that are missing are taken from.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Preset {
    #[default]
    Plain,
    Guarded,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum GrowthKey {
    Bound,
    HalfUsed,
}

impl From<AimdKeys> for AdaptiveAimdOptions {
    fn from(keys: AimdKeys) -> Self {
        Self {
            rule: keys.rule(),
            queue_limit: keys.queue_limit,
            queue_timeout: keys.queue_timeout,
            use_priority_queue: keys.use_priority_queue,
        }
    }
}

impl AimdKeys {
    fn rule(&self) -> AimdOptions {
        let preset = match self.preset {
            Preset::Plain => AimdOptions::default(),
            Preset::Guarded => AimdOptions::guarded(),
        };
        AimdOptions {
            min_limit: self.min_limit.unwrap_or(preset.min_limit),
            max_limit: self.max_limit.unwrap_or(preset.max_limit),
            initial_limit: self.initial_limit.unwrap_or(preset.initial_limit),
            sampling_window: self.sampling_window.unwrap_or(preset.sampling_window),
            decrease_factor: self.decrease_factor.unwrap_or(preset.decrease_factor),
            latency_tolerance: self.latency_tolerance.unwrap_or(preset.latency_tolerance),
            min_samples: self.min_samples.unwrap_or(preset.min_samples),
            learn_baseline_when_idle: self
                .learn_baseline_when_idle
                .unwrap_or(preset.learn_baseline_when_idle),
            relearn_after_cut: self.relearn_after_cut.or(preset.relearn_after_cut),
            growth: self.growth.map_or(preset.growth, Growth::from),
            overload_share: self.overload_share.or(preset.overload_share),
            censored_cancellations: self
                .censored_cancellations
                .unwrap_or(preset.censored_cancellations),
            monitor_only: self.monitor_only.unwrap_or(preset.monitor_only),
        }
    }
}

impl From<GrowthKey> for Growth {
    fn from(key: GrowthKey) -> Self {
        match key {
            GrowthKey::Bound => Self::Bound,
            GrowthKey::HalfUsed => Self::HalfUsed,
        }
    }
}
