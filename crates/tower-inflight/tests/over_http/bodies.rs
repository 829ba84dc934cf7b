use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame};
use http_body_util::{BodyExt, StreamBody};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_test::task::spawn;

pub(crate) type Piece = Result<Frame<Bytes>, io::Error>;
type Polled<B> = Poll<Option<Result<Frame<<B as Body>::Data>, <B as Body>::Error>>>;
pub(crate) type Pieces = StreamBody<UnboundedReceiverStream<Piece>>;

/// A body of whatever the test sends, until it drops the sender.
pub(crate) fn pieces() -> (UnboundedSender<Piece>, Pieces) {
    let (sender, receiver) = unbounded_channel();
    (
        sender,
        StreamBody::new(UnboundedReceiverStream::new(receiver)),
    )
}

pub(crate) fn data() -> Frame<Bytes> {
    Frame::data(Bytes::from_static(b"row"))
}

/// Polls it once.
pub(crate) fn poll<B: Body + Unpin>(body: &mut B) -> Polled<B> {
    spawn(body.frame()).poll()
}

/// A body that does `on_poll` when it is asked, and `on_drop` when it is gone.
pub(crate) struct Watched<P: Fn(), D: Fn()> {
    pub(crate) on_poll: P,
    pub(crate) on_drop: D,
}

impl<P: Fn(), D: Fn()> Body for Watched<P, D> {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Piece>> {
        (self.on_poll)();
        Poll::Ready(None)
    }
}

impl<P: Fn(), D: Fn()> Drop for Watched<P, D> {
    fn drop(&mut self) {
        (self.on_drop)();
    }
}
