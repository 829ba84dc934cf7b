use inflight_core::Outcome;

use crate::clock::Moment;
use crate::door::{Door, Held, Pass};
use crate::hold::{Hold, Keep};
use crate::lease::{Completes, Lease, Terms};
use crate::reports::{Phase, Since};

/// The terms of a fixed limit, which needs to know only that a call is over.
#[derive(Clone, Copy, Debug, Default)]
#[expect(unnameable_types, reason = "only the services speak of it")]
pub struct Unmeasured<H>(pub(crate) H);

/// What a call under a fixed limit holds while it runs.
#[derive(Debug)]
#[expect(unnameable_types, reason = "only the services speak of it")]
pub struct Tenure<H: Held> {
    held: H,
    /// `None` once the work has ended, or if nobody collects how long it takes.
    since: Option<Since>,
}

impl<H: Held> Tenure<H> {
    #[inline]
    pub(crate) fn begin(held: H) -> Self {
        let since = if held.is_exempt() {
            None
        } else {
            held.door().reports().since(Moment::now)
        };
        Self { held, since }
    }

    /// Says how the work has ended.
    #[inline]
    pub(crate) fn note(&mut self, outcome: Outcome) {
        if let Some(since) = self.since.take() {
            self.held.door().reports().worked(since, outcome);
        }
    }

    pub(crate) fn held(&self) -> &H {
        &self.held
    }
}

impl<Request, P, H> Terms<Request, P> for Unmeasured<H>
where
    P: Pass,
    H: Hold<Request, P>,
{
    type Lease = Tenure<H::Held>;

    #[inline]
    fn begin(self, permit: P, request: &mut Request) -> Tenure<H::Held> {
        Tenure::begin(self.0.hold(permit, request))
    }
}

impl<H: Held> Lease for Tenure<H> {
    #[inline]
    fn broken(&mut self) {
        self.note(Outcome::Overload);
    }
}

impl<H, Response, Error> Completes<Response, Error> for Tenure<H>
where
    H: Keep<Response>,
{
    type Response = H::Response;

    #[inline]
    fn completed(&mut self, result: Result<Response, Error>) -> Result<H::Response, Error> {
        self.note(match result {
            Ok(_) => Outcome::Success,
            Err(_) => Outcome::Overload,
        });
        result.map(|response| self.held.keep(response))
    }

    #[inline]
    fn without(response: Response) -> H::Response {
        H::without(response)
    }
}

impl<H: Held> Drop for Tenure<H> {
    #[inline]
    fn drop(&mut self) {
        if let Some(since) = self.since.take() {
            self.held.door().reports().cancelled(since, Phase::Running);
        }
    }
}
