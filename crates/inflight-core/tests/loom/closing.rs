use inflight_core::{Host, Reason};
use loom::future::block_on;

use super::house::{House, plain};

/// F23: everyone who waits is told, whoever was about to be served is served.
#[test]
fn closing_meets_a_release() {
    loom::model(|| {
        let house = House::new(&plain(1, 2));
        let permit = house.hold(Default::default());
        let [first, second] = [0, 1].map(|_| house.queue(Default::default()));
        let close = house.spawn(|house| house.close());
        let release = house.spawn(move |house| house.finish(permit));
        for waiter in [first, second] {
            match house.wait(waiter) {
                Ok(permit) => house.finish(permit),
                Err(refusal) => assert_eq!(refusal.reason(), Reason::Closed),
            }
        }
        close.join().expect("no panic");
        release.join().expect("no panic");
        assert_eq!(house.call(Default::default()), Err(Reason::Closed));
        house.check_idle();
    });
}

#[test]
fn closing_meets_an_arrival() {
    loom::model(|| {
        let house = House::new(&plain(1, 1));
        let permit = house.hold(Default::default());
        let arrival = house.spawn(|house| house.call(Default::default()));
        house.close();
        house.finish(permit);
        assert_eq!(arrival.join().expect("no panic"), Err(Reason::Closed));
        house.check_idle();
    });
}

#[test]
fn draining_meets_a_release_and_an_arrival() {
    loom::model(|| {
        let house = House::new(&plain(1, 1));
        let permit = house.hold(Default::default());
        let drained = house.spawn(|house| block_on(house.drained()));
        let arrival = house.spawn(|house| house.call(Default::default()));
        house.finish(permit);
        drained.join().expect("no panic");
        assert_eq!(arrival.join().expect("no panic"), Ok(()));
        house.check_idle();
    });
}

#[test]
fn closing_and_draining_meet_a_waiter() {
    loom::model(|| {
        let house = House::new(&plain(1, 1));
        let permit = house.hold(Default::default());
        let waiter = house.queue(Default::default());
        let drained = house.spawn(|house| {
            house.close();
            block_on(house.drained());
        });
        let release = house.spawn(move |house| house.finish(permit));
        match house.wait(waiter) {
            Ok(permit) => house.finish(permit),
            Err(refusal) => assert_eq!(refusal.reason(), Reason::Closed),
        }
        release.join().expect("no panic");
        drained.join().expect("no panic");
        house.check_idle();
    });
}

#[test]
fn a_watch_that_is_dropped_leaves_the_gate_as_it_was() {
    loom::model(|| {
        let house = House::new(&plain(1, 0));
        let permit = house.hold(Default::default());
        let watch = house.spawn(|house| {
            let mut drained = Box::pin(house.drained());
            let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
            let _ = drained.as_mut().poll(&mut cx);
        });
        house.finish(permit);
        watch.join().expect("no panic");
        assert!(house.gate().has_room());
        house.check_idle();
    });
}
