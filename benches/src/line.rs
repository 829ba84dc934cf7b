//! Callers that wait for one permit.

use std::task::{Context, Waker};

use tower::{Service, ServiceExt};

use crate::inner::Request;
use crate::places::Places;

/// A limiter of one permit whose callers wait in a line.
pub trait Line: 'static {
    /// A caller: it waits, gets the permit, and gives it back when it is done and dropped.
    type Caller: Future + 'static;

    /// What occupies the only permit until it is dropped.
    type Held: 'static;

    /// Takes the permit.
    fn hold(&self) -> Self::Held;

    /// Makes a caller; it has its place in the line after its first poll at the latest.
    fn join(&self, priority: i32) -> Self::Caller;
}

/// The line before a limited service: each caller owns a clone, as under a server.
pub fn of_service<S>(service: S) -> impl Line
where
    S: Service<Request> + Clone + 'static,
{
    let of_hold = service.clone();
    of_functions(
        move || {
            let mut held = Box::pin(of_hold.clone().oneshot(Request::hanging()));
            let polled = held.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            assert!(polled.is_pending(), "a hanging call keeps its permit");
            held
        },
        move |priority| service.clone().oneshot(Request::new(priority)),
    )
}

/// A line made of what it does.
pub fn of_functions<H, C>(
    hold: impl Fn() -> H + 'static,
    join: impl Fn(i32) -> C + 'static,
) -> impl Line
where
    H: 'static,
    C: Future + 'static,
{
    Functions { hold, join }
}

/// Has `count` callers wait in the line for as long as what is returned is kept.
pub fn waiting<L: Line>(line: &L, count: usize) -> impl Sized + 'static + use<L> {
    let mut callers = Places::new(count);
    for place in 0..count {
        callers.enter(place, line.join(0));
    }
    callers
}

struct Functions<H, J> {
    hold: H,
    join: J,
}

impl<H, C, FH, FJ> Line for Functions<FH, FJ>
where
    H: 'static,
    C: Future + 'static,
    FH: Fn() -> H + 'static,
    FJ: Fn(i32) -> C + 'static,
{
    type Caller = C;
    type Held = H;

    fn hold(&self) -> H {
        (self.hold)()
    }

    #[inline]
    fn join(&self, priority: i32) -> C {
        (self.join)(priority)
    }
}
