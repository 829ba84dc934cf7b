use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use inflight_core::Refusal;

use crate::Rejection;
use crate::clock::Moment;
use crate::desk::Desk;
use crate::door::{Answer, Arrived, Await, Door, Pass};
use crate::hooks::Refused;

/// Parks the thread for as long as there is nothing to say to one who arrived.
pub(crate) fn wait<D, P>(door: &D, arrived: Arrived<D>) -> Result<P, Rejection>
where
    D: Door<Permit = P>,
    P: Pass<Door = D>,
{
    match arrived {
        Arrived::Admitted(permit) => Ok(permit),
        Arrived::Queued(waiter) => stand(door, waiter),
        Arrived::Refused(refusal) => Err(tell(door.desk(), refusal)),
    }
}

fn stand<D: Door>(door: &D, mut waiter: D::Waiter) -> Result<D::Permit, Rejection> {
    let since = door.reports().since(Moment::now);
    let waker = Unpark::waker();
    let answer = loop {
        match waiter.poll(&waker) {
            Answer::Admitted(permit) => break Ok(permit),
            Answer::Refused(refusal) => break Err(refusal),
            Answer::Pending { deadline: None } => thread::park(),
            Answer::Pending {
                deadline: Some(deadline),
            } => thread::park_timeout(door.clock().until(deadline)),
        }
    };
    if let Some(since) = since {
        door.reports().waited(since);
    }
    answer.map_err(|refusal| tell(door.desk(), refusal))
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
