use std::ops::Range;
use std::time::{Duration, Instant};

/// Does `work` and says how long it took.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let Range { start, end } = span(work);
    end - start
}

/// Does `work` and says from when to when: the one clock of the harness.
///
/// The monotonic clock is not mocked anywhere here, since the time that really
/// passes is what is being asked.
///
/// Never inlined: who counts instructions counts those in here.
#[expect(
    clippy::disallowed_methods,
    reason = "a measurement has no use for a clock that stands still"
)]
#[inline(never)]
pub(crate) fn span(work: impl FnOnce()) -> Range<Instant> {
    let start = Instant::now();
    work();
    start..Instant::now()
}
