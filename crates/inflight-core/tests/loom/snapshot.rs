use inflight_core::Host;

use super::house::{House, limit, plain};

/// Whatever is going on, the numbers belong together.
#[test]
fn a_snapshot_is_never_torn() {
    loom::model(|| {
        let house = House::with_ceiling(&plain(1, 1), 2);
        let permit = house.hold(Default::default());
        let arrival = house.spawn(|house| house.call(Default::default()));
        let raise = house.spawn(|house| house.set_limit(limit(2)));
        let seen = house.gate().snapshot();
        assert!(seen.in_flight >= 1, "ours: {seen:?}");
        assert_eq!(seen.available, seen.limit - seen.in_flight.min(seen.limit));
        assert_eq!(seen.max_limit, seen.limit);
        assert!(
            seen.queued == 0 || seen.in_flight >= seen.limit,
            "somebody waits while there is room: {seen:?}"
        );
        house.finish(permit);
        assert_eq!(arrival.join().expect("no panic"), Ok(()));
        raise.join().expect("no panic");
        house.check_idle();
    });
}
