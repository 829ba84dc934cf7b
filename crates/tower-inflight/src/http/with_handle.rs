use std::sync::Arc;

use http::Request;

use super::until_body::UntilBodyHeld;
use super::{PermitHandle, UntilBody};
use crate::UntilResponse;
use crate::door::{Held, Pass};
use crate::hold::{Hold, Keep};

/// A permit lives as long as `H` says, and as long as anybody holds it by its
/// [`PermitHandle`].
///
/// It is made by [`UntilResponse::with_handle`] or [`UntilBody::with_handle`].
/// It costs some allocations for each call that is admitted.
#[derive(Clone, Copy, Debug, Default)]
pub struct WithHandle<H>(H);

impl<H> WithHandle<H> {
    pub(super) fn new(hold: H) -> Self {
        Self(hold)
    }
}

impl UntilResponse {
    /// Lets work that outlives the response hold on to the permit; see
    /// [`PermitHandle`](crate::http::PermitHandle).
    pub fn with_handle(self) -> WithHandle<Self> {
        WithHandle::new(self)
    }
}

impl<B, P> Hold<Request<B>, P> for WithHandle<UntilResponse>
where
    P: Pass + Send + Sync + 'static,
{
    type Held = SharedPermit<P>;

    fn hold(self, permit: P, request: &mut Request<B>) -> SharedPermit<P> {
        SharedPermit::share(permit, request)
    }
}

impl<B, P> Hold<Request<B>, P> for WithHandle<UntilBody>
where
    P: Pass + Send + Sync + 'static,
{
    type Held = UntilBodyHeld<SharedPermit<P>>;

    fn hold(self, permit: P, request: &mut Request<B>) -> Self::Held {
        UntilBodyHeld::new(SharedPermit::share(permit, request), request)
    }
}

/// A permit that others can hold, too.
#[derive(Debug)]
#[expect(unnameable_types, reason = "only the service's future speaks of it")]
pub struct SharedPermit<P>(Arc<P>);

impl<P: Send + Sync + 'static> SharedPermit<P> {
    fn share<B>(permit: P, request: &mut Request<B>) -> Self {
        let permit = Arc::new(permit);
        let handle = PermitHandle::new(&permit, request.extensions().get());
        request.extensions_mut().insert(handle);
        Self(permit)
    }
}

impl<P: Held> Held for SharedPermit<P> {
    type Door = P::Door;

    fn door(&self) -> &P::Door {
        self.0.door()
    }

    fn is_exempt(&self) -> bool {
        self.0.is_exempt()
    }
}

impl<P: Held, Response> Keep<Response> for SharedPermit<P> {
    type Response = Response;

    fn keep(&mut self, response: Response) -> Response {
        response
    }

    fn without(response: Response) -> Response {
        response
    }
}
