use std::time::Duration;

use super::random::{Random, Stream};

/// How long a worker takes for a call, drawn anew for each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServiceTime {
    mean: f64,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Exponential,
    /// The parameters of the normal distribution of the logarithm, for a mean
    /// of 1.
    LogNormal {
        mu: f64,
        sigma: f64,
    },
}

impl ServiceTime {
    /// Exponential around `mean`: many are short, a few are several times it.
    pub fn exponential(mean: Duration) -> Self {
        Self {
            mean: mean.as_secs_f64(),
            shape: Shape::Exponential,
        }
    }

    /// Log-normal around `mean`, with a standard deviation of `variation`
    /// times the mean.
    pub fn log_normal(mean: Duration, variation: f64) -> Self {
        let variance = (variation * variation).ln_1p();
        Self {
            mean: mean.as_secs_f64(),
            shape: Shape::LogNormal {
                mu: -variance / 2.0,
                sigma: variance.sqrt(),
            },
        }
    }

    /// What call `number` demands.
    pub(super) fn draw(self, random: Random, number: u64) -> Duration {
        let share = match self.shape {
            Shape::Exponential => random.exponential(Stream::Demand, number),
            Shape::LogNormal { mu, sigma } => {
                let normal = random.normal(Stream::Demand, Stream::DemandAngle, number);
                (mu + sigma * normal).exp()
            }
        };
        Duration::from_secs_f64(self.mean * share)
    }
}
