use super::house::{House, plain, weighing};

/// F107: the heavy head waits for room, and nobody passes it.
#[test]
fn a_heavy_head_gets_the_room_of_two_releases() {
    loom::model(|| {
        let house = House::new(&plain(2, 2));
        let [first, second] = [0, 1].map(|_| house.hold(weighing(1)));
        let heavy = house.queue(weighing(2));
        let releases = [first, second].map(|permit| house.spawn(move |house| house.finish(permit)));
        let permit = house.wait(heavy).expect("both give way");
        assert!(!inflight_core::Host::gate(&house).has_room());
        house.finish(permit);
        for release in releases {
            release.join().expect("no panic");
        }
        house.check_idle();
    });
}

/// When the heavy head leaves, whoever now fits is served in the same step.
#[test]
fn a_heavy_head_that_leaves_lets_the_light_ones_in() {
    loom::model(|| {
        let house = House::new(&plain(2, 2));
        let permit = house.hold(weighing(1));
        let heavy = house.queue(weighing(2));
        let light = house.queue(weighing(1));
        let waits = house.spawn(move |house| {
            let permit = house.wait(light).expect("it fits beside the one that runs");
            house.finish(permit);
        });
        house.cancel(heavy);
        waits.join().expect("no panic");
        house.finish(permit);
        house.check_idle();
    });
}

#[test]
fn a_heavy_head_meets_a_release_and_an_arrival() {
    loom::model(|| {
        let house = House::new(&plain(2, 2));
        let permit = house.hold(weighing(1));
        let heavy = house.queue(weighing(2));
        let arrival = house.spawn(|house| house.call(weighing(1)));
        let release = house.spawn(move |house| house.finish(permit));
        let permit = house.wait(heavy).expect("it is next");
        house.finish(permit);
        assert_eq!(arrival.join().expect("no panic"), Ok(()));
        release.join().expect("no panic");
        house.check_idle();
    });
}
