//! The subjects under keys do what they are said to do, ours and everybody else's.

use inflight_benches::Subject;
use inflight_benches::keyed::{
    ByKey, Crowd, admitted, handed_over_of_key, handed_over_of_total, newcomers, refused,
};
use inflight_benches::ours::keyed::Keyed;
use inflight_benches::peers::semaphores_by_key::{Dashed, Locked, Semaphores};

/// The subjects check each step themselves.
#[track_caller]
fn runs(mut subject: Subject) {
    for times in [1, 250, 3] {
        subject.run(times);
    }
}

fn answers_everything<L: ByKey>() {
    for live in [1, 100] {
        for threads in [1, 2] {
            let crowd = Crowd { live, threads };
            runs(admitted::<L>(crowd));
            runs(newcomers::<L>(crowd));
            runs(refused::<L>(crowd));
        }
        runs(handed_over_of_key::<L>(live));
        runs(handed_over_of_total::<L>(live.max(2)));
    }
}

#[test]
fn whoever_limits_by_key_answers_everything() {
    answers_everything::<Keyed>();
    answers_everything::<Semaphores<Locked>>();
    answers_everything::<Semaphores<Dashed>>();
}
