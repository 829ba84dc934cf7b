//! Every pair of the events that a keyed gate knows, at once, where each of
//! them has something to do: one call of the first key runs and another waits
//! for it, a second key has a grant that it has not fetched, and a third waits
//! for the total, with a deadline.

use std::future::poll_fn;
use std::task::Poll;

use inflight_core::{KeyedHost, KeyedWaiter, Reason, Ticket};
use loom::future::block_on;

use super::house::limit;
use super::keyed_house::{Tenants, Work, options};
use super::meeting::{check, pairs};

pairs! {
    Arrive: Again Try Release Fetch DropGrant CancelBlocked CancelNext Expire Raise Lower RaiseKey Close Drain Look;
    Again: Try Release Fetch DropGrant CancelBlocked CancelNext Expire Raise Lower RaiseKey Close Drain Look;
    Try: Release Fetch DropGrant CancelBlocked CancelNext Expire Raise Lower RaiseKey Close Drain Look;
    Release: Fetch DropGrant CancelBlocked CancelNext Expire Raise Lower RaiseKey Close Drain Look;
    Fetch: CancelBlocked CancelNext Expire Raise Lower RaiseKey Close Drain Look;
    DropGrant: CancelBlocked CancelNext Expire Raise Lower RaiseKey Close Drain Look;
    CancelBlocked: CancelNext Expire Raise Lower RaiseKey Close Drain Look;
    CancelNext: Raise Lower RaiseKey Close Drain Look;
    Expire: Raise Lower RaiseKey Close Drain Look;
    Raise: Lower RaiseKey Close Drain Look;
    Lower: RaiseKey Close Drain Look;
    RaiseKey: Close Drain Look;
    Close: Drain Look;
    Drain: Look;
}

#[derive(Clone, Copy)]
enum Event {
    /// A call of a new key.
    Arrive,
    /// One more call of the first key.
    Again,
    /// A call of a new key that does not wait.
    Try,
    /// The call that runs ends.
    Release,
    /// The grant is fetched, and the call ends.
    Fetch,
    /// The grant is passed on.
    DropGrant,
    /// The one that its own key holds up leaves the line.
    CancelBlocked,
    /// The one that waits for the total leaves the line.
    CancelNext,
    /// Its deadline comes, and it asks.
    Expire,
    Raise,
    Lower,
    /// The first key may have one more.
    RaiseKey,
    Close,
    Drain,
    /// At the numbers of all, and of the first key.
    Look,
}

/// What the events happen to; what is left of it ends on the main thread.
struct Scene {
    tenants: Tenants,
    running: Option<Work>,
    blocked: Option<KeyedWaiter<Tenants>>,
    granted: Option<KeyedWaiter<Tenants>>,
    next: Option<KeyedWaiter<Tenants>>,
}

fn meet(first: Event, second: Event) {
    check(move || {
        let mut scene = Scene::new();
        let threads = [first, second].map(|event| {
            let act = scene.act(event);
            scene.tenants.spawn(act)
        });
        let tenants = scene.tenants.clone();
        scene.end();
        for thread in threads {
            thread.join().expect("no panic");
        }
        tenants.check_idle();
    });
}

impl Scene {
    fn new() -> Self {
        let tenants = Tenants::with_ceiling(&options(2, 1), (2, 3));
        let running = tenants.hold(FIRST);
        let other = tenants.hold(SECOND);
        let blocked = tenants.queue(FIRST, Ticket::new());
        let granted = tenants.queue(SECOND, Ticket::new());
        drop(other);
        let next = tenants.queue(THIRD, Ticket::new().with_max_wait(DEADLINE));
        Self {
            tenants,
            running: Some(running),
            blocked: Some(blocked),
            granted: Some(granted),
            next: Some(next),
        }
    }

    /// Takes what the event needs, and says what it does.
    fn act(&mut self, event: Event) -> Box<dyn FnOnce(Tenants)> {
        match event {
            Event::Arrive => Box::new(|tenants| {
                let _ = tenants.call(NEW);
            }),
            Event::Again => Box::new(|tenants| {
                let _ = tenants.call(FIRST);
            }),
            Event::Try => Box::new(|tenants| drop(tenants.try_hold(NEW))),
            Event::Release => {
                let running = self.running.take();
                Box::new(move |_| drop(running))
            }
            Event::Fetch => {
                let granted = self.granted.take().expect("one event fetches it");
                Box::new(move |tenants| {
                    drop(tenants.wait(SECOND, granted).expect("a grant stands"));
                })
            }
            Event::DropGrant => cancel(self.granted.take()),
            Event::CancelBlocked => cancel(self.blocked.take()),
            Event::CancelNext => cancel(self.next.take()),
            Event::Expire => {
                let next = self.next.take();
                Box::new(move |tenants| {
                    tenants.at(10);
                    let next = next.expect("one event lets it expire");
                    finish_all(&tenants, vec![(THIRD, next)]);
                })
            }
            Event::Raise => Box::new(|tenants| tenants.set_limit(limit(3))),
            Event::Lower => Box::new(|tenants| tenants.set_limit(limit(1))),
            Event::RaiseKey => Box::new(|tenants| {
                tenants.set_key_limit(&FIRST, limit(2));
            }),
            Event::Close => Box::new(|tenants| tenants.close()),
            Event::Drain => Box::new(|tenants| block_on(tenants.drained())),
            Event::Look => Box::new(|tenants| look(&tenants)),
        }
    }

    fn end(self) {
        drop(self.running);
        let left = [
            (SECOND, self.granted),
            (FIRST, self.blocked),
            (THIRD, self.next),
        ];
        let left = left.into_iter();
        finish_all(
            &self.tenants,
            left.filter_map(|(key, waiter)| Some((key, waiter?)))
                .collect(),
        );
    }
}

fn cancel(waiter: Option<KeyedWaiter<Tenants>>) -> Box<dyn FnOnce(Tenants)> {
    Box::new(move |_| drop(waiter))
}

/// Waits for all at once: in which order they are served is the gate's to say,
/// and a grant that one of them has keeps another waiting until it is fetched.
fn finish_all(tenants: &Tenants, mut waiters: Vec<(u8, KeyedWaiter<Tenants>)>) {
    block_on(poll_fn(|cx| {
        waiters.retain_mut(|(key, waiter)| match tenants.poll(*key, waiter, cx) {
            Poll::Ready(Ok(_work)) => false,
            Poll::Ready(Err(refusal)) => {
                let reason = refusal.reason();
                assert!(matches!(reason, Reason::Closed | Reason::QueueTimeout));
                false
            }
            Poll::Pending => true,
        });
        if waiters.is_empty() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }));
}

fn look(tenants: &Tenants) {
    let seen = tenants.gate().snapshot();
    let total = seen.total;
    assert!(total.queued <= 4 && total.limit <= 3 && seen.keys <= 4);
    assert!(total.in_flight <= 3, "{total:?}");
    if let Some(first) = tenants.gate().key(&FIRST) {
        assert!(first.in_flight + first.queued > 0, "{first:?}");
        assert!(first.in_flight <= 2 && first.queued <= 2, "{first:?}");
    }
}

const FIRST: u8 = 0;
const SECOND: u8 = 1;
/// In the shard of the first.
const THIRD: u8 = 3;
const NEW: u8 = 2;

const DEADLINE: std::time::Duration = std::time::Duration::from_nanos(10);
