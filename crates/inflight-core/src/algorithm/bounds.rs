use super::Description;
use super::sampler::Sampler;
use crate::{ConfigError, Limit};

/// Between which limits an algorithm may move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    min: Limit,
    max: Limit,
}

impl Bounds {
    /// The bounds, and the limit to start from.
    pub(super) fn new(
        options: &'static str,
        min_limit: usize,
        max_limit: usize,
        initial_limit: usize,
    ) -> Result<(Self, Limit), ConfigError> {
        let error = |property, requirement: String, value| {
            Err(ConfigError::new(options, property, requirement, value))
        };
        if min_limit == 0 {
            return error("min_limit", "must be positive".into(), min_limit);
        }
        if max_limit < min_limit {
            let requirement = format!("must be at least min_limit, {min_limit}");
            return error("max_limit", requirement, max_limit);
        }
        let (Some(min), Some(max)) = (Limit::new(min_limit), Limit::new(max_limit)) else {
            let requirement = format!("must be at most {}", Limit::MAX);
            return error("max_limit", requirement, max_limit);
        };
        match Limit::new(initial_limit) {
            Some(initial) if (min..=max).contains(&initial) => Ok((Self { min, max }, initial)),
            _ => {
                let requirement = format!("must be between min_limit, {min}, and max_limit, {max}");
                error("initial_limit", requirement, initial_limit)
            }
        }
    }

    /// An algorithm between these bounds that decides in windows of `sampler`.
    pub(super) fn describe(self, name: &'static str, sampler: &Sampler) -> Description {
        Description::new(name)
            .with_bounds(self.min, self.max)
            .with_window(sampler.window())
    }

    pub(super) fn min(self) -> Limit {
        self.min
    }

    pub(super) fn max(self) -> Limit {
        self.max
    }

    pub(super) fn clamp(self, limit: usize) -> Limit {
        Limit::new(limit)
            .unwrap_or(if limit == 0 { self.min } else { self.max })
            .clamp(self.min, self.max)
    }

    /// The whole limit at or below `limit`, within the bounds.
    pub(super) fn floor(self, limit: f64) -> Limit {
        self.clamp(whole(limit))
    }
}

#[expect(clippy::cast_precision_loss, reason = "a limit has 31 bits")]
pub(super) fn real(limit: Limit) -> f64 {
    limit.get() as f64
}

/// The part of `number` before the point, saturating.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "that the cast saturates and rounds down is what is wanted"
)]
pub(super) fn whole(number: f64) -> usize {
    number as usize
}
