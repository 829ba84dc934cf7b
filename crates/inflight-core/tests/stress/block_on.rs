use std::sync::Arc;
use std::task::{Wake, Waker};
use std::thread::{self, Thread};

use inflight_core::{Permit, Refusal, Wait, Waiter};
use inflight_test::TestGate;

/// Waits for the answer, asleep until somebody wakes the thread. Where there
/// is a deadline, it is this thread that lets time pass.
pub(crate) fn block_on(
    waiter: &mut Waiter<TestGate>,
    pass_time: impl Fn(),
) -> Result<Permit<TestGate>, Refusal> {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match waiter.poll(&waker) {
            Wait::Admitted { permit, .. } => return Ok(permit),
            Wait::Refused(refusal) => return Err(refusal),
            Wait::Pending { deadline: None } => thread::park(),
            Wait::Pending { deadline: Some(_) } => {
                pass_time();
                thread::yield_now();
            }
        }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
