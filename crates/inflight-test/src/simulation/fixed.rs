use inflight_core::{Algorithm, Limit, Sample};

/// A limit that never moves, to compare the others with.
#[derive(Clone, Copy, Debug)]
pub struct Fixed(pub Limit);

impl Algorithm for Fixed {
    fn limit(&self) -> Limit {
        self.0
    }

    fn observe(&mut self, _: &Sample) -> Limit {
        self.0
    }
}
