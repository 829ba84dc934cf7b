use std::time::Duration;

use inflight_core::{GateOptions, Ticket};

/// One that stands in the model's line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller<N> {
    pub(crate) id: usize,
    pub(crate) name: N,
    pub(crate) priority: i32,
    pub(crate) weight: usize,
    /// The end of time if nobody will ask.
    pub(crate) since: u64,
    pub(crate) deadline: Option<u64>,
}

impl<N> Caller<N> {
    pub(crate) fn new(id: usize, name: N, ticket: Ticket, options: &GateOptions, now: u64) -> Self {
        let patience = [ticket.max_wait(), options.queue_timeout];
        let patience = patience.into_iter().flatten().min();
        let deadline = patience.and_then(|patience| deadline(now, patience));
        Self {
            id,
            name,
            priority: if options.by_priority {
                ticket.priority()
            } else {
                0
            },
            weight: ticket.weight() as usize,
            since: if options.measure_waits || deadline.is_some() {
                now
            } else {
                u64::MAX
            },
            deadline,
        }
    }

    pub(crate) fn is_late(&self, now: u64) -> bool {
        self.deadline.is_some_and(|deadline| now >= deadline)
    }
}

/// None from the last nanosecond of the clock on, which never comes.
fn deadline(now: u64, patience: Duration) -> Option<u64> {
    let deadline = u128::from(now) + patience.as_nanos();
    u64::try_from(deadline)
        .ok()
        .filter(|deadline| *deadline < u64::MAX)
}
