//! What a waiting caller weighs.

use crate::line::Line;
use crate::places::Places;

/// The bytes a waiting caller takes: its future, and its share of the heap.
///
/// `measure` runs what it is given and says how many bytes of heap are left allocated after it. It
/// is passed in since counting needs an allocator that counts, which would slow what is timed.
#[expect(
    clippy::cast_precision_loss,
    reason = "memory has far fewer than 2^52 bytes"
)]
pub fn bytes_per_caller<L: Line>(
    line: &L,
    waiting: usize,
    measure: impl FnOnce(&mut dyn FnMut()) -> i64,
) -> f64 {
    let held = line.hold();
    let mut callers = Places::new(waiting);
    let heap = measure(&mut || {
        for place in 0..waiting {
            callers.enter(place, line.join(0));
        }
    });
    drop(callers);
    drop(held);
    let future = size_of::<L::Caller>() as f64;
    future + heap as f64 / waiting as f64
}
