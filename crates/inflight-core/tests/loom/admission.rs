use inflight_core::{Host, Reason};

use super::house::{House, plain};

#[test]
fn two_calls_never_run_together_at_a_limit_of_one() {
    loom::model(|| {
        let house = House::new(&plain(1, 0));
        let other = house.spawn(|house| house.call(Default::default()));
        let ours = house.call(Default::default());
        let theirs = other.join().expect("no panic");
        let admitted = [ours, theirs].into_iter().filter(Result::is_ok).count();
        assert!(admitted >= 1, "one of them was alone");
        for refused in [ours, theirs].into_iter().filter_map(Result::err) {
            assert_eq!(refused, Reason::LimitReached);
        }
        assert_eq!(
            house.written(),
            admitted,
            "the later saw what the earlier wrote"
        );
        house.check_idle();
    });
}

#[test]
fn three_calls_with_a_line_all_run_one_after_the_other() {
    loom::model(|| {
        let house = House::new(&plain(1, 2));
        let others = [0, 1].map(|_| house.spawn(|house| house.call(Default::default())));
        assert_eq!(house.call(Default::default()), Ok(()));
        for other in others {
            assert_eq!(other.join().expect("no panic"), Ok(()));
        }
        assert_eq!(house.written(), 3, "each saw what the one before wrote");
        house.check_idle();
    });
}

#[test]
fn a_full_line_refuses_or_a_release_made_room() {
    loom::model(|| {
        let house = House::new(&plain(1, 1));
        let permit = house.hold(Default::default());
        let waiter = house.queue(Default::default());
        let late = house.spawn(|house| house.call(Default::default()));
        house.finish(permit);
        let permit = house.wait(waiter).expect("first in the line");
        house.finish(permit);
        let late = late.join().expect("no panic");
        assert!(matches!(late, Ok(()) | Err(Reason::QueueFull)), "{late:?}");
        house.check_idle();
    });
}

/// The permit comes back under the lock, since somebody watches; the next call
/// is admitted without the lock.
#[test]
fn what_was_written_before_a_turn_of_the_lock_is_seen_after_it() {
    loom::model(|| {
        let house = House::new(&plain(1, 0));
        let permit = house.hold(Default::default());
        let mut drained = Box::pin(house.drained());
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(drained.as_mut().poll(&mut cx).is_pending());
        let other = house.spawn(|house| house.call(Default::default()).is_ok());
        house.work();
        house.finish(permit);
        let admitted = usize::from(other.join().expect("no panic"));
        assert_eq!(house.written(), 1 + admitted);
        drop(drained);
        house.check_idle();
    });
}
