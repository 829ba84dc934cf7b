use inflight_core::{KeyedHost, Reason, Ticket};
use loom::future::block_on;

use super::house::limit;
use super::keyed_house::{PAIRS, Tenants, options};

/// F19, F31: a slot of the total that goes to another key is never free.
#[test]
fn nobody_takes_a_slot_on_its_way_to_another_key() {
    for [from, to] in PAIRS {
        loom::model(move || {
            let tenants = Tenants::new(&options(1, 1));
            let work = tenants.hold(from);
            let waiter = tenants.queue(to, Ticket::new());
            let barger = tenants.spawn(|tenants| tenants.try_hold(2).is_ok());
            drop(work);
            let work = tenants.wait(to, waiter);
            assert!(!barger.join().expect("no panic"), "it was never free");
            drop(work.expect("it is handed over"));
            tenants.check_idle();
        });
    }
}

#[test]
fn two_releases_serve_two_keys() {
    loom::model(|| {
        let tenants = Tenants::new(&options(2, 1));
        let [first, second] = [0, 1].map(|key| tenants.hold(key));
        let [one, two] = [2, 3].map(|key| tenants.queue(key, Ticket::new()));
        let waits = tenants.spawn(move |tenants| {
            drop(tenants.wait(2, one).expect("it is handed over"));
        });
        let release = tenants.spawn(move |_| drop(first));
        drop(second);
        drop(tenants.wait(3, two).expect("it is handed over"));
        waits.join().expect("no panic");
        release.join().expect("no panic");
        tenants.check_idle();
    });
}

/// F21: whoever leaves as it is granted passes the grant on, across keys.
#[test]
fn a_waiter_that_leaves_as_it_is_granted_loses_nothing() {
    for [leaves, stays] in PAIRS {
        loom::model(move || {
            let tenants = Tenants::new(&options(1, 1));
            let work = tenants.hold(2);
            let leaving = tenants.queue(leaves, Ticket::new());
            let staying = tenants.queue(stays, Ticket::new());
            let cancel = tenants.spawn(move |_| drop(leaving));
            let release = tenants.spawn(move |_| drop(work));
            drop(tenants.wait(stays, staying).expect("it is its turn"));
            cancel.join().expect("no panic");
            release.join().expect("no panic");
            tenants.check_idle();
        });
    }
}

/// Its place in the line was all that kept the key.
#[test]
fn the_last_waiter_of_a_key_leaves_as_the_key_comes_again() {
    loom::model(|| {
        let tenants = Tenants::new(&options(1, 1));
        let work = tenants.hold(1);
        let waiter = tenants.queue(0, Ticket::new());
        let cancel = tenants.spawn(move |_| drop(waiter));
        let again = tenants.spawn(|tenants| tenants.call(0));
        drop(work);
        assert_eq!(again.join().expect("no panic"), Ok(()));
        cancel.join().expect("no panic");
        tenants.check_idle();
    });
}

/// What a release saw of its key's line may be another key's by then.
#[test]
fn a_release_meets_the_end_of_its_line_and_the_beginning_of_another() {
    for [one, other] in PAIRS {
        loom::model(move || {
            let tenants = Tenants::new(&options(4, 1));
            let [of_one, of_other] = [one, other].map(|key| tenants.hold(key));
            let leaves = tenants.queue(one, Ticket::new());
            let release = tenants.spawn(move |_| drop(of_one));
            drop(leaves);
            let waiter = tenants.queue(other, Ticket::new());
            release.join().expect("no panic");
            let numbers = tenants.gate().key(&other).expect("it runs and waits");
            assert_eq!((numbers.in_flight, numbers.queued), (1, 1));
            drop(of_other);
            drop(tenants.wait(other, waiter).expect("it is handed over"));
            tenants.check_idle();
        });
    }
}

#[test]
fn raising_the_total_meets_a_release() {
    loom::model(|| {
        let tenants = Tenants::with_ceiling(&options(1, 1), (1, 2));
        let work = tenants.hold(0);
        let [one, two] = [1, 2].map(|key| tenants.queue(key, Ticket::new()));
        let raise = tenants.spawn(|tenants| tenants.set_limit(limit(2)));
        let release = tenants.spawn(move |_| drop(work));
        let one = tenants.wait(1, one).expect("there is room for it");
        let two = tenants.wait(2, two).expect("there is room for it");
        drop((one, two));
        raise.join().expect("no panic");
        release.join().expect("no panic");
        tenants.check_idle();
    });
}

/// The limit of a key that is forgotten at that moment changes nothing.
#[test]
fn raising_the_limit_of_a_key_meets_its_release() {
    loom::model(|| {
        let tenants = Tenants::with_ceiling(&options(4, 1), (2, 4));
        let work = tenants.hold(0);
        let waiter = tenants.queue(0, Ticket::new());
        let raise = tenants.spawn(|tenants| tenants.set_key_limit(&0, limit(2)));
        let release = tenants.spawn(move |_| drop(work));
        drop(tenants.wait(0, waiter).expect("there is room for it"));
        raise.join().expect("no panic");
        release.join().expect("no panic");
        tenants.check_idle();
    });
}

#[test]
fn looking_at_a_key_keeps_nothing_of_it() {
    loom::model(|| {
        let tenants = Tenants::new(&options(1, 1));
        let work = tenants.hold(0);
        let waiter = tenants.queue(0, Ticket::new());
        let look = tenants.spawn(|tenants| tenants.gate().key(&0));
        let release = tenants.spawn(move |_| drop(work));
        drop(waiter);
        if let Some(seen) = look.join().expect("no panic") {
            let numbers = (seen.in_flight, seen.queued);
            assert!([(1, 1), (1, 0)].contains(&numbers), "{seen:?}");
        }
        release.join().expect("no panic");
        tenants.check_idle();
    });
}

/// F23: everyone who waits is told, whoever was about to be served is served.
#[test]
fn closing_meets_a_release() {
    loom::model(|| {
        let tenants = Tenants::new(&options(1, 1));
        let work = tenants.hold(0);
        let waiters = [0, 1].map(|key| (key, tenants.queue(key, Ticket::new())));
        let close = tenants.spawn(|tenants| tenants.close());
        let release = tenants.spawn(move |_| drop(work));
        for (key, waiter) in waiters {
            if let Err(refusal) = tenants.wait(key, waiter) {
                assert_eq!(refusal.reason(), Reason::Closed);
            }
        }
        close.join().expect("no panic");
        release.join().expect("no panic");
        assert_eq!(tenants.call(3), Err(Reason::Closed));
        tenants.check_idle();
    });
}

#[test]
fn draining_meets_a_release_and_an_arrival() {
    loom::model(|| {
        let tenants = Tenants::new(&options(1, 1));
        let work = tenants.hold(0);
        let drained = tenants.spawn(|tenants| block_on(tenants.drained()));
        let arrival = tenants.spawn(|tenants| tenants.call(1));
        drop(work);
        drained.join().expect("no panic");
        assert_eq!(arrival.join().expect("no panic"), Ok(()));
        tenants.check_idle();
    });
}
