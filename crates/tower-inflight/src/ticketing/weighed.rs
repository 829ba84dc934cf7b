use std::fmt;
use std::time::Duration;

use super::{Asks, forwarded};

/// Gives each request the weight that a closure says.
#[derive(Clone, Copy)]
pub struct Weighed<F, T = ()> {
    weight: F,
    rest: T,
}

impl<F, T> Weighed<F, T> {
    pub(crate) fn new(weight: F, rest: T) -> Self {
        Self { weight, rest }
    }
}

impl<F, T, Request> Asks<Request> for Weighed<F, T>
where
    F: Fn(&Request) -> u32,
    T: Asks<Request>,
{
    #[inline]
    fn weight(&self, request: &Request) -> u32 {
        (self.weight)(request)
    }

    forwarded!(priority -> i32, max_wait -> Option<Duration>, is_exempt -> bool);
}

impl<F, T: fmt::Debug> fmt::Debug for Weighed<F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weighed")
            .field("rest", &self.rest)
            .finish_non_exhaustive()
    }
}
