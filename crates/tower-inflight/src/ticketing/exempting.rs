use std::fmt;
use std::time::Duration;

use super::{Asks, forwarded};

/// Lets those requests pass that a closure picks.
#[derive(Clone, Copy)]
pub struct Exempting<F, T = ()> {
    exempt: F,
    rest: T,
}

impl<F, T> Exempting<F, T> {
    pub(crate) fn new(exempt: F, rest: T) -> Self {
        Self { exempt, rest }
    }
}

impl<F, T, Request> Asks<Request> for Exempting<F, T>
where
    F: Fn(&Request) -> bool,
    T: Asks<Request>,
{
    #[inline]
    fn is_exempt(&self, request: &Request) -> bool {
        (self.exempt)(request)
    }

    forwarded!(weight -> u32, priority -> i32, max_wait -> Option<Duration>);
}

impl<F, T: fmt::Debug> fmt::Debug for Exempting<F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exempting")
            .field("rest", &self.rest)
            .finish_non_exhaustive()
    }
}
