/// What a closure took from the allocator of its thread.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct Allocations {
    /// How often memory was taken; growing a block counts once more.
    pub count: u64,
    /// The bytes taken, growths in full.
    pub bytes: u64,
    /// Blocks taken and not given back; negative where older ones were given
    /// back.
    pub retained: i64,
    /// Bytes taken and not given back; negative where older ones were given
    /// back.
    pub retained_bytes: i64,
}

/// Runs `action` and counts what it allocates on this thread.
///
/// A poll of a future counts like anything else; what other threads do
/// meanwhile does not. Calls may be nested 60 deep, and the outer ones count
/// what the inner ones did.
///
/// ```
/// use inflight_test::count_allocations;
///
/// let (text, allocations) = count_allocations(|| String::from("kept"));
/// assert_eq!(text, "kept");
/// assert_eq!((allocations.count, allocations.retained_bytes), (1, 4));
/// ```
///
/// # Panics
///
/// If `action` does, which costs the thread one level of nesting.
pub fn count_allocations<R>(action: impl FnOnce() -> R) -> (R, Allocations) {
    let mut output = None;
    let info = allocation_counter::measure(|| output = Some(action()));
    let allocations = Allocations {
        count: info.count_total,
        bytes: info.bytes_total,
        retained: info.count_current,
        retained_bytes: info.bytes_current,
    };
    (output.expect("the action has run"), allocations)
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::hint::black_box;
    use std::sync::{Arc, Barrier};
    use std::task::Poll;
    use std::thread;

    use super::*;
    use crate::Task;

    fn count(action: impl FnOnce()) -> u64 {
        count_allocations(action).1.count
    }

    #[test]
    fn nothing_is_counted_where_nothing_is_allocated() {
        let mut number = 1;
        assert_eq!(count(|| number = black_box(number) + 1), 0);
    }

    #[test]
    fn the_outer_count_holds_the_inner_one() {
        let mut inner = 0;
        let outer = count(|| {
            drop(black_box(Box::new(1)));
            inner = count(|| drop(black_box(vec![1, 2])));
        });
        assert_eq!((outer, inner), (2, 1));
    }

    #[test]
    fn each_poll_is_counted_by_itself() {
        let mut stored = Vec::new();
        let mut task = Task::new(poll_fn(move |_| {
            stored.push(Box::new(stored.len()));
            if stored.len() < 2 {
                Poll::Pending
            } else {
                Poll::Ready(stored.len())
            }
        }));
        // The vector and the box, then the box alone.
        assert_eq!(count(|| task.expect_pending()), 2);
        assert_eq!(count_allocations(|| task.expect_ready()).0, 2);
        // The two boxes, the vector, the future, and the counter.
        assert_eq!(count_allocations(|| drop(task)).1.retained, -5);
    }

    #[test]
    fn other_threads_are_not_counted() {
        let start = Arc::new(Barrier::new(2));
        let thread = thread::spawn({
            let start = Arc::clone(&start);
            move || {
                start.wait();
                black_box(vec![1_u8; 100])
            }
        });
        let mut bytes = 0;
        let ((), allocations) = count_allocations(|| {
            start.wait();
            bytes = thread.join().unwrap().len();
        });
        assert_eq!((bytes, allocations.bytes), (100, 0));
    }
}
