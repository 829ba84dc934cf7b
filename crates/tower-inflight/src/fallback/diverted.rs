use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use pin_project::pin_project;
use tower_service::Service;

/// A call of a service that is made ready first.
#[pin_project(project = Projection)]
#[expect(unnameable_types, reason = "only the service's future speaks of it")]
pub enum Diverted<S: Service<Call>, Call> {
    /// The service is made ready; `call` is gone once it is called.
    Readying {
        /// What will be called.
        service: S,
        /// With what.
        call: Option<Call>,
    },
    /// The service is at work.
    Running {
        /// Its future.
        #[pin]
        call: S::Future,
    },
}

impl<S: Service<Call>, Call> Diverted<S, Call> {
    pub(super) fn new(service: S, call: Call) -> Self {
        Self::Readying {
            service,
            call: Some(call),
        }
    }
}

impl<S: Service<Call>, Call> Future for Diverted<S, Call> {
    type Output = Result<S::Response, S::Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            match self.as_mut().project() {
                Projection::Readying { service, call } => {
                    ready!(service.poll_ready(cx))?;
                    let call = call.take().expect("a panic ends the call");
                    let call = service.call(call);
                    self.set(Self::Running { call });
                }
                Projection::Running { call } => return call.poll(cx),
            }
        }
    }
}

impl<S: Service<Call>, Call> fmt::Debug for Diverted<S, Call> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Readying { .. } => "Readying",
            Self::Running { .. } => "Running",
        })
    }
}
