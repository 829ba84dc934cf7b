use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use inflight_core::{Refusal, Ticket, Wait, Waiter};

use super::Permit;
use crate::Rejection;
use crate::desk::Desk;
use crate::door::{Arrived, Door};
use crate::handle::Handle;
use crate::hooks::Refused;

/// Arrives, and parks the thread for as long as there is nothing to say.
pub(super) fn acquire(handle: &Handle, ticket: Ticket) -> Result<Permit, Rejection> {
    match handle.enter(ticket) {
        Arrived::Admitted(permit) => Ok(permit),
        Arrived::Queued(waiter) => wait(handle, waiter),
        Arrived::Refused(refusal) => Err(tell(handle.desk(), refusal)),
    }
}

fn wait(handle: &Handle, mut waiter: Waiter<Handle>) -> Result<Permit, Rejection> {
    let waker = Unpark::waker();
    loop {
        match waiter.poll(&waker) {
            Wait::Admitted { permit, .. } => return Ok(Permit::new(permit)),
            Wait::Refused(refusal) => return Err(tell(handle.desk(), refusal)),
            Wait::Pending { deadline: None } => thread::park(),
            Wait::Pending {
                deadline: Some(deadline),
            } => thread::park_timeout(handle.clock().until(deadline)),
        }
    }
}

fn tell(desk: &Desk, refusal: Refusal) -> Rejection {
    let mut task = match desk.tell(refusal) {
        Refused::Telling(task) => task,
        Refused::Told(rejection) => return rejection,
    };
    let waker = Unpark::waker();
    let mut cx = Context::from_waker(&waker);
    loop {
        match Pin::new(&mut task).poll(&mut cx) {
            Poll::Ready(rejection) => return rejection,
            Poll::Pending => thread::park(),
        }
    }
}

/// Wakes the thread that made it. Others may unpark it too, so whoever parks
/// has to look again afterwards.
struct Unpark(Thread);

impl Unpark {
    fn waker() -> Waker {
        Waker::from(Arc::new(Self(thread::current())))
    }
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}
