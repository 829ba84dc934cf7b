//! The table of keys at its bound, and the entry that the calls under too many
//! keys share.

use std::time::Duration;

use inflight_core::{KeyLoad, KeyOverflow, KeyPlan, KeyedHost, KeyedOptions, Reason, Ticket};
use loom::future::block_on;

use super::house::limit;
use super::keyed_house::{PAIRS, Tenants, options};

/// Place for one key; all others share one permit.
fn sharing() -> KeyedOptions {
    KeyedOptions {
        max_keys: 1,
        overflow: KeyOverflow::Share(KeyPlan::new(limit(1))),
        ..options(2, 1)
    }
}

/// The entry that is shared goes and comes again, and one of the two finds
/// place for its own key perhaps.
#[test]
fn calls_that_share_an_entry_meet_the_release_of_the_only_key() {
    for [first, second] in PAIRS {
        loom::model(move || {
            let tenants = Tenants::new(&sharing());
            let work = tenants.hold(2);
            let calls = [first, second].map(|key| tenants.spawn(move |tenants| tenants.call(key)));
            drop(work);
            for call in calls {
                assert_eq!(call.join().expect("no panic"), Ok(()));
            }
            tenants.check_idle();
        });
    }
}

/// What was all that kept the shared entry leaves, as it is entered again.
#[test]
fn the_last_waiter_of_the_shared_entry_leaves_as_another_comes() {
    loom::model(|| {
        let tenants = Tenants::new(&KeyedOptions {
            limit: limit(1),
            ..sharing()
        });
        let work = tenants.hold(0);
        let waiter = tenants.queue(1, Ticket::new());
        let cancel = tenants.spawn(move |_| drop(waiter));
        let again = tenants.spawn(|tenants| tenants.call(2));
        drop(work);
        assert_eq!(again.join().expect("no panic"), Ok(()));
        cancel.join().expect("no panic");
        tenants.check_idle();
    });
}

/// Whether it meets the key, another one of the same name or none: it says so,
/// and a limit that was lowered is not what the next one has.
#[test]
fn the_limit_of_a_key_changes_as_its_last_waiter_leaves_and_it_comes_again() {
    loom::model(|| {
        let tenants = Tenants::with_ceiling(&options(1, 2), (1, 1));
        let work = tenants.hold(1);
        let waiter = tenants.queue(0, Ticket::new());
        let lower = tenants.spawn(|tenants| tenants.set_key_limit(&0, limit(1)));
        let cancel = tenants.spawn(move |_| drop(waiter));
        drop(tenants.try_hold(0));
        lower.join().expect("no panic");
        cancel.join().expect("no panic");
        drop(work);
        assert!(tenants.gate().key(&0).is_none());
        let again = tenants.hold(0);
        assert_eq!(tenants.gate().key(&0).expect("it runs").limit, 2);
        drop(again);
        tenants.check_idle();
    });
}

/// The deadline of the only one that waits for the total, the release that
/// would let it in, and a call that has no other way in than past it.
#[test]
fn a_deadline_meets_a_release_and_a_call_of_the_same_key() {
    loom::model(|| {
        let tenants = Tenants::new(&options(1, 1));
        let work = tenants.hold(1);
        let patience = Ticket::new().with_max_wait(Duration::from_nanos(10));
        let waiter = tenants.queue(0, patience);
        tenants.at(10);
        let expire = tenants.spawn(move |tenants| tenants.wait(0, waiter).map(drop));
        let again = tenants.spawn(|tenants| tenants.call(0));
        drop(work);
        let refusal = expire.join().expect("no panic").expect_err("it is late");
        assert_eq!(refusal.reason(), Reason::QueueTimeout);
        assert_eq!(again.join().expect("no panic"), Ok(()));
        tenants.check_idle();
    });
}

/// A new key that is on its way to the line is kept only by that.
#[test]
fn closing_meets_a_new_key_and_a_look_at_all() {
    loom::model(|| {
        let tenants = Tenants::new(&options(1, 1));
        let work = tenants.hold(1);
        let arrival = tenants.spawn(|tenants| tenants.call(0));
        let close = tenants.spawn(|tenants| {
            tenants.close();
            let top = tenants.gate().top(2);
            let runs = |load: &KeyLoad<_>| (load.numbers.in_flight, load.numbers.queued) == (1, 0);
            assert!(top.iter().all(runs), "{top:?}");
        });
        drop(work);
        let arrived = arrival.join().expect("no panic");
        assert!(matches!(arrived, Ok(()) | Err(Reason::Closed)));
        close.join().expect("no panic");
        block_on(tenants.drained());
        tenants.check_idle();
    });
}
