use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::{Body, Frame, SizeHint};
use pin_project::pin_project;

use crate::Permit;

/// A body that holds the permit of its request until it has ended, failed or
/// been dropped.
///
/// The wrapped body goes first, and then the permit: when somebody else is
/// admitted, whatever the body had in hand is free. What it says of its size
/// and its end is passed on, so that a server frames it as it would without.
#[pin_project]
pub struct PermitBody<B, P = Permit> {
    #[pin]
    state: State<B, P>,
}

/// The body stands first, and so is destroyed before the permit goes back.
#[pin_project(project = StateProjection)]
enum State<B, P> {
    Open {
        #[pin]
        body: B,
        /// `None` if it was never needed, or after a panic.
        permit: Option<P>,
    },
    Ended,
}

impl<B, P> PermitBody<B, P> {
    /// Wraps a body that holds nothing, as that of a response to a rejection.
    pub fn without_permit(body: B) -> Self {
        Self::open(body, None)
    }

    pub(super) fn with_permit(body: B, permit: P) -> Self {
        Self::open(body, Some(permit))
    }

    fn open(body: B, permit: Option<P>) -> Self {
        Self {
            state: State::Open { body, permit },
        }
    }
}

impl<B: Body, P> Body for PermitBody<B, P> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let mut state = self.project().state;
        let StateProjection::Open { mut body, permit } = state.as_mut().project() else {
            return Poll::Ready(None);
        };
        // If the body panics, the permit goes back at that moment.
        let held = permit.take();
        let polled = body.as_mut().poll_frame(cx);
        // A server may not ask again once it knows that nothing will come.
        let is_over = match &polled {
            Poll::Pending => false,
            Poll::Ready(Some(Ok(frame))) => frame.is_trailers() || body.is_end_stream(),
            Poll::Ready(_) => true,
        };
        *permit = held;

        if is_over {
            state.set(State::Ended);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.state.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        match &self.state {
            State::Open { body, .. } => body.size_hint(),
            State::Ended => SizeHint::with_exact(0),
        }
    }
}

impl<B: Body, P> State<B, P> {
    fn is_end_stream(&self) -> bool {
        match self {
            Self::Open { body, .. } => body.is_end_stream(),
            Self::Ended => true,
        }
    }
}

impl<B: Default, P> Default for PermitBody<B, P> {
    fn default() -> Self {
        Self::without_permit(B::default())
    }
}

impl<B: From<&'static str>, P> From<&'static str> for PermitBody<B, P> {
    fn from(text: &'static str) -> Self {
        Self::without_permit(B::from(text))
    }
}

impl<B: From<String>, P> From<String> for PermitBody<B, P> {
    fn from(text: String) -> Self {
        Self::without_permit(B::from(text))
    }
}

impl<B: From<Vec<u8>>, P> From<Vec<u8>> for PermitBody<B, P> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::without_permit(B::from(bytes))
    }
}

impl<B: fmt::Debug, P> fmt::Debug for PermitBody<B, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.state {
            State::Open { body, .. } => f.debug_tuple("PermitBody").field(body).finish(),
            State::Ended => f.write_str("PermitBody"),
        }
    }
}
