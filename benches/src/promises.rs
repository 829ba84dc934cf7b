//! Everything that is timed, in the order of the design's table.

mod admission;
mod cancellation;
mod contention;
mod hand_over;
mod rejection;

use crate::promise::Promise;

/// All promises.
pub fn promises() -> impl Iterator<Item = Promise> {
    let hand_over = hand_over::in_order()
        .into_iter()
        .chain(hand_over::by_priority());
    admission::promises()
        .into_iter()
        .chain(rejection::promises())
        .chain(contention::promises())
        .chain(hand_over)
        .chain(cancellation::promises())
}
