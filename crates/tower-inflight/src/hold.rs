use crate::door::{Held, Pass};

/// How long a call holds its permit.
#[expect(
    unnameable_types,
    reason = "sealed: the types that say so are all there is"
)]
pub trait Hold<Request, P: Pass> {
    /// What a call that runs holds.
    type Held: Held<Door = P::Door>;

    /// Begins with the admission.
    fn hold(self, permit: P, request: &mut Request) -> Self::Held;
}

/// What a call that runs holds, and what its response takes along.
#[expect(
    unnameable_types,
    reason = "sealed: the types that say so are all there is"
)]
pub trait Keep<Response>: Held {
    /// The response, with the permit where it takes it along.
    type Response;

    /// Gives the permit to `response`, if it outlives the call by it; else it
    /// goes back with `self`.
    fn keep(&mut self, response: Response) -> Self::Response;

    /// The same for a response that has none to take along.
    fn without(response: Response) -> Self::Response;
}

/// A permit lives until the response is ready, or the call has failed or was
/// dropped.
///
/// A body that is still being sent then, or work that goes on in a task, is not
/// bounded by the limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct UntilResponse;

impl<Request, P: Pass> Hold<Request, P> for UntilResponse {
    type Held = P;

    #[inline]
    fn hold(self, permit: P, _: &mut Request) -> P {
        permit
    }
}
