use inflight_core::{GateOptions, Host};

use super::house::{House, limit, plain};

/// F95: nobody else has to do anything for the waiter to run.
#[test]
fn a_raise_meets_an_arrival() {
    loom::model(|| {
        let house = House::with_ceiling(&plain(1, 1), 2);
        let permit = house.hold(Default::default());
        let arrival = house.spawn(|house| house.call(Default::default()));
        house.set_limit(limit(2));
        assert_eq!(arrival.join().expect("no panic"), Ok(()));
        house.finish(permit);
        house.check_idle();
    });
}

/// F91, F97: whatever was granted, no more than the new limit runs later.
#[test]
fn a_cut_meets_two_releases() {
    loom::model(|| {
        let house = House::new(&plain(2, 1));
        let [first, second] = [0, 1].map(|_| house.hold(Default::default()));
        let waiter = house.queue(Default::default());
        let release = house.spawn(move |house| house.finish(first));
        let cut = house.spawn(|house| house.set_limit(limit(1)));
        house.finish(second);
        let permit = house.wait(waiter).expect("it is handed over");
        cut.join().expect("no panic");
        release.join().expect("no panic");
        assert!(!house.gate().has_room(), "the limit is one, and one runs");
        house.finish(permit);
        house.check_idle();
    });
}

#[test]
fn a_raise_and_a_cut_meet_a_release() {
    loom::model(|| {
        let options = GateOptions {
            max_limit: Some(limit(2)),
            ..plain(1, 2)
        };
        let house = House::with_ceiling(&options, 2);
        let permit = house.hold(Default::default());
        let waiter = house.queue(Default::default());
        let raise = house.spawn(|house| house.set_limit(limit(2)));
        let cut = house.spawn(|house| house.set_limit(limit(1)));
        house.finish(permit);
        let permit = house
            .wait(waiter)
            .expect("the release or the raise serves it");
        house.finish(permit);
        raise.join().expect("no panic");
        cut.join().expect("no panic");
        house.check_idle();
    });
}
