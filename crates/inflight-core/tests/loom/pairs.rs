//! Every pair of the events that a gate knows, at once, at a gate where each of
//! them has something to do: one call runs, one has a grant that it has not
//! fetched, a heavy one is next, and one with a deadline is behind it.

use inflight_core::{Host, Permit, Reason, Ticket, Waiter};
use loom::future::block_on;

use super::house::{House, by_priority, limit, prior, unmeasured, weighing};
use super::meeting::{check, pairs};

pairs! {
    Arrive: Try Release Fetch DropGrant Cancel CancelHead Expire Evict Raise Lower Close Drain Snapshot;
    Try: Release Fetch DropGrant Cancel CancelHead Expire Evict Raise Lower Close Drain Snapshot;
    Release: Fetch DropGrant Cancel CancelHead Expire Evict Raise Lower Close Drain Snapshot;
    Fetch: Cancel CancelHead Expire Evict Raise Lower Close Drain Snapshot;
    DropGrant: Cancel CancelHead Expire Evict Raise Lower Close Drain Snapshot;
    Cancel: CancelHead Evict Raise Lower Close Drain Snapshot;
    CancelHead: Expire Evict Raise Lower Close Drain Snapshot;
    Expire: Evict Raise Lower Close Drain Snapshot;
    Evict: Raise Lower Close Drain Snapshot;
    Raise: Lower Close Drain Snapshot;
    Lower: Close Drain Snapshot;
    Close: Drain Snapshot;
    Drain: Snapshot;
}

#[derive(Clone, Copy)]
enum Event {
    /// A call of the same priority as those who wait.
    Arrive,
    /// A call that does not wait.
    Try,
    /// The call that runs ends.
    Release,
    /// The grant is fetched, and the call ends.
    Fetch,
    /// The grant is passed on.
    DropGrant,
    /// The one behind leaves the line.
    Cancel,
    /// The heavy head leaves the line.
    CancelHead,
    /// The deadline of the one behind comes, and it asks.
    Expire,
    /// A call of a higher priority, which takes the place of the one behind.
    Evict,
    Raise,
    Lower,
    Close,
    Drain,
    Snapshot,
}

/// What the events happen to; what is left of it ends on the main thread.
struct Scene {
    house: House,
    running: Option<Permit<House>>,
    granted: Option<Waiter<House>>,
    head: Option<Waiter<House>>,
    behind: Option<Waiter<House>>,
}

fn meet(first: Event, second: Event) {
    check(move || {
        let mut scene = Scene::new();
        let threads = [first, second].map(|event| {
            let act = scene.act(event);
            scene.house.spawn(act)
        });
        let house = scene.house.clone();
        scene.end();
        for thread in threads {
            thread.join().expect("no panic");
        }
        house.check_idle();
    });
}

impl Scene {
    fn new() -> Self {
        let house = House::with_ceiling(&unmeasured(by_priority(2, 2)), 3);
        let first = house.hold(Ticket::new());
        let running = house.hold(Ticket::new());
        let mut granted = house.queue(Ticket::new());
        assert!(house.ask(&mut granted).is_none());
        house.finish(first);
        let head = house.queue(weighing(2));
        let behind = house.queue(Ticket::new().with_max_wait(DEADLINE));
        Self {
            running: Some(running),
            granted: Some(granted),
            head: Some(head),
            behind: Some(behind),
            house,
        }
    }

    /// Takes what the event needs, and says what it does.
    fn act(&mut self, event: Event) -> Box<dyn FnOnce(House)> {
        match event {
            Event::Arrive => Box::new(|house| {
                let _ = house.call(Ticket::new());
            }),
            Event::Try => Box::new(|house| drop(house.try_arrive(Ticket::new()))),
            Event::Release => {
                let running = self.running.take().expect("one event ends it");
                Box::new(move |house| house.finish(running))
            }
            Event::Fetch => {
                let granted = self.granted.take().expect("one event fetches it");
                Box::new(move |house| {
                    let permit = house.wait(granted).expect("a grant stands");
                    house.finish(permit);
                })
            }
            Event::DropGrant => cancel(self.granted.take()),
            Event::Cancel => cancel(self.behind.take()),
            Event::CancelHead => cancel(self.head.take()),
            Event::Expire => {
                let behind = self.behind.take();
                Box::new(move |house| {
                    house.at(10);
                    finish_or_not(&house, behind);
                })
            }
            Event::Evict => Box::new(|house| {
                let _ = house.call(prior(1));
            }),
            Event::Raise => Box::new(|house| house.set_limit(limit(3))),
            Event::Lower => Box::new(|house| house.set_limit(limit(1))),
            Event::Close => Box::new(|house| house.close()),
            Event::Drain => Box::new(|house| block_on(house.drained())),
            Event::Snapshot => Box::new(|house| check_snapshot(&house)),
        }
    }

    fn end(self) {
        let house = self.house;
        if let Some(running) = self.running {
            house.finish(running);
        }
        for waiter in [self.granted, self.head, self.behind] {
            finish_or_not(&house, waiter);
        }
    }
}

fn cancel(waiter: Option<Waiter<House>>) -> Box<dyn FnOnce(House)> {
    let waiter = waiter.expect("one event drops it");
    Box::new(move |house| house.cancel(waiter))
}

fn finish_or_not(house: &House, waiter: Option<Waiter<House>>) {
    let Some(waiter) = waiter else { return };
    match house.wait(waiter) {
        Ok(permit) => house.finish(permit),
        Err(refusal) => assert!(matches!(
            refusal.reason(),
            Reason::Closed | Reason::QueueEvicted | Reason::QueueTimeout
        )),
    }
}

fn check_snapshot(house: &House) {
    let seen = house.gate().snapshot();
    assert_eq!(seen.available, seen.limit.saturating_sub(seen.in_flight));
    assert!(seen.queued <= 2 && seen.limit <= 3, "{seen:?}");
    assert!(
        seen.queued == 0 || seen.in_flight > 0,
        "somebody waits for nobody: {seen:?}"
    );
}

const DEADLINE: std::time::Duration = std::time::Duration::from_nanos(10);
