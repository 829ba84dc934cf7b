use inflight_core::Reason;

use super::house::{House, by_priority, prior};

/// F51, K58: a higher arrival takes the place of a waiter that is just
/// granted, just dropped, or neither.
#[test]
fn an_eviction_meets_a_release() {
    loom::model(|| {
        let house = House::new(&by_priority(1, 1));
        let permit = house.hold(prior(0));
        let low = house.queue(prior(-1));
        let high = house.spawn(|house| house.call(prior(1)));
        let release = house.spawn(move |house| house.finish(permit));
        match house.wait(low) {
            Ok(permit) => house.finish(permit),
            Err(refusal) => assert_eq!(refusal.reason(), Reason::QueueEvicted),
        }
        assert_eq!(high.join().expect("no panic"), Ok(()));
        release.join().expect("no panic");
        house.check_idle();
    });
}

#[test]
fn an_eviction_meets_a_cancellation() {
    loom::model(|| {
        let house = House::new(&by_priority(1, 1));
        let permit = house.hold(prior(0));
        let low = house.queue(prior(-1));
        let high = house.spawn(|house| house.call(prior(1)));
        house.cancel(low);
        house.finish(permit);
        assert_eq!(high.join().expect("no panic"), Ok(()));
        house.check_idle();
    });
}

#[test]
fn the_higher_of_two_arrivals_runs_first_or_alone() {
    loom::model(|| {
        let house = House::new(&by_priority(1, 1));
        let permit = house.hold(prior(0));
        let low = house.spawn(|house| house.call(prior(1)));
        let high = house.spawn(|house| house.call(prior(2)));
        house.finish(permit);
        assert_eq!(high.join().expect("no panic"), Ok(()));
        let low = low.join().expect("no panic");
        assert!(
            matches!(low, Ok(()) | Err(Reason::QueueEvicted | Reason::QueueFull)),
            "{low:?}"
        );
        house.check_idle();
    });
}
