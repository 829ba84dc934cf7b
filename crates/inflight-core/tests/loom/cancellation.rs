use inflight_core::Host;

use super::house::{House, plain};

/// F21, F179: before the grant, after it, or in the middle of it.
#[test]
fn a_waiter_is_dropped_while_the_permit_comes_back() {
    loom::model(|| {
        let house = House::new(&plain(1, 2));
        let permit = house.hold(Default::default());
        let [gone, next] = [0, 1].map(|_| house.queue(Default::default()));
        let drops = house.spawn(move |house| house.cancel(gone));
        let release = house.spawn(move |house| house.finish(permit));
        let permit = house.wait(next).expect("the place before it is given up");
        house.finish(permit);
        drops.join().expect("no panic");
        release.join().expect("no panic");
        house.check_idle();
    });
}

/// F19: granted and woken, but never polled again.
#[test]
fn a_grant_that_nobody_fetches_goes_to_the_next() {
    loom::model(|| {
        let house = House::new(&plain(1, 2));
        let permit = house.hold(Default::default());
        let [granted, next] = [0, 1].map(|_| house.queue(Default::default()));
        house.finish(permit);
        let waits = house.spawn(move |house| {
            let permit = house.wait(next).expect("the grant is passed on");
            house.finish(permit);
        });
        house.cancel(granted);
        waits.join().expect("no panic");
        house.check_idle();
    });
}

#[test]
fn a_waiter_is_dropped_while_another_arrives() {
    loom::model(|| {
        let house = House::new(&plain(1, 1));
        let permit = house.hold(Default::default());
        let waiter = house.queue(Default::default());
        let arrival = house.spawn(|house| house.call(Default::default()).is_ok());
        house.cancel(waiter);
        house.finish(permit);
        // Refused if the place was not yet free, served otherwise.
        arrival.join().expect("no panic");
        assert!(house.gate().has_room());
        house.check_idle();
    });
}
