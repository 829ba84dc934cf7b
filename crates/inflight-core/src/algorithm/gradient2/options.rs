use std::time::Duration;

/// The settings of [`Gradient2`](super::Gradient2).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Gradient2Options {
    /// The limit never falls below this; 1 by default.
    pub min_limit: usize,
    /// The limit never rises above this; 100 by default.
    ///
    /// The rule reaches it in any overload that lasts long enough.
    pub max_limit: usize,
    /// The limit at the start; 10 by default.
    pub initial_limit: usize,
    /// How old a window is at least when it is evaluated; 1 s by default.
    pub sampling_window: Duration,
    /// How many samples a window holds at least when it is evaluated; 10 by
    /// default. One that holds fewer stays open.
    pub min_samples: u64,
}

impl Gradient2Options {
    pub(super) const NAME: &'static str = "Gradient2Options";
}

impl Default for Gradient2Options {
    fn default() -> Self {
        Self {
            min_limit: 1,
            max_limit: 100,
            initial_limit: 10,
            sampling_window: Duration::from_secs(1),
            min_samples: 10,
        }
    }
}
