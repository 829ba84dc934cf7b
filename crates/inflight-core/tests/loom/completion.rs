//! A call that ends at an adaptive gate: the sample, then the limit, then the
//! permit, as the layer does it. The rule's lock comes before the gate's.

use inflight_core::{Aimd, AimdOptions, Algorithm, GateOptions, Host, Outcome, Permit, Sample};
use loom::sync::{Arc, Mutex};

use super::house::{House, limit, plain};

/// A rule that decides at every second sample, and the gate that it governs.
#[derive(Clone)]
struct Governed {
    house: House,
    rule: Arc<Mutex<Aimd>>,
}

impl Governed {
    fn new(initial: usize, queue_limit: usize) -> Self {
        let rule = Aimd::new(AimdOptions {
            initial_limit: initial,
            max_limit: 2,
            sampling_window: std::time::Duration::from_nanos(1),
            ..AimdOptions::default()
        });
        let options = GateOptions {
            max_limit: Some(limit(2)),
            ..plain(initial, queue_limit)
        };
        Self {
            house: House::with_ceiling(&options, 2),
            rule: Arc::new(Mutex::new(rule.expect("the options are valid"))),
        }
    }

    /// Ends a call at the time `now`.
    fn end(&self, permit: Permit<House>, now: u64, outcome: Outcome) {
        let mut rule = self.rule.lock().expect("no panic");
        let before = rule.limit();
        let after = rule.observe(&Sample {
            now,
            latency: 100,
            in_flight: self.house.gate().snapshot().in_flight,
            outcome,
        });
        let wakes = (after != before).then(|| self.house.resize(after));
        drop(rule);
        drop(wakes);
        self.house.finish(permit);
    }

    fn check(&self) {
        let limit = self.rule.lock().expect("no panic").limit();
        assert_eq!(self.house.gate().snapshot().limit, limit.get());
        self.house.check_idle();
    }
}

#[test]
fn a_completion_that_raises_the_limit_meets_an_arrival() {
    loom::model(|| {
        let governed = Governed::new(1, 1);
        let first = governed.house.hold(Default::default());
        governed.end(first, 0, Outcome::Success);
        let second = governed.house.hold(Default::default());
        let arrival = governed.house.spawn(|house| house.call(Default::default()));
        governed.end(second, 1, Outcome::Success);
        assert_eq!(arrival.join().expect("no panic"), Ok(()));
        assert_eq!(governed.house.gate().snapshot().limit, 2);
        governed.check();
    });
}

#[test]
fn two_completions_at_the_edge_of_a_window_decide_once() {
    loom::model(|| {
        let governed = Governed::new(2, 0);
        let [first, second] = [0, 1].map(|_| governed.house.hold(Default::default()));
        let opening = governed.clone();
        opening.rule.lock().expect("no panic").observe(&Sample {
            now: 0,
            latency: 100,
            in_flight: 1,
            outcome: Outcome::Overload,
        });
        let other = governed.clone();
        let thread = governed
            .house
            .spawn(move |_| other.end(second, 1, Outcome::Overload));
        governed.end(first, 1, Outcome::Success);
        thread.join().expect("no panic");
        let rule = governed.rule.lock().expect("no panic");
        let decided = rule.last_evaluation().expect("the window is over").number;
        drop(rule);
        assert_eq!(decided, 1, "the next window began at the first of them");
        assert_eq!(governed.house.gate().snapshot().limit, 1);
        governed.check();
    });
}

#[test]
fn a_completion_that_cuts_the_limit_meets_a_line_and_a_resize() {
    loom::model(|| {
        let governed = Governed::new(2, 1);
        let [first, second] = [0, 1].map(|_| governed.house.hold(Default::default()));
        let waiter = governed.house.queue(Default::default());
        let other = governed.clone();
        let thread = governed
            .house
            .spawn(move |_| other.end(second, 0, Outcome::Overload));
        governed.end(first, 1, Outcome::Overload);
        let permit = governed.house.wait(waiter).expect("both give way");
        governed.house.finish(permit);
        thread.join().expect("no panic");
        // One decision, at the later of the two, if it came a window later.
        assert!(governed.house.gate().snapshot().limit <= 2);
        governed.check();
    });
}
