use std::fmt;
use std::time::Duration;

use super::{Asks, forwarded};

/// Lets each request wait no longer than a closure says.
#[derive(Clone, Copy)]
pub struct Patient<F, T = ()> {
    max_wait: F,
    rest: T,
}

impl<F, T> Patient<F, T> {
    pub(crate) fn new(max_wait: F, rest: T) -> Self {
        Self { max_wait, rest }
    }
}

impl<F, T, Request> Asks<Request> for Patient<F, T>
where
    F: Fn(&Request) -> Option<Duration>,
    T: Asks<Request>,
{
    #[inline]
    fn max_wait(&self, request: &Request) -> Option<Duration> {
        (self.max_wait)(request)
    }

    forwarded!(weight -> u32, priority -> i32, is_exempt -> bool);
}

impl<F, T: fmt::Debug> fmt::Debug for Patient<F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patient")
            .field("rest", &self.rest)
            .finish_non_exhaustive()
    }
}
