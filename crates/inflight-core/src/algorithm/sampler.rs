use std::time::Duration;

use super::window::Window;
use super::{Outcome, Sample};
use crate::ConfigError;

/// Gathers samples into windows, without a timer: only a call that ends can
/// close one.
///
/// The first sample opens the first window and counts in it. A sample at or
/// after the end of the open window counts in it, closes it, and is the moment
/// at which the next one starts; so an hour without calls is one window.
/// Ignored samples open and close nothing; they leave what was in flight.
#[derive(Clone, Debug)]
pub(super) struct Sampler {
    length: u64,
    min_samples: u64,
    open: Option<Window>,
}

impl Sampler {
    /// Windows of at least `length` and at least `min_samples` samples.
    ///
    /// A window that is old enough but holds too few stays open, and nothing
    /// in it is lost.
    pub(super) fn new(
        options: &'static str,
        length: Duration,
        min_samples: u64,
    ) -> Result<Self, ConfigError> {
        if length.is_zero() {
            return Err(ConfigError::new(
                options,
                "sampling_window",
                "must be positive",
                format_args!("{length:?}"),
            ));
        }
        Ok(Self {
            length: u64::try_from(length.as_nanos()).unwrap_or(u64::MAX),
            min_samples,
            open: None,
        })
    }

    /// How old a window is at least when it closes.
    pub(super) fn window(&self) -> Duration {
        Duration::from_nanos(self.length)
    }

    /// Adds a sample and returns the window that it closes, if it does.
    pub(super) fn observe(&mut self, sample: &Sample) -> Option<Window> {
        if sample.outcome == Outcome::Ignore {
            if let Some(window) = &mut self.open {
                window.raise_peak(sample.in_flight);
            }
            return None;
        }
        let window = self
            .open
            .get_or_insert_with(|| Window::starting_at(sample.now));
        window.add(sample);
        if window.elapsed() < self.length || window.samples() < self.min_samples {
            return None;
        }
        let next = Window::starting_at(window.latest());
        self.open.replace(next)
    }
}
