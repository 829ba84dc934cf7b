use std::fmt;
use std::mem;

use http::{Method, Request, Response, StatusCode};
use http_body::Body;

use super::{PermitBody, WithHandle};
use crate::door::{Held, Pass};
use crate::hold::{Hold, Keep};

/// A permit lives until the body of the response has ended, trailers included,
/// has failed, or was dropped.
///
/// ```
/// use axum::{Router, routing::get};
/// use tower_inflight::ConcurrencyLimitLayer;
/// use tower_inflight::http::{RespondLayer, UntilBody};
///
/// let limit = ConcurrencyLimitLayer::builder()
///     .max_concurrency(10)
///     .hold(UntilBody)
///     .build()?;
/// let app: Router = Router::new()
///     .route("/export", get(async || "row after row"))
///     .layer((RespondLayer::new(), limit));
/// # let _ = app;
/// # Ok::<(), tower_inflight::ConfigError>(())
/// ```
///
/// It is the right one where the work goes on while the body is sent: rows that
/// are fetched as they are written, events, a response passed through. But the
/// *client* then decides how long a permit is held: one that reads slowly, or
/// not at all and stays connected, keeps it from all the others. Bound the
/// sending itself, too (a timeout of the server or the proxy for writes), or
/// leave the permit to the work alone, by the default.
///
/// What has no body gives the permit back with the response: 101, 204, 304, the
/// answer to a HEAD request, and a body that is at its end from the start. A
/// websocket therefore is not bounded by it; see [`PermitHandle`].
///
/// What an adaptive limit learns, and what is measured, ends with the response
/// all the same. A body that is dropped early is no cancellation.
///
/// [`PermitHandle`]: super::PermitHandle
#[derive(Clone, Copy, Debug, Default)]
pub struct UntilBody;

impl UntilBody {
    /// Lets work that outlives even the body hold on to the permit; see
    /// [`PermitHandle`](super::PermitHandle).
    pub fn with_handle(self) -> WithHandle<Self> {
        WithHandle::new(self)
    }
}

impl<B, P: Pass> Hold<Request<B>, P> for UntilBody {
    type Held = UntilBodyHeld<P>;

    fn hold(self, permit: P, request: &mut Request<B>) -> Self::Held {
        UntilBodyHeld::new(permit, request)
    }
}

/// A permit on its way into a body.
#[expect(unnameable_types, reason = "only the service's future speaks of it")]
pub struct UntilBodyHeld<H: Held> {
    place: Place<H>,
    is_head: bool,
}

enum Place<H: Held> {
    Here(H),
    /// It went with the body. What is still to be done needs the rest.
    Gone {
        door: H::Door,
        is_exempt: bool,
    },
}

impl<H: Held> UntilBodyHeld<H> {
    pub(super) fn new<B>(held: H, request: &Request<B>) -> Self {
        Self {
            place: Place::Here(held),
            is_head: request.method() == Method::HEAD,
        }
    }

    /// What has to go along with the response, and is then no longer here.
    fn part(&mut self) -> Option<H> {
        let gone = Place::Gone {
            door: self.door().clone(),
            is_exempt: self.is_exempt(),
        };
        match mem::replace(&mut self.place, gone) {
            Place::Here(held) => Some(held),
            Place::Gone { .. } => None,
        }
    }
}

impl<H: Held> Held for UntilBodyHeld<H> {
    type Door = H::Door;

    fn door(&self) -> &H::Door {
        match &self.place {
            Place::Here(held) => held.door(),
            Place::Gone { door, .. } => door,
        }
    }

    fn is_exempt(&self) -> bool {
        match &self.place {
            Place::Here(held) => held.is_exempt(),
            Place::Gone { is_exempt, .. } => *is_exempt,
        }
    }
}

impl<B: Body, H: Held> Keep<Response<B>> for UntilBodyHeld<H> {
    type Response = Response<PermitBody<B, H>>;

    fn keep(&mut self, response: Response<B>) -> Self::Response {
        if self.is_head || is_bodiless(&response) {
            return Self::without(response);
        }
        match self.part() {
            Some(held) => response.map(|body| PermitBody::with_permit(body, held)),
            None => Self::without(response),
        }
    }

    fn without(response: Response<B>) -> Self::Response {
        response.map(PermitBody::without_permit)
    }
}

impl<H: Held> fmt::Debug for UntilBodyHeld<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UntilBodyHeld")
            .field("is_head", &self.is_head)
            .finish_non_exhaustive()
    }
}

/// Whether nothing will be sent after the head, whatever the body says.
fn is_bodiless<B: Body>(response: &Response<B>) -> bool {
    let headless = [
        StatusCode::SWITCHING_PROTOCOLS,
        StatusCode::NO_CONTENT,
        StatusCode::NOT_MODIFIED,
    ];
    headless.contains(&response.status()) || response.body().is_end_stream()
}
