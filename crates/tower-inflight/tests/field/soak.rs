//! Days of work, in as little time as it takes.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::task::Poll;

use inflight_test::{Task, Work};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::time::advance;
use tower_inflight::future::Acquire;
use tower_inflight::{Limiter, Permit, Ticket};

use crate::workshop::{expect, ms};

const LIMIT: usize = 2;
const EVENTS: usize = 200_000;

/// Whatever may happen at a limiter, at random.
struct Soak {
    limiter: Limiter,
    chance: StdRng,
    running: Vec<Permit>,
    waiting: Vec<Task<Acquire>>,
    served: usize,
    rejected: usize,
}

impl Soak {
    fn new(seed: u64) -> Self {
        let limiter = Limiter::builder()
            .max_concurrency(LIMIT)
            .queue_limit(32)
            .queue_timeout(ms(40))
            .use_priority_queue(true)
            .build()
            .unwrap();
        Self {
            limiter,
            chance: StdRng::seed_from_u64(seed),
            running: Vec::new(),
            waiting: Vec::new(),
            served: 0,
            rejected: 0,
        }
    }

    async fn event(&mut self) {
        match self.chance.random_range(0..100) {
            0..45 => self.arrive(),
            45..50 => self.waiting_one(drop),
            50..80 => self.end_one(drop),
            80..85 => self.end_one(|permit| {
                let panics = AssertUnwindSafe(|| {
                    let _permit = permit;
                    // Quietly, without the message of a panic.
                    resume_unwind(Box::new("work"));
                });
                assert!(catch_unwind(panics).is_err());
            }),
            _ => advance(ms(self.chance.random_range(1..5))).await,
        }
        self.poll_woken();
    }

    fn arrive(&mut self) {
        let ticket = Ticket::new()
            .with_priority(self.chance.random_range(-3..4))
            .with_max_wait(ms(self.chance.random_range(1..100)));
        let mut arrived = Task::new(self.limiter.acquire_with(ticket));
        if self.note(arrived.poll()) {
            self.waiting.push(arrived);
        }
    }

    fn waiting_one(&mut self, leave: impl FnOnce(Task<Acquire>)) {
        if !self.waiting.is_empty() {
            let at = self.chance.random_range(0..self.waiting.len());
            leave(self.waiting.swap_remove(at));
        }
    }

    fn end_one(&mut self, end: impl FnOnce(Permit)) {
        if !self.running.is_empty() {
            let at = self.chance.random_range(0..self.running.len());
            end(self.running.swap_remove(at));
        }
    }

    fn poll_woken(&mut self) {
        while let Some(at) = self.waiting.iter().position(Task::is_woken) {
            let answer = self.waiting[at].poll();
            if !self.note(answer) {
                self.waiting.swap_remove(at);
            }
        }
    }

    /// Whether it goes on waiting.
    fn note(&mut self, answer: Poll<<Acquire as Future>::Output>) -> bool {
        match answer {
            Poll::Pending => return true,
            Poll::Ready(Ok(permit)) => {
                self.served += 1;
                self.running.push(permit);
            }
            Poll::Ready(Err(_)) => self.rejected += 1,
        }
        false
    }

    fn check(&self) {
        let snapshot = self.limiter.snapshot();
        assert_eq!(snapshot.in_flight, self.running.len());
        assert_eq!(snapshot.queued, self.waiting.len());
        assert!(snapshot.in_flight <= LIMIT);
        assert!(snapshot.queued == 0 || snapshot.in_flight == LIMIT);
    }
}

// F65
#[tokio::test(start_paused = true)]
async fn a_limiter_is_never_stuck_however_long_it_runs() {
    let mut soak = Soak::new(65);
    for _ in 0..EVENTS {
        soak.event().await;
        soak.check();
    }
    let most = EVENTS / 100;
    assert!(soak.served > most && soak.rejected > most);
    soak.waiting.clear();
    soak.running.clear();
    expect(&soak.limiter, 0, 0);
}

// F53
#[test]
fn round_after_round_the_whole_capacity_is_there() {
    let limiter = Limiter::queued(3, 4);
    let work: Work<Result<(), ()>> = Work::new();
    for round in 0..32 {
        let mut calls: Vec<_> = (0..20)
            .map(|_| Task::new(limiter.run(work.start())))
            .collect();
        let pending: Vec<_> = calls.iter_mut().map(Task::poll).collect();
        let is_pending = |answer: &&Poll<_>| answer.is_pending();
        assert_eq!(pending.iter().filter(is_pending).count(), 7);
        expect(&limiter, 3, 4);
        for (job, mut call) in (round * 20..).zip(calls.drain(..7)) {
            let _ = call.poll();
            match job % 3 {
                0 => work.finish(job, Ok(())),
                1 => work.finish(job, Err(())),
                _ => continue,
            }
            assert!(call.expect_ready().is_ok());
        }
        expect(&limiter, 0, 0);
    }
}
