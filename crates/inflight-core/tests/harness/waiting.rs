use std::pin::Pin;

use super::answer::Answer;
use super::caller::Caller;
use super::gate::Gate;
use super::model::Model;
use super::wakes::Numbered;

/// A permit, and what it counts under.
pub(crate) struct Running<M: Model> {
    pub(crate) name: M::Name,
    pub(crate) permit: <M::Gate as Gate>::Permit,
}

/// A waiter of the gate, and what the model has told it.
pub(crate) struct Waiting<M: Model> {
    pub(crate) caller: Caller<M::Name>,
    pub(crate) waiter: <M::Gate as Gate>::Waiter,
    /// Those it was polled with; only the last one may be woken.
    pub(crate) wakers: Vec<Numbered>,
    pub(crate) answer: Option<Answer>,
}

/// A future that waits for the gate to drain, and has been polled.
pub(crate) struct Watching {
    pub(crate) drained: Pin<Box<dyn Future<Output = ()>>>,
    pub(crate) waker: Numbered,
    pub(crate) is_over: bool,
}
