use std::time::Duration;

use inflight_test::{Script, ScriptedService, Task};
use tower::{Layer, Service};
use tower_inflight::future::{Measuring, ResponseFuture};
use tower_inflight::{
    Adaptive, AdaptiveAimdLayer, AdaptiveLayer, AimdOptions, Limiter, Reason, Rejection,
};

pub(crate) type Inner = ScriptedService<u32, u32, &'static str>;
pub(crate) type Call = Task<ResponseFuture<Inner, u32, Measuring<()>>>;

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) const SECOND: Duration = ms(1_000);

/// A layer over a scripted service, whose calls end on command.
pub(crate) struct House {
    pub(crate) script: Script<u32, u32, &'static str>,
    pub(crate) service: Adaptive<Inner>,
    pub(crate) limiter: Limiter,
}

impl House {
    pub(crate) fn new(layer: &AdaptiveLayer) -> Self {
        let script = Script::new();
        let service = layer.layer(script.service());
        let limiter = layer.limiter();
        Self {
            script,
            service,
            limiter,
        }
    }

    pub(crate) fn aimd(layer: &AdaptiveAimdLayer) -> Self {
        let script = Script::new();
        let service = layer.layer(script.service());
        let limiter = layer.limiter();
        Self {
            script,
            service,
            limiter,
        }
    }

    /// The plain rule from `initial_limit` on, halving, without a line.
    pub(crate) fn halving(initial_limit: usize) -> Self {
        Self::aimd(&halving(initial_limit))
    }

    /// Begins a call, which has to be admitted.
    #[track_caller]
    pub(crate) fn begin(&mut self) -> Call {
        let started = self.started();
        let mut call = Task::new(self.service.call(0));
        call.expect_pending();
        assert_eq!(self.started(), started + 1, "it was not admitted");
        call
    }

    /// Begins `count` calls.
    #[track_caller]
    pub(crate) fn begin_all(&mut self, count: usize) -> Vec<Call> {
        (0..count).map(|_| self.begin()).collect()
    }

    /// Ends the call that was the `job`-th to start.
    #[track_caller]
    pub(crate) fn end(&self, job: usize, call: &mut Call, result: Result<u32, &'static str>) {
        self.script.work().finish(job, result);
        match (call.expect_ready(), result) {
            (Ok(response), Ok(expected)) => assert_eq!(response, expected),
            (Err(error), Err(expected)) => assert_eq!(error.into_service().unwrap(), expected),
            (got, expected) => panic!("{expected:?} became {got:?}"),
        }
    }

    /// Makes a call that ends at once.
    #[track_caller]
    pub(crate) fn call(&mut self, result: Result<u32, &'static str>) {
        let job = self.started();
        let mut call = self.begin();
        self.end(job, &mut call, result);
    }

    #[track_caller]
    pub(crate) fn succeed(&mut self) {
        self.call(Ok(44));
    }

    #[track_caller]
    pub(crate) fn fail(&mut self) {
        self.call(Err("failed"));
    }

    /// Makes a call that has to be rejected at once.
    #[track_caller]
    pub(crate) fn expect_rejected(&mut self) -> Rejection {
        let error = Task::new(self.service.call(0)).expect_ready();
        let rejection = *error
            .expect_err("it has to be rejected")
            .rejection()
            .unwrap();
        assert_eq!(rejection.reason(), Reason::LimitReached);
        rejection
    }

    pub(crate) fn started(&self) -> usize {
        self.script.work().counts().started
    }

    pub(crate) fn limit(&self) -> usize {
        self.limiter.snapshot().limit
    }

    /// How many are in flight, and how many wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        let snapshot = self.limiter.snapshot();
        (snapshot.in_flight, snapshot.queued)
    }
}

pub(crate) fn halving(initial_limit: usize) -> AdaptiveAimdLayer {
    let options = AimdOptions {
        initial_limit,
        decrease_factor: 0.5,
        ..AimdOptions::default()
    };
    AdaptiveAimdLayer::builder()
        .options(options)
        .build()
        .unwrap()
}
