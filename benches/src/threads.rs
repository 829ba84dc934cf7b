//! The same operation on several threads at once.

use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use tower::Service;

use crate::calls::{Calling, call};
use crate::clock::timed;
use crate::inner::Request;
use crate::subject::Subject;

/// Has each of `threads` threads call its own clone of `service`.
///
/// A run counts the operations of one thread, and takes as long as its slowest thread.
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

/// Starts the threads together, and returns how long the slowest took.
pub(crate) fn on_each<O, T>(threads: u32, times: u64, operation: impl Fn() -> O) -> Duration
where
    O: FnMut() -> T + Send,
{
    let start = Barrier::new(threads as usize);
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|_| {
                let (start, operation) = (&start, operation());
                scope.spawn(move || repeat(times, start, operation))
            })
            .collect();
        let took = running.into_iter().map(thread::ScopedJoinHandle::join);
        let took = took.map(|took| took.expect("an operation does not panic"));
        took.max().unwrap_or_default()
    })
}

fn repeat<T>(times: u64, start: &Barrier, mut operation: impl FnMut() -> T) -> Duration {
    start.wait();
    timed(|| {
        for _ in 0..times {
            black_box(operation());
        }
    })
}
