use inflight_core::{GateOptions, Reason};
use std::time::Duration;

use super::house::{House, plain};

fn timed(queue_limit: usize) -> GateOptions {
    GateOptions {
        queue_timeout: Some(Duration::from_nanos(10)),
        ..plain(1, queue_limit)
    }
}

/// F71: either the grant came first and stands, or the waiter was too late.
#[test]
fn a_deadline_meets_a_release() {
    loom::model(|| {
        let house = House::new(&timed(1));
        let permit = house.hold(Default::default());
        let waiter = house.queue(Default::default());
        let release = house.spawn(move |house| house.finish(permit));
        house.at(10);
        match house.wait(waiter) {
            Ok(permit) => house.finish(permit),
            Err(refusal) => assert_eq!(refusal.reason(), Reason::QueueTimeout),
        }
        release.join().expect("no panic");
        house.check_idle();
    });
}

/// K32: the one behind is served, whoever finds the first too late.
#[test]
fn an_expired_head_keeps_nobody_back() {
    loom::model(|| {
        let house = House::new(&timed(2));
        let permit = house.hold(Default::default());
        let late = house.queue(Default::default());
        house.at(5);
        let next = house.queue(Default::default());
        let release = house.spawn(move |house| house.finish(permit));
        house.at(10);
        let waits = house.spawn(move |house| match house.wait(late) {
            Ok(permit) => house.finish(permit),
            Err(refusal) => assert_eq!(refusal.reason(), Reason::QueueTimeout),
        });
        let permit = house.wait(next).expect("its time has not come");
        house.finish(permit);
        waits.join().expect("no panic");
        release.join().expect("no panic");
        house.check_idle();
    });
}

#[test]
fn an_arrival_takes_the_place_of_one_that_is_too_late() {
    loom::model(|| {
        let house = House::new(&timed(1));
        let permit = house.hold(Default::default());
        let late = house.queue(Default::default());
        house.at(10);
        let release = house.spawn(move |house| house.finish(permit));
        assert_eq!(house.call(Default::default()), Ok(()));
        release.join().expect("no panic");
        if let Ok(permit) = house.wait(late) {
            panic!("granted at its deadline: {permit:?}");
        }
        house.check_idle();
    });
}
