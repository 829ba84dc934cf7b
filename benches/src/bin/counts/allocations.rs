use allocation_counter::measure;
use inflight_benches::calls::{Calling, repeated};
use inflight_benches::hand_over::steady;
use inflight_benches::ours::{concurrency_limit, priority_queue};
use inflight_benches::{Bar, Outcome, Priorities, ROOM, Subject, Unit};
use tokio::runtime;

/// What a call allocates.
pub(crate) fn outcomes(longest_line: usize) -> Vec<Outcome> {
    let (full, held) = concurrency_limit::full(0);
    let admitted = repeated(concurrency_limit::service(ROOM), Calling::Cloned);
    let rejected = repeated(full, Calling::Cloned).keeping(held);
    let mut outcomes = vec![
        outcome("allocations, admitted", 0.0, admitted),
        outcome("allocations, rejected", 0.0, rejected),
    ];
    for (question, priorities) in QUEUED {
        outcomes.push(queued(question, priorities.min(longest_line)));
    }
    outcomes.push(queued_with_timeout());
    outcomes
}

const QUEUED: [(&str, usize); 5] = [
    ("allocations, queued, 1 priority", 1),
    ("allocations, queued, 11 priorities", 11),
    ("allocations, queued, 12 priorities", 12),
    ("allocations, queued, 100 priorities", 100),
    ("allocations, queued, 100,000 priorities", 100_000),
];

/// As many callers as priorities, or a hundred of the only one.
fn queued(question: &str, priorities: usize) -> Outcome {
    let line = priority_queue::line(usize::MAX);
    let subject = match priorities {
        1 => steady(line, 100, Priorities::One),
        _ => steady(line, priorities, Priorities::Distinct),
    };
    outcome(question, 0.0, subject)
}

/// The timer of a caller who waits with a deadline is its one allocation.
fn queued_with_timeout() -> Outcome {
    let runtime = runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a runtime needs nothing that is not there");
    let _inside = runtime.enter();
    let subject = steady(
        concurrency_limit::line_with_deadlines(),
        100,
        Priorities::One,
    );
    outcome("allocations, queued, with a timeout", 1.0, subject)
}

fn outcome(question: &str, most: f64, mut subject: Subject) -> Outcome {
    // The first calls may still make room for the line, and do for the steps.
    subject.run(CALLS.into());
    let total = measure(|| {
        subject.run(CALLS.into());
    })
    .count_total;
    let allocations = f64::from(u32::try_from(total).expect("few allocations")) / f64::from(CALLS);
    Outcome::alone(question, allocations, Unit::Allocations, Bar::AtMost(most))
}

/// Many more than would show up by chance, and more than wait in most lines.
const CALLS: u32 = 10_000;
