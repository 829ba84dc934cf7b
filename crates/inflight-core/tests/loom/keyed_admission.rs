use inflight_core::{KeyedHost, KeyedOptions, Reason};

use super::house::limit;
use super::keyed_house::{APART, PAIRS, TOGETHER, Tenants, options};

/// F147: the last release of a key meets two that come again.
#[test]
fn a_key_that_goes_and_comes_again_is_one_key() {
    loom::model(|| {
        let tenants = Tenants::new(&KeyedOptions::new(limit(4), limit(1)));
        let work = tenants.hold(0);
        let release = tenants.spawn(move |_| drop(work));
        let arrivals = [0, 1].map(|_| tenants.spawn(|tenants| tenants.try_hold(0)));
        let held = arrivals.map(|arrival| arrival.join().expect("no panic"));
        release.join().expect("no panic");
        let (keys, peak) = (tenants.gate().keys(), held.iter().flatten().count());
        assert_eq!(keys, peak, "one entry if anything runs, none if not");
        for refused in held.iter().flat_map(|held| held.as_ref().err()) {
            assert_eq!(*refused, Reason::KeyLimit);
        }
        drop(held);
        tenants.check_idle();
    });
}

#[test]
fn two_bring_a_new_key_at_once_and_it_is_one() {
    loom::model(|| {
        let tenants = Tenants::new(&KeyedOptions::new(limit(4), limit(1)));
        let arrivals = [0, 1].map(|_| tenants.spawn(|tenants| tenants.try_hold(0)));
        let held = arrivals.map(|arrival| arrival.join().expect("no panic"));
        assert_eq!(held.iter().flatten().count(), 1);
        assert_eq!(tenants.gate().keys(), 1);
        drop(held);
        tenants.check_idle();
    });
}

#[test]
fn no_more_keys_are_kept_than_may_be() {
    for keys in PAIRS {
        loom::model(move || {
            let options = KeyedOptions {
                max_keys: 1,
                ..KeyedOptions::new(limit(4), limit(1))
            };
            let tenants = Tenants::new(&options);
            let arrivals = keys.map(|key| tenants.spawn(move |tenants| tenants.try_hold(key)));
            let held = arrivals.map(|arrival| arrival.join().expect("no panic"));
            assert_eq!(held.iter().flatten().count(), 1);
            assert!(
                held.iter()
                    .any(|held| matches!(held, Err(Reason::TooManyKeys)))
            );
            drop(held);
            tenants.check_idle();
        });
    }
}

/// The two bounds are one decision: neither is ever passed, and nobody is kept
/// out while both have room.
#[test]
fn a_total_of_one_serves_two_keys_one_after_the_other() {
    for keys in PAIRS {
        loom::model(move || {
            let tenants = Tenants::new(&options(1, 1));
            let calls = keys.map(|key| tenants.spawn(move |tenants| tenants.call(key)));
            for call in calls {
                assert_eq!(call.join().expect("no panic"), Ok(()));
            }
            assert_eq!(tenants.call(0), Ok(()));
            assert_eq!(tenants.written(), 3, "the total orders what runs under it");
            tenants.check_idle();
        });
    }
}

#[test]
fn a_key_limit_of_one_orders_what_runs_under_it() {
    loom::model(|| {
        let tenants = Tenants::new(&options(4, 1));
        let calls = [0, 1].map(|_| tenants.spawn(|tenants| tenants.call(0)));
        for call in calls {
            assert_eq!(call.join().expect("no panic"), Ok(()));
        }
        assert_eq!(tenants.call(0), Ok(()));
        assert_eq!(tenants.written(), 3);
        tenants.check_idle();
    });
}

#[test]
fn two_arrivals_of_a_full_key_meet_its_release() {
    loom::model(|| {
        let tenants = Tenants::new(&options(4, 1));
        let work = tenants.hold(0);
        let calls = [0, 1].map(|_| tenants.spawn(|tenants| tenants.call(0)));
        drop(work);
        for call in calls {
            assert_eq!(call.join().expect("no panic"), Ok(()));
        }
        tenants.check_idle();
    });
}

/// Other keys pass while one waits for itself.
#[test]
fn a_key_at_its_own_limit_takes_nothing_from_another() {
    for [noisy, quiet] in [TOGETHER, APART] {
        loom::model(move || {
            let tenants = Tenants::new(&options(2, 1));
            let work = tenants.hold(noisy);
            let waiter = tenants.queue(noisy, Default::default());
            let other = tenants.spawn(move |tenants| tenants.try_hold(quiet).is_ok());
            let more = tenants.spawn(move |tenants| tenants.call(noisy));
            assert!(other.join().expect("no panic"), "there was room for it");
            drop(work);
            let work = tenants.wait(noisy, waiter).expect("it is handed over");
            drop(work);
            assert_eq!(more.join().expect("no panic"), Ok(()));
            tenants.check_idle();
        });
    }
}
