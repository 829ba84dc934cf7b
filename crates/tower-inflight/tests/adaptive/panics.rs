//! An algorithm that panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tower_inflight::algorithm::{Algorithm, Evaluation, Limit, Sample};
use tower_inflight::{AdaptiveLayer, Outcome};

use crate::house::House;
use crate::recorder::limit_of;

/// Panics at overloads; else each call raises the limit by one.
struct Brittle {
    limit: usize,
    says_why: bool,
}

impl Algorithm for Brittle {
    fn limit(&self) -> Limit {
        limit_of(self.limit)
    }

    fn observe(&mut self, sample: &Sample) -> Limit {
        self.limit += 1;
        assert_eq!(sample.outcome, Outcome::Success, "too much for me");
        self.limit()
    }

    fn last_evaluation(&self) -> Option<Evaluation> {
        assert!(!self.says_why, "I would rather not");
        None
    }
}

fn brittle(says_why: bool) -> House {
    House::new(&AdaptiveLayer::new(Brittle { limit: 3, says_why }))
}

#[test]
fn the_limit_stays_the_permit_goes_back_and_the_caller_has_its_answer() {
    let mut house = brittle(false);
    house.fail();
    assert_eq!((house.limit(), house.load()), (3, (0, 0)));
    assert_eq!(house.limiter.hook_failures(), 1);
    assert_eq!(house.limiter.adaptation().unwrap().limit, 3);

    house.succeed();
    assert_eq!(house.limit(), 5, "it is asked again");
    assert_eq!(house.limiter.hook_failures(), 1);
}

#[test]
fn so_it_is_while_the_service_panics() {
    let mut house = brittle(false);
    house.script.work().panic_at_poll(0, 2);
    let mut call = house.begin();
    assert!(catch_unwind(AssertUnwindSafe(|| call.poll())).is_err());
    assert_eq!((house.limit(), house.load()), (3, (0, 0)));
    assert_eq!(house.limiter.hook_failures(), 1);
}

#[test]
fn so_it_is_when_a_call_is_dropped() {
    let mut house = brittle(false);
    drop(house.begin());
    assert_eq!(house.load(), (0, 0));
    assert_eq!(house.limiter.hook_failures(), 1);
}

#[test]
fn so_it_is_when_it_is_asked_why() {
    let mut house = brittle(true);
    house.succeed();
    assert_eq!((house.limit(), house.load()), (3, (0, 0)));
    assert_eq!(house.limiter.hook_failures(), 1);
    assert_eq!(house.limiter.adaptation().unwrap().last, None);
    assert_eq!(house.limiter.hook_failures(), 2);
}
