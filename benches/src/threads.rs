//! The same operation on several threads at once.

use std::hint::{black_box, spin_loop};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tower::Service;

use crate::calls::{Calling, call};
use crate::clock::span;
use crate::inner::Request;
use crate::subject::Subject;

/// Has each of `threads` threads call its own clone of `service`.
///
/// A run counts the operations of one thread, and lasts until the slowest has done.
pub fn calling<S>(service: S, calling: Calling, threads: u32) -> Subject
where
    S: Service<Request> + Clone + Send + 'static,
{
    Subject::timed_inside(move |times| match calling {
        Calling::Cloned => on_each(threads, times, || {
            let service = service.clone();
            move || call(&mut service.clone())
        }),
        Calling::Reused => on_each(threads, times, || {
            let mut service = service.clone();
            move || call(&mut service)
        }),
    })
}

/// Starts the threads together, and returns the time from the first one's start to the last one's
/// end.
pub(crate) fn on_each<O, T>(threads: u32, times: u64, operation: impl Fn() -> O) -> Duration
where
    O: FnMut() -> T + Send,
{
    let missing = AtomicU32::new(threads);
    let ran: Vec<_> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|_| {
                let (missing, operation) = (&missing, operation());
                scope.spawn(move || repeat(times, missing, operation))
            })
            .collect();
        let ran = running.into_iter().map(thread::ScopedJoinHandle::join);
        ran.map(|ran| ran.expect("an operation does not panic"))
            .collect()
    });
    let first = ran.iter().map(|span| span.start).min();
    let last = ran.iter().map(|span| span.end).max();
    last.zip(first)
        .map(|(last, first)| last - first)
        .unwrap_or_default()
}

/// Spins until all are there: threads that are woken from a sleep often share one processor for a
/// while, and would run one after the other instead of at once.
fn repeat<T>(times: u64, missing: &AtomicU32, mut operation: impl FnMut() -> T) -> Range<Instant> {
    missing.fetch_sub(1, Ordering::Relaxed);
    while missing.load(Ordering::Relaxed) > 0 {
        spin_loop();
    }
    span(|| {
        for _ in 0..times {
            black_box(operation());
        }
    })
}
