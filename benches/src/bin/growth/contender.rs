use inflight_benches::calls::{Calling, repeated};
use inflight_benches::hand_over::steady;
use inflight_benches::ours::{concurrency_limit, priority_queue};
use inflight_benches::peers::{bulkhead, load_shed, priority_semaphore, stock, tower_acc};
use inflight_benches::{Priorities, Subject};

/// Whose cost is drawn, and how.
#[derive(Clone, Copy)]
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    /// The class of its curve in the style sheet of the chart.
    pub(crate) class: &'static str,
    pub(crate) make: fn(usize) -> Subject,
}

/// Whoever has callers wait.
pub(crate) const HAND_OVER: [Contender; 6] = [
    Contender {
        name: "bulkhead",
        class: "bulkhead",
        make: |waiting| steady(bulkhead::line(), waiting, Priorities::One),
    },
    Contender {
        name: "tower-acc",
        class: "acc",
        make: |waiting| steady(tower_acc::line(), waiting, Priorities::One),
    },
    Contender {
        name: "priority-semaphore, 10 priorities",
        class: "semaphore",
        make: |waiting| steady(priority_semaphore::line(), waiting, Priorities::Ten),
    },
    Contender {
        name: "tower",
        class: "tower",
        make: |waiting| steady(stock::line(), waiting, Priorities::One),
    },
    Contender {
        name: "tower-inflight, 10 priorities",
        class: "ours second",
        make: |waiting| steady(priority_queue::line(usize::MAX), waiting, Priorities::Ten),
    },
    Contender {
        name: "tower-inflight",
        class: "ours",
        make: |waiting| steady(concurrency_limit::line(), waiting, Priorities::One),
    },
];

/// Whoever turns callers away while others wait.
pub(crate) const REJECTION: [Contender; 3] = [
    Contender {
        name: "tower, load-shed",
        class: "tower",
        make: |waiting| {
            let (service, held) = load_shed::full(waiting);
            repeated(service, Calling::Cloned).keeping(held)
        },
    },
    Contender {
        name: "tower-inflight, by priority",
        class: "ours second",
        make: |waiting| {
            let (service, held) = priority_queue::full(waiting);
            repeated(service, Calling::Cloned).keeping(held)
        },
    },
    Contender {
        name: "tower-inflight",
        class: "ours",
        make: |waiting| {
            let (service, held) = concurrency_limit::full(waiting);
            repeated(service, Calling::Cloned).keeping(held)
        },
    },
];
