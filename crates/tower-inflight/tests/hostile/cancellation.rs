//! A call is dropped wherever it may stand, after any number of polls.

use std::task::Poll;
use std::time::Duration;

use inflight_test::{Script, ScriptedService, Task, Work};
use tower::{Layer, Service};
use tower_inflight::builder::ConcurrencyLimitBuilder;
use tower_inflight::future::ResponseFuture;
use tower_inflight::{ConcurrencyLimit, ConcurrencyLimitLayer, Limiter, Permit};

use crate::wreck::{expect, expect_whole};

type Inner = ScriptedService<u32, u32, &'static str>;
type Call = Task<ResponseFuture<Inner, u32>>;

struct Setup {
    script: Script<u32, u32, &'static str>,
    service: ConcurrencyLimit<Inner>,
    limiter: Limiter,
    held: Option<Permit>,
}

impl Setup {
    fn new(builder: ConcurrencyLimitBuilder) -> Self {
        let script = Script::new();
        let service = builder.build().unwrap().layer(script.service());
        let limiter = service.limiter();
        Self {
            script,
            service,
            limiter,
            held: None,
        }
    }

    fn call(&mut self) -> Call {
        Task::new(self.service.call(1))
    }

    /// A call that waits behind a permit which is held.
    fn queue(&mut self) -> Call {
        self.held = Some(self.limiter.try_acquire().unwrap());
        let mut call = self.call();
        call.expect_pending();
        call
    }

    fn grant(&mut self) -> Call {
        let call = self.queue();
        self.held = None;
        assert!(call.is_woken());
        call
    }
}

/// Brings a call to where it is to be dropped.
type Stage = fn(&mut Setup) -> Call;

const STAGES: [(&str, Stage); 9] = [
    ("admitted", Setup::call),
    ("queued", Setup::queue),
    ("granted", Setup::grant),
    ("made ready", |setup| {
        setup.script.set_ready_at_once(0);
        let mut call = setup.call();
        call.expect_pending();
        call
    }),
    ("made ready after it has waited", |setup| {
        setup.script.set_ready_at_once(0);
        let mut call = setup.grant();
        call.expect_pending();
        call
    }),
    ("about to be ready", |setup| {
        setup.script.set_ready_at_once(0);
        let mut call = setup.call();
        call.expect_pending();
        setup.script.set_ready_at_once(1);
        call
    }),
    ("at work", |setup| {
        let mut call = setup.call();
        call.expect_pending();
        call
    }),
    ("at work after it has waited", |setup| {
        let mut call = setup.grant();
        call.expect_pending();
        call
    }),
    ("done", |setup| {
        let mut call = setup.call();
        call.expect_pending();
        setup.script.work().finish(0, Ok(1));
        call
    }),
];

fn one_and_two() -> ConcurrencyLimitBuilder {
    ConcurrencyLimitLayer::builder()
        .max_concurrency(1)
        .queue_limit(2)
}

/// Polls so many times, or until it is ready.
fn poll(call: &mut Call, times: usize) {
    let _ = (0..times).find(|_| call.poll().is_ready());
}

// F5
#[tokio::test(start_paused = true)]
async fn nothing_is_lost_wherever_a_call_is_dropped() {
    for polls in 0..=20 {
        for (_, stage) in STAGES {
            let timed = one_and_two().queue_timeout(Duration::from_secs(1));
            for builder in [one_and_two(), timed] {
                let mut setup = Setup::new(builder);
                let mut call = stage(&mut setup);
                poll(&mut call, polls);
                drop(call);
                setup.held = None;
                expect_whole(&setup.limiter);
                let counts = setup.script.readiness_counts();
                assert_eq!((counts.reserved, counts.waiting), (0, 0));
            }
        }
    }
}

#[test]
fn whoever_stands_behind_is_served_wherever_a_call_is_dropped() {
    for polls in 0..=20 {
        for (at, stage) in STAGES {
            let mut setup = Setup::new(one_and_two());
            let mut call = stage(&mut setup);
            let mut behind = setup.call();
            behind.expect_pending();
            poll(&mut call, polls);
            drop(call);
            setup.held = None;
            assert!(behind.is_woken(), "{at}, {polls} polls");
            setup.script.set_ready_at_once(1);
            behind.expect_pending();
            expect(&setup.limiter, 1, 0);
            drop(behind);
            expect_whole(&setup.limiter);
        }
    }
}

// F5
#[test]
fn nothing_is_lost_wherever_a_rejection_is_dropped() {
    for polls in 0..=20 {
        let work = Work::new();
        let hook = work.clone();
        let builder = ConcurrencyLimitLayer::builder()
            .max_concurrency(1)
            .on_rejected_async(move |_| hook.start());
        let mut setup = Setup::new(builder);
        let held = setup.limiter.try_acquire().unwrap();
        let mut call = setup.call();
        for poll in 0..polls {
            if poll == 10 {
                work.finish(0, ());
                assert!(matches!(call.poll(), Poll::Ready(Err(_))));
                break;
            }
            call.expect_pending();
        }
        drop(call);
        assert_eq!(work.counts().alive, 0);
        expect(&setup.limiter, 1, 0);
        drop(held);
        expect_whole(&setup.limiter);
    }
}

#[test]
fn nothing_is_lost_wherever_a_handle_s_future_is_dropped() {
    for polls in 0..=20 {
        let limiter = Limiter::queued(1, 2);
        let work: Work<()> = Work::new();
        let mut running = Task::new(limiter.run(work.start()));
        let mut waiting = Task::new(limiter.run(work.start()));
        let mut acquiring = Task::new(limiter.acquire());
        for _ in 0..polls {
            running.expect_pending();
            waiting.expect_pending();
            acquiring.expect_pending();
        }
        drop(running);
        expect(&limiter, 1, 1);
        drop(waiting);
        expect(&limiter, 1, 0);
        drop(acquiring);
        assert_eq!(work.counts().alive, 0);
        expect_whole(&limiter);
    }
}
