use super::Measuring;
use crate::hold::UntilResponse;

/// What is asked of each call, how long it holds its permit, and how its result
/// is classified.
#[derive(Clone, Copy, Default)]
pub(super) struct Calls<C = (), T = (), H = UntilResponse> {
    classify: C,
    pub(super) ticketing: T,
    hold: H,
}

impl<C, T, H> Calls<C, T, H> {
    pub(super) fn classifying<D>(self, classify: D) -> Calls<D, T, H> {
        Calls {
            classify,
            ticketing: self.ticketing,
            hold: self.hold,
        }
    }

    pub(super) fn asking<U>(self, change: impl FnOnce(T) -> U) -> Calls<C, U, H> {
        Calls {
            classify: self.classify,
            ticketing: change(self.ticketing),
            hold: self.hold,
        }
    }

    pub(super) fn holding<N>(self, hold: N) -> Calls<C, T, N> {
        Calls {
            classify: self.classify,
            ticketing: self.ticketing,
            hold,
        }
    }

    #[inline]
    pub(super) fn terms(&self) -> Measuring<C, H>
    where
        C: Clone,
        H: Clone,
    {
        Measuring::new(self.classify.clone(), self.hold.clone())
    }
}
