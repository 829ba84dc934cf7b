//! A caller takes the place of a lower one in a full line.

use std::mem;

use crate::line::Line;
use crate::order::{Next, Order, Priorities};
use crate::places::Places;
use crate::subject::Subject;

/// Has a line that is full with `waiting` callers evict one for each that arrives.
pub fn steady<L: Line>(line: L, waiting: usize, priorities: Priorities) -> Subject {
    let held = line.hold();
    let mut callers = Places::new(waiting + 1);
    let mut order = Order::new(waiting, priorities, Next::NewestOfLowest, |step| {
        callers.enter(step.place, line.join(step.priority));
    });
    let mut places: Vec<_> = (0..waiting).collect();
    let mut spare = waiting;
    Subject::stepwise(
        move || order.step(),
        move |step| {
            callers.enter(spare, line.join(step.priority));
            spare = mem::replace(&mut places[step.place], spare);
            callers.serve(spare);
        },
    )
    .settled(waiting)
    .keeping(held)
}

/// What it takes where the line does not evict: somebody who knows the newest of the lowest has it
/// leave, then the new one joins.
pub fn by_hand<L: Line>(line: L, waiting: usize, priorities: Priorities) -> Subject {
    let held = line.hold();
    let mut callers = Places::new(waiting);
    let mut order = Order::new(waiting, priorities, Next::NewestOfLowest, |step| {
        callers.enter(step.place, line.join(step.priority));
    });
    Subject::stepwise(
        move || order.step(),
        move |step| {
            callers.leave(step.place);
            callers.enter(step.place, line.join(step.priority));
        },
    )
    .settled(waiting)
    .keeping(held)
}
