/// What latency is normal, in nanoseconds, once a success has been seen.
#[derive(Clone, Debug)]
pub(super) struct Baseline {
    nanos: Option<f64>,
    tolerance: f64,
}

impl Baseline {
    pub(super) fn new(tolerance: f64) -> Self {
        Self {
            nanos: None,
            tolerance,
        }
    }

    /// The first mean is the baseline; later ones leave it.
    pub(super) fn establish(&mut self, mean: f64) {
        self.nanos.get_or_insert(mean.max(FLOOR));
    }

    /// Moves a part of the way to `mean`.
    pub(super) fn follow(&mut self, mean: f64) {
        if let Some(nanos) = &mut self.nanos {
            *nanos = (*nanos + WEIGHT * (mean - *nanos)).max(FLOOR);
        }
    }

    /// `mean` exceeds the baseline, and so the floor.
    pub(super) fn replace(&mut self, mean: f64) {
        self.nanos = Some(mean);
    }

    pub(super) fn nanos(&self) -> Option<f64> {
        self.nanos
    }

    pub(super) fn is_exceeded_by(&self, mean: f64) -> bool {
        self.threshold().is_some_and(|threshold| mean > threshold)
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a latency off by one part in 2^53 decides nothing"
    )]
    pub(super) fn is_reached_by(&self, latency: u64) -> bool {
        self.threshold()
            .is_some_and(|threshold| latency as f64 >= threshold)
    }

    fn threshold(&self) -> Option<f64> {
        self.nanos.map(|nanos| nanos * self.tolerance)
    }
}

/// How much of the way a window's mean moves the baseline. The reference
/// rule's choice: after seven windows half of a lasting change is normal.
const WEIGHT: f64 = 0.1;

/// One tick of the reference rule's clock, in nanoseconds. From a baseline of
/// zero, left by calls too quick for the clock, any latency at all would be
/// congestion.
const FLOOR: f64 = 100.0;
