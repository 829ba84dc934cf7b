use inflight_core::{KeyedDrained, KeyedPermit, KeyedWaiter};

use crate::answer::Answer;
use crate::caller::Caller;
use crate::gate::Gate;
use crate::model::Name;
use crate::wakes::Numbered;

/// A permit, and what it counts under.
pub(crate) struct Running {
    pub(crate) name: Name,
    pub(crate) permit: KeyedPermit<Gate>,
}

/// A waiter of the gate, and what the model has told it.
pub(crate) struct Waiting {
    pub(crate) caller: Caller,
    pub(crate) waiter: KeyedWaiter<Gate>,
    /// Those it was polled with; only the last one may be woken.
    pub(crate) wakers: Vec<Numbered>,
    pub(crate) answer: Option<Answer>,
}

/// A future that waits for the gate to drain, and has been polled.
pub(crate) struct Watching {
    pub(crate) drained: KeyedDrained<Gate>,
    pub(crate) waker: Numbered,
    pub(crate) is_over: bool,
}
