use std::fmt;
use std::time::Duration;

use super::{Asks, forwarded};

/// Gives each request the priority that a closure says.
#[derive(Clone, Copy)]
pub struct Prioritized<F, T = ()> {
    priority: F,
    rest: T,
}

impl<F, T> Prioritized<F, T> {
    pub(crate) fn new(priority: F, rest: T) -> Self {
        Self { priority, rest }
    }
}

impl<F, T, Request> Asks<Request> for Prioritized<F, T>
where
    F: Fn(&Request) -> i32,
    T: Asks<Request>,
{
    #[inline]
    fn priority(&self, request: &Request) -> i32 {
        (self.priority)(request)
    }

    forwarded!(weight -> u32, max_wait -> Option<Duration>, is_exempt -> bool);
}

impl<F, T: fmt::Debug> fmt::Debug for Prioritized<F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prioritized")
            .field("rest", &self.rest)
            .finish_non_exhaustive()
    }
}
