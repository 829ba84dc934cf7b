//! Calls that end on several threads at the same moment.

use std::sync::Barrier;
use std::thread;

use tokio::runtime::{self, Handle, Runtime};
use tokio::time::advance;
use tower_inflight::algorithm::Evaluation;
use tower_inflight::{AdaptiveAimdLayer, Limiter, Outcome, Permit};

use crate::house::SECOND;

/// Has `threads` threads end a call each at every window's edge, `windows`
/// times, and looks at the decision after each.
fn race(
    limiter: &Limiter,
    (threads, windows): (usize, usize),
    outcome: Outcome,
    mut check: impl FnMut(Option<Evaluation>),
) {
    let runtime = paused();
    let (start, end) = (Barrier::new(threads + 1), Barrier::new(threads + 1));
    thread::scope(|scope| {
        for _ in 0..threads {
            let (clock, start, end) = (runtime.handle(), &start, &end);
            scope.spawn(move || {
                let _clock = Handle::enter(clock);
                for _ in 0..windows {
                    let permit = limiter.try_acquire().ok().map(Permit::measured);
                    start.wait();
                    if let Some(permit) = permit {
                        permit.finish(outcome);
                    }
                    end.wait();
                }
            });
        }
        for _ in 0..windows {
            start.wait();
            end.wait();
            check(limiter.adaptation().unwrap().last);
            runtime.block_on(advance(SECOND));
        }
    });
}

fn paused() -> Runtime {
    let mut builder = runtime::Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().unwrap()
}

/// Any latency will do: a second may pass while a thread takes its permit.
fn limiter(limit: usize) -> Limiter {
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(limit)
        .max_limit(limit)
        .latency_tolerance(f64::MAX);
    layer.build().unwrap().limiter()
}

// K118, F143
#[test]
fn a_window_is_evaluated_once_and_loses_no_sample() {
    for (threads, windows) in [(8, 10_000), (64, 200)] {
        let limiter = limiter(threads);
        let (mut evaluations, mut samples) = (0, 0);
        race(&limiter, (threads, windows), Outcome::Success, |last| {
            assert_eq!(last.map_or(0, |last| last.number), evaluations);
            if let Some(last) = last {
                samples += last.window.successes;
            }
            evaluations += 1;
        });
        // The first call at an edge closes the window; the others, and the
        // first window's all, are in the next.
        let closed = u64::try_from(threads * (windows - 1) + 1).unwrap();
        assert_eq!(samples, closed);
        assert_eq!(limiter.snapshot().in_flight, 0);
    }
}

// K118
#[test]
fn racing_failures_cut_once_a_window_and_never_below_the_least() {
    let limiter = limiter(64);
    let mut expected = [64, 57, 51, 45, 40, 36, 32, 28, 25, 22].into_iter();
    race(&limiter, (64, 10), Outcome::Overload, |_| {
        let limit = expected.next().unwrap();
        assert_eq!(limiter.snapshot().limit, limit);
        assert_eq!(limiter.adaptation().unwrap().limit, limit);
    });
    race(&limiter, (64, 40), Outcome::Overload, |_| {
        let snapshot = limiter.snapshot();
        assert!((1..=64).contains(&snapshot.limit));
    });
    assert_eq!(limiter.snapshot().limit, 1);
    assert_eq!(limiter.snapshot().in_flight, 0);
}
