/// An average of many means that forgets the old ones slowly.
#[derive(Clone, Debug, Default)]
pub(super) struct Average {
    value: Option<f64>,
    count: f64,
}

impl Average {
    /// Takes a mean in and returns the average that follows.
    ///
    /// The first few count alike, so that the very first does not stand alone
    /// for minutes.
    pub(super) fn add(&mut self, mean: f64) -> f64 {
        self.count = (self.count + 1.0).min(WARM_UP + 1.0);
        let weight = if self.count <= WARM_UP {
            1.0 / self.count
        } else {
            2.0 / (WINDOWS + 1.0)
        };
        let old = self.value.unwrap_or(mean);
        let new = old + weight * (mean - old);
        self.value = Some(new);
        new
    }

    pub(super) fn scale(&mut self, factor: f64) {
        self.value = self.value.map(|value| value * factor);
    }

    pub(super) fn value(&self) -> Option<f64> {
        self.value
    }
}

/// The published rule's choices, in windows.
const WINDOWS: f64 = 600.0;
const WARM_UP: f64 = 10.0;
