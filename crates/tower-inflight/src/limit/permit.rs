use std::fmt;

use inflight_core as core;

use super::{Limiter, MeasuredPermit};
use crate::door::{Door, Held, Pass};
use crate::handle::Handle;
use crate::hold::Keep;

/// The right to run; dropping it hands it to whoever is next.
///
/// Move it to where the work is, into a task or onto a thread for instance, so
/// that it lives exactly as long.
///
/// ```
/// use tower_inflight::Limiter;
///
/// let limiter = Limiter::new(2);
/// let permit = limiter.try_acquire()?;
/// assert_eq!(limiter.snapshot().in_flight, 1);
///
/// std::thread::spawn(move || drop(permit)).join().unwrap();
/// assert_eq!(limiter.snapshot().in_flight, 0);
/// # Ok::<(), tower_inflight::Rejection>(())
/// ```
#[must_use = "dropping a `Permit` gives it back at once"]
pub struct Permit(core::Permit<Handle>);

impl Permit {
    /// One that the limiter has granted.
    #[inline]
    pub(crate) fn admitted(permit: core::Permit<Handle>) -> Self {
        permit.host().reports().admitted();
        Self(permit)
    }

    /// One that takes nothing of the limit.
    pub(crate) fn exempt(permit: core::Permit<Handle>) -> Self {
        permit.host().reports().exempt();
        Self(permit)
    }

    /// How many units of the limit it holds; 0 if it was exempt from it.
    pub fn weight(&self) -> u32 {
        self.0.weight()
    }

    /// The limiter that it came from.
    pub fn limiter(&self) -> Limiter {
        Limiter::from_handle(self.0.host().clone())
    }

    /// Measures from now on, so that an adaptive limiter learns from the work.
    ///
    /// Without it such a limiter knows that the permit is in use, and learns
    /// nothing from its end.
    #[inline]
    pub fn measured(self) -> MeasuredPermit {
        MeasuredPermit::new(self)
    }
}

impl Held for Permit {
    type Door = Handle;

    #[inline]
    fn door(&self) -> &Handle {
        self.0.host()
    }

    #[inline]
    fn is_exempt(&self) -> bool {
        self.0.weight() == 0
    }
}

impl Pass for Permit {}

impl<Response> Keep<Response> for Permit {
    type Response = Response;

    #[inline]
    fn keep(&mut self, response: Response) -> Response {
        response
    }

    #[inline]
    fn without(response: Response) -> Response {
        response
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit")
            .field("weight", &self.weight())
            .finish_non_exhaustive()
    }
}
