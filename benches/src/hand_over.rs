//! A permit goes from one caller to the next in the line.

use crate::line::Line;
use crate::order::{Next, Order, Priorities};
use crate::places::Places;
use crate::subject::Subject;

/// Keeps `waiting` callers in the line, at least two; an operation is one hand-over.
///
/// That is: the caller who was granted the permit is polled and done, which grants it to the next,
/// and a new caller joins the line. So arrival, grant and departure are all in the time.
pub fn steady<L: Line>(line: L, waiting: usize, priorities: Priorities) -> Subject {
    let held = line.hold();
    let mut callers = Places::new(waiting);
    let mut order = Order::new(waiting, priorities, Next::OldestOfHighest, |step| {
        callers.enter(step.place, line.join(step.priority));
    });
    drop(held);
    Subject::stepwise(
        move || order.step(),
        move |step| {
            callers.serve(step.place);
            callers.enter(step.place, line.join(step.priority));
        },
    )
    .settled(waiting)
}
