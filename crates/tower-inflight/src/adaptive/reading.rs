/// What is read from a request, and from the result of its call.
#[derive(Clone, Copy, Default)]
pub(super) struct Reading<C, P, W> {
    pub(super) classify: C,
    pub(super) priority: P,
    pub(super) weight: W,
}

impl<C, P, W> Reading<C, P, W> {
    pub(super) fn with_classify<D>(self, classify: D) -> Reading<D, P, W> {
        Reading {
            classify,
            priority: self.priority,
            weight: self.weight,
        }
    }

    pub(super) fn with_priority<Q>(self, priority: Q) -> Reading<C, Q, W> {
        Reading {
            classify: self.classify,
            priority,
            weight: self.weight,
        }
    }

    pub(super) fn with_weight<V>(self, weight: V) -> Reading<C, P, V> {
        Reading {
            classify: self.classify,
            priority: self.priority,
            weight,
        }
    }
}
