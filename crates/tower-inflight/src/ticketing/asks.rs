use std::time::Duration;

use inflight_core::Ticket;

/// Reads from a request what its call asks for.
///
/// `()` asks for weight 1 and priority 0, and has no deadline of its own.
#[expect(
    unnameable_types,
    reason = "sealed: the types of this module are all there is"
)]
pub trait Asks<Request> {
    /// How many units of the limit `request` takes; 0 counts as 1.
    #[inline]
    fn weight(&self, _request: &Request) -> u32 {
        1
    }

    /// How urgent `request` is; higher goes first.
    #[inline]
    fn priority(&self, _request: &Request) -> i32 {
        0
    }

    /// The longest that `request` may wait, if it says so.
    #[inline]
    fn max_wait(&self, _request: &Request) -> Option<Duration> {
        None
    }

    /// Whether `request` passes without a permit.
    #[inline]
    fn is_exempt(&self, _request: &Request) -> bool {
        false
    }

    /// All of it in one.
    #[inline]
    fn ticket(&self, request: &Request) -> Ticket {
        let (weight, priority) = (self.weight(request), self.priority(request));
        let ticket = Ticket::new().with_weight(weight).with_priority(priority);
        match self.max_wait(request) {
            Some(max_wait) => ticket.with_max_wait(max_wait),
            None => ticket,
        }
    }
}

impl<Request> Asks<Request> for () {}

/// Writes what a type that adds one thing leaves to those it has wrapped.
macro_rules! forwarded {
    ($($method:ident -> $T:ty),*) => {
        $(
            #[inline]
            fn $method(&self, request: &Request) -> $T {
                self.rest.$method(request)
            }
        )*
    };
}

pub(crate) use forwarded;
