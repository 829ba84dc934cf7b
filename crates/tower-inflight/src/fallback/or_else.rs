use std::pin::Pin;
use std::task::{Context, Poll};

use tower_service::Service;

use super::Rejected;
use super::diverted::Diverted;
use crate::Rejection;
use crate::overflow::{Diverts, Overflow};

/// A call that is turned away goes to a fallback.
#[derive(Clone, Copy, Debug)]
#[expect(unnameable_types, reason = "only the service's future speaks of it")]
pub struct OrElse<F>(pub(super) F);

impl<F, Request> Overflow<Request> for OrElse<F>
where
    F: Service<Rejected<Request>>,
{
    const DIVERTS: bool = true;

    type Kept = (F, Request);
    type Call = Diverted<F, Rejected<Request>>;

    fn keep(self, request: Request) -> Self::Kept {
        (self.0, request)
    }

    fn divert(
        (fallback, request): Self::Kept,
        rejection: Rejection,
    ) -> Result<Self::Call, Rejection> {
        Ok(Diverted::new(fallback, Rejected::new(request, rejection)))
    }
}

impl<F, Request> Diverts<Request, F::Response, F::Error> for OrElse<F>
where
    F: Service<Rejected<Request>>,
{
    fn poll(
        call: Pin<&mut Self::Call>,
        cx: &mut Context<'_>,
    ) -> Poll<Result<F::Response, F::Error>> {
        call.poll(cx)
    }
}
