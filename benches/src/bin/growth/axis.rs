/// A logarithmic axis: values from `lowest` to `highest`, on pixels from `start` to `end`.
pub(crate) struct Axis {
    lowest: f64,
    highest: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// Takes in all `values`, and ends at round numbers.
    pub(crate) fn around(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let (mut lowest, mut highest) = (f64::MAX, f64::MIN_POSITIVE);
        for value in values {
            (lowest, highest) = (lowest.min(value), highest.max(value));
        }
        Self {
            lowest: round_numbers()
                .filter(|&tick| tick <= lowest)
                .last()
                .unwrap_or(lowest),
            highest: round_numbers()
                .find(|&tick| tick >= highest)
                .unwrap_or(highest),
            start,
            end,
        }
    }

    /// Where `value` is on the axis.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let part = (value / self.lowest).ln() / (self.highest / self.lowest).ln();
        self.start + part * (self.end - self.start)
    }

    /// The round numbers on the axis.
    pub(crate) fn ticks(&self) -> impl Iterator<Item = f64> {
        round_numbers().filter(|tick| (self.lowest..=self.highest).contains(tick))
    }

    /// The powers of ten on the axis.
    pub(crate) fn decades(&self) -> impl Iterator<Item = f64> {
        self.ticks().filter(|tick| tick.log10().fract() == 0.0)
    }
}

/// 1, 2, 5, 10, 20, and so on.
fn round_numbers() -> impl Iterator<Item = f64> {
    (0..9).flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(decade)))
}
