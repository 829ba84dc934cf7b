//! What a waiter may know without the lock.

use inflight_core::{Arrival, GateOptions, Host, Permit, Ticket, Waiter};

use super::house::{House, by_priority, plain, prior, unmeasured};

/// Asks twice without being woken, so that nothing but the gate orders what is
/// seen; the second time without the lock.
fn ask_twice(house: &House, waiter: &mut Waiter<House>) -> Option<Permit<House>> {
    house.ask(waiter).or_else(|| house.ask(waiter))
}

fn end(house: &House, seen: Option<Permit<House>>, waiter: Waiter<House>) {
    let permit = seen.unwrap_or_else(|| house.wait(waiter).expect("it is handed over"));
    house.finish(permit);
    house.check_idle();
}

/// The work of one who asks by itself sees the work before it.
#[test]
fn a_grant_that_is_seen_brings_the_work_before_it() {
    loom::model(|| {
        let house = House::new(&unmeasured(plain(1, 1)));
        let permit = house.hold(Ticket::new());
        let mut waiter = house.queue(Ticket::new());
        let asks = house.spawn(move |house| {
            let seen = ask_twice(&house, &mut waiter);
            let work = seen.is_some().then(|| house.written());
            (seen, waiter, work)
        });
        house.work();
        house.finish(permit);
        let (seen, waiter, work) = asks.join().expect("no panic");
        assert!(work.is_none_or(|written| written == 1), "work was lost");
        end(&house, seen, waiter);
    });
}

/// Whoever has seen its grant finds its place in the line free.
#[test]
fn a_grant_that_is_seen_brings_the_place_that_it_freed() {
    for options in [plain(1, 1), by_priority(1, 1)] {
        meet_the_freed_place(&options);
    }
}

fn meet_the_freed_place(options: &GateOptions) {
    let options = unmeasured(*options);
    loom::model(move || {
        let house = House::new(&options);
        let permit = house.hold(Ticket::new());
        let mut waiter = house.queue(Ticket::new());
        let asks = house.spawn(move |house| {
            let seen = ask_twice(&house, &mut waiter);
            if seen.is_some() {
                assert_eq!(house.gate().in_flight(), 1);
                let next = house.queue(Ticket::new());
                house.cancel(next);
            }
            (seen, waiter)
        });
        house.finish(permit);
        let (seen, waiter) = asks.join().expect("no panic");
        end(&house, seen, waiter);
    });
}

/// A slot is not another's while its permit is out.
#[test]
fn a_grant_is_seen_by_nobody_else() {
    loom::model(|| {
        let house = House::new(&unmeasured(plain(1, 2)));
        let permit = house.hold(Ticket::new());
        let mut first = house.queue(Ticket::new());
        let mut second = house.queue(Ticket::new());
        let asks = house.spawn(move |house| {
            let permit = ask_twice(&house, &mut first);
            let permit = permit.map_or_else(|| house.wait(first), Ok);
            house.finish(permit.expect("it is handed over"));
        });
        house.finish(permit);
        let seen = ask_twice(&house, &mut second);
        asks.join().expect("no panic");
        end(&house, seen, second);
    });
}

/// Who knows that the line is not full is not refused by what it was before.
#[test]
fn a_line_that_was_full_refuses_nobody() {
    loom::model(|| {
        let house = House::new(&unmeasured(by_priority(1, 1)));
        let permit = house.hold(Ticket::new());
        let high = house.queue(prior(5));
        house.cancel(high);
        let middle = house.spawn(|house| house.queue(prior(3)));
        let low = house.enter(prior(1));
        assert!(!matches!(low, Arrival::Admitted(_)), "there is no room");
        house.cancel(middle.join().expect("no panic"));
        drop(low);
        house.finish(permit);
    });
}
