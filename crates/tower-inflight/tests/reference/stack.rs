use inflight_test::{Script, ScriptedService, Task};
use tower::{Layer, Service};
use tower_inflight::builder::ConcurrencyLimitBuilder;
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Error, Limiter, Reason};

pub(crate) type Inner = ScriptedService<u32, u32, &'static str>;
pub(crate) type Answer = Result<u32, Error<&'static str>>;

/// A limited service that does as it is told, and its limiter.
#[derive(Clone)]
pub(crate) struct Stack<S = ConcurrencyLimit<Inner>> {
    pub(crate) script: Script<u32, u32, &'static str>,
    pub(crate) service: S,
    pub(crate) limiter: Limiter,
}

impl Stack {
    pub(crate) fn new(max_concurrency: usize, queue_limit: usize) -> Self {
        let layer = ConcurrencyLimitLayer::queued(max_concurrency, queue_limit);
        Self::of(&layer, layer.limiter())
    }

    pub(crate) fn built(builder: ConcurrencyLimitBuilder) -> Self {
        let layer = builder.build().unwrap();
        Self::of(&layer, layer.limiter())
    }
}

impl<S> Stack<S>
where
    S: Service<u32, Response = u32, Error = Error<&'static str>>,
{
    pub(crate) fn of(layer: &impl Layer<Inner, Service = S>, limiter: Limiter) -> Self {
        let script = Script::new();
        let service = layer.layer(script.service());
        Self {
            script,
            service,
            limiter,
        }
    }

    /// A call that runs or waits.
    #[track_caller]
    pub(crate) fn call(&mut self, request: u32) -> Task<S::Future> {
        let mut call = Task::new(self.service.call(request));
        call.expect_pending();
        call
    }

    /// Why a call is rejected at once.
    #[track_caller]
    pub(crate) fn rejected(&mut self, request: u32) -> Reason {
        reason(Task::new(self.service.call(request)).expect_ready())
    }

    /// That exactly one runs and one waits, beyond which nothing fits.
    #[track_caller]
    pub(crate) fn expect_capacity_of_one_and_one(&mut self) {
        self.expect(0, 0);
        let running = self.call(0);
        let waiting = self.call(0);
        assert_eq!(self.rejected(0), Reason::QueueFull);
        self.expect(1, 1);
        drop((waiting, running));
        self.expect(0, 0);
    }
}

impl<S> Stack<S> {
    /// Ends the job of a call that runs.
    #[track_caller]
    pub(crate) fn finish(&self, job: usize, answer: Result<u32, &'static str>) {
        self.script.work().finish(job, answer);
    }

    #[track_caller]
    pub(crate) fn expect(&self, in_flight: usize, queued: usize) {
        let snapshot = self.limiter.snapshot();
        assert_eq!((snapshot.in_flight, snapshot.queued), (in_flight, queued));
    }
}

#[track_caller]
pub(crate) fn reason(answer: Answer) -> Reason {
    let error = answer.expect_err("it has to be rejected");
    error.rejection().expect("by the limiter").reason()
}
