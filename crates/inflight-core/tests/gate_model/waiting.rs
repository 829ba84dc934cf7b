use inflight_core::{Drained, Waiter};
use inflight_test::TestGate;

use crate::answer::Answer;
use crate::caller::Caller;
use crate::wakes::Numbered;

/// A waiter of the gate, and what the model has told it.
pub(crate) struct Waiting {
    pub(crate) caller: Caller,
    pub(crate) waiter: Waiter<TestGate>,
    /// Those it was polled with; only the last one may be woken.
    pub(crate) wakers: Vec<Numbered>,
    pub(crate) answer: Option<Answer>,
}

/// A future that waits for the gate to drain, and has been polled.
pub(crate) struct Watching {
    pub(crate) drained: Drained<TestGate>,
    pub(crate) waker: Numbered,
    pub(crate) is_over: bool,
}
