use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Where waiting callers live: one allocation each, made once and used again.
#[derive(Debug)]
pub(crate) struct Places<F>(Vec<Pin<Box<Option<F>>>>);

impl<F: Future> Places<F> {
    /// Makes `count` empty places.
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count).map(|_| Box::pin(None)).collect())
    }

    /// Puts `caller` into an empty place and has it take its place in the line.
    #[inline]
    pub(crate) fn enter(&mut self, place: usize, caller: F) {
        self.0[place].set(Some(caller));
        assert!(self.poll(place).is_pending(), "a caller waits in the line");
    }

    /// Polls the caller at `place`, who must be due, and lets it go.
    #[inline]
    pub(crate) fn serve(&mut self, place: usize) {
        assert!(self.poll(place).is_ready(), "it is this caller's turn");
        self.leave(place);
    }

    /// Drops the caller at `place`.
    #[inline]
    pub(crate) fn leave(&mut self, place: usize) {
        self.0[place].set(None);
    }

    #[inline]
    fn poll(&mut self, place: usize) -> Poll<F::Output> {
        let caller = self.0[place].as_mut().as_pin_mut();
        caller
            .expect("only occupied places are polled")
            .poll(&mut Context::from_waker(Waker::noop()))
    }
}
