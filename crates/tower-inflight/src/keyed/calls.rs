use super::total::{FixedTotal, Total};
use crate::hold::UntilResponse;

/// What is read from a request, how long its call holds a permit, and what is
/// learnt from its end.
#[derive(Clone, Copy)]
pub(super) struct Calls<R, T = (), H = UntilResponse, M = FixedTotal> {
    pub(super) key: R,
    pub(super) ticketing: T,
    pub(super) hold: H,
    pub(super) total: M,
}

impl<R> Calls<R> {
    pub(super) fn new(key: R) -> Self {
        Self {
            key,
            ticketing: (),
            hold: UntilResponse,
            total: FixedTotal,
        }
    }
}

impl<R, T, H, M> Calls<R, T, H, M> {
    pub(super) fn asking<U>(self, change: impl FnOnce(T) -> U) -> Calls<R, U, H, M> {
        Calls {
            key: self.key,
            ticketing: change(self.ticketing),
            hold: self.hold,
            total: self.total,
        }
    }

    pub(super) fn holding<N>(self, hold: N) -> Calls<R, T, N, M> {
        Calls {
            key: self.key,
            ticketing: self.ticketing,
            hold,
            total: self.total,
        }
    }

    pub(super) fn totalling<N>(self, total: N) -> Calls<R, T, H, N> {
        Calls {
            key: self.key,
            ticketing: self.ticketing,
            hold: self.hold,
            total,
        }
    }

    pub(super) fn terms(&self) -> M::Terms
    where
        H: Clone,
        M: Total<H>,
    {
        self.total.terms(self.hold.clone())
    }
}
