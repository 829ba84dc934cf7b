use std::mem::ManuallyDrop;

use crate::Permit;

/// What an admitted call holds until it has ended.
///
/// Dropping it is the end of the call, whatever was noted of it before.
#[expect(
    unnameable_types,
    reason = "sealed: the layers choose it, nobody implements it"
)]
pub trait Lease: Sized {
    /// What the waiting call keeps for the lease to come.
    type Terms;

    /// Begins with the admission, before the service is made ready.
    fn begin(permit: Permit, terms: Self::Terms) -> Self;

    /// Notes that the service panicked, or did not become ready.
    fn broken(&mut self);
}

/// A lease that takes note of the result.
#[expect(
    unnameable_types,
    reason = "sealed: the layers choose it, nobody implements it"
)]
pub trait Completes<Response, Error>: Lease {
    /// Notes that the service's future has ended with `result`; it goes before
    /// the lease does.
    fn completed(&mut self, result: &Result<Response, Error>);
}

/// A fixed limiter needs to know only that the call is over.
impl Lease for Permit {
    type Terms = ();

    #[inline]
    fn begin(permit: Permit, (): ()) -> Self {
        permit
    }

    #[inline]
    fn broken(&mut self) {}
}

impl<Response, Error> Completes<Response, Error> for Permit {
    #[inline]
    fn completed(&mut self, _: &Result<Response, Error>) {}
}

/// Runs a piece of the service's own code. If it panics, the lease ends at
/// that moment.
///
/// Whoever catches the panic need not drop our future soon, or at all; and
/// when it is dropped nobody is panicking any more.
#[inline]
pub(crate) fn watch<L: Lease, T>(lease: &mut Option<L>, piece: impl FnOnce() -> T) -> T {
    let watch = Watch(lease);
    let value = piece();
    // Not dropped: there was no panic. It only borrows.
    let _ = ManuallyDrop::new(watch);
    value
}

struct Watch<'a, L: Lease>(&'a mut Option<L>);

impl<L: Lease> Drop for Watch<'_, L> {
    #[cold]
    fn drop(&mut self) {
        if let Some(mut lease) = self.0.take() {
            lease.broken();
        }
    }
}
