use std::mem::ManuallyDrop;

/// Where the lease of an admitted call comes from: what its limiter makes of a
/// permit.
#[expect(
    unnameable_types,
    reason = "sealed: the layers choose it, nobody implements it"
)]
pub trait Terms<Request, P> {
    /// What the call holds while it runs.
    type Lease: Lease;

    /// Begins with the admission, before the service is made ready.
    fn begin(self, permit: P, request: &mut Request) -> Self::Lease;
}

/// What an admitted call holds until it has ended.
///
/// Dropping it is the end of the call, whatever was noted of it before.
#[expect(
    unnameable_types,
    reason = "sealed: the layers choose it, nobody implements it"
)]
pub trait Lease {
    /// Notes that the service panicked, or did not become ready.
    fn broken(&mut self);
}

/// A lease that takes note of the result.
#[expect(
    unnameable_types,
    reason = "sealed: the layers choose it, nobody implements it"
)]
pub trait Completes<Response, Error>: Lease {
    /// What the caller gets for the service's response.
    type Response;

    /// Notes that the service's future has ended with `result`; it goes before
    /// the lease does.
    fn completed(&mut self, result: Result<Response, Error>) -> Result<Self::Response, Error>;

    /// What the caller gets for a response that no permit was needed for.
    fn without(response: Response) -> Self::Response;
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
