use inflight_core::Host;

use super::house::{House, plain};

#[test]
fn a_release_meets_an_arrival() {
    loom::model(|| {
        let house = House::new(&plain(1, 1));
        let permit = house.hold(Default::default());
        let arrival = house.spawn(|house| house.call(Default::default()));
        house.finish(permit);
        assert_eq!(arrival.join().expect("no panic"), Ok(()));
        house.check_idle();
    });
}

#[test]
fn two_releases_serve_two_waiters() {
    loom::model(|| {
        let house = House::new(&plain(2, 2));
        let [first, second] = [0, 1].map(|_| house.hold(Default::default()));
        let [one, two] = [0, 1].map(|_| house.queue(Default::default()));
        let waits = house.spawn(move |house| {
            let permit = house.wait(one).expect("it is handed over");
            house.finish(permit);
        });
        let release = house.spawn(move |house| house.finish(first));
        house.finish(second);
        let permit = house.wait(two).expect("it is handed over");
        house.finish(permit);
        waits.join().expect("no panic");
        release.join().expect("no panic");
        house.check_idle();
    });
}

/// F19, F31: whoever tries while a permit is on its way does not get it.
#[test]
fn nobody_takes_a_permit_that_was_handed_over() {
    loom::model(|| {
        let house = House::new(&plain(1, 1));
        let permit = house.hold(Default::default());
        let waiter = house.queue(Default::default());
        let barger = house.spawn(|house| house.try_arrive(Default::default()).is_ok());
        house.finish(permit);
        let permit = house.wait(waiter);
        let barged = barger.join().expect("no panic");
        assert!(!barged, "the permit was never free");
        house.finish(permit.expect("it is handed over"));
        house.check_idle();
    });
}

/// A waiter polled on one thread is woken there, wherever it was queued.
#[test]
fn a_waiter_moves_to_another_thread() {
    loom::model(|| {
        let house = House::new(&plain(1, 1));
        let permit = house.hold(Default::default());
        let mut waiter = house.queue(Default::default());
        let _ = waiter.poll(std::task::Waker::noop());
        let elsewhere = house.spawn(move |house| {
            let permit = house.wait(waiter).expect("it is handed over");
            house.finish(permit);
        });
        house.finish(permit);
        elsewhere.join().expect("no panic");
        house.check_idle();
    });
}
