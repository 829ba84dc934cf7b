//! Whatever the samples, every algorithm stays within its bounds.

use std::time::Duration;

use inflight_core::{
    Aimd, AimdOptions, Algorithm, Gradient2, Gradient2Options, Growth, Outcome, Sample, Vegas,
    VegasOptions,
};
use proptest::prelude::*;
use proptest::sample::select;

proptest! {
    #[test]
    fn aimd_stays_within_its_bounds(options in aimd_options(), samples in samples()) {
        let aimd = Aimd::new(options).expect("valid options");
        stays_within(aimd, options.min_limit, options.max_limit, &samples)?;
    }

    #[test]
    fn vegas_stays_within_its_bounds(limits in limits(), seed: u64, samples in samples()) {
        let [min_limit, initial_limit, max_limit] = limits;
        let vegas = Vegas::new(VegasOptions {
            min_limit,
            max_limit,
            initial_limit,
            min_samples: 1,
            seed,
            ..VegasOptions::default()
        });
        stays_within(vegas.expect("valid options"), min_limit, max_limit, &samples)?;
    }

    #[test]
    fn gradient2_stays_within_its_bounds(limits in limits(), samples in samples()) {
        let [min_limit, initial_limit, max_limit] = limits;
        let gradient2 = Gradient2::new(Gradient2Options {
            min_limit,
            max_limit,
            initial_limit,
            min_samples: 1,
            ..Gradient2Options::default()
        });
        stays_within(gradient2.expect("valid options"), min_limit, max_limit, &samples)?;
    }
}

fn stays_within(
    mut algorithm: impl Algorithm,
    min: usize,
    max: usize,
    samples: &[Sample],
) -> Result<(), TestCaseError> {
    let mut seen = algorithm.limit();
    let mut evaluations = 0;
    for sample in samples {
        let limit = algorithm.observe(sample);
        prop_assert!((min..=max).contains(&limit.get()));
        prop_assert_eq!(limit, algorithm.limit());

        let number = algorithm.last_evaluation().map_or(0, |last| last.number);
        prop_assert!(number <= evaluations + 1);
        if number == evaluations {
            prop_assert_eq!(limit, seen, "only an evaluation moves the limit");
        } else {
            let last = algorithm.last_evaluation().expect("there is a number");
            prop_assert_eq!((last.before, last.after), (seen, limit));
        }
        (seen, evaluations) = (limit, number);
    }
    Ok(())
}

/// Minimum, initial limit and maximum.
fn limits() -> impl Strategy<Value = [usize; 3]> {
    let limit = || prop_oneof![1..20_usize, Just((1 << 31) - 1), 1..(1_usize << 31)];
    [limit(), limit(), limit()].prop_map(|mut limits| {
        limits.sort_unstable();
        limits
    })
}

fn samples() -> impl Strategy<Value = Vec<Sample>> {
    let time = || prop_oneof![4 => 0..20_000_000_000_u64, 1 => any::<u64>(), 1 => Just(0)];
    let in_flight = prop_oneof![3 => 0..200_usize, 1 => any::<usize>()];
    let outcome = select(vec![Outcome::Ignore, Outcome::Overload, Outcome::Success]);
    let sample =
        (time(), time(), in_flight, outcome).prop_map(|(now, latency, in_flight, outcome)| {
            Sample {
                now,
                latency,
                in_flight,
                outcome,
            }
        });
    // In order of time more often than not, or hardly a window would end.
    (prop::collection::vec(sample, 0..100), 0..3).prop_map(|(mut samples, order)| {
        if order > 0 {
            samples.sort_by_key(|sample| sample.now);
        }
        samples
    })
}

fn aimd_options() -> impl Strategy<Value = AimdOptions> {
    let ratio = || 0.001..0.999;
    let guards = (
        0..4_u64,
        any::<bool>(),
        prop::option::of(ratio()),
        select(vec![Growth::Bound, Growth::HalfUsed]),
        prop::option::of(ratio()),
    );
    let window = (1..3_000_000_000_u64).prop_map(Duration::from_nanos);
    (limits(), window, ratio(), 1.0..1e9, guards).prop_map(
        |([min_limit, initial_limit, max_limit], window, factor, tolerance, guards)| {
            let (min_samples, learn_baseline_when_idle, relearn_after_cut, growth, share) = guards;
            AimdOptions {
                min_limit,
                max_limit,
                initial_limit,
                sampling_window: window,
                decrease_factor: factor,
                latency_tolerance: tolerance,
                min_samples,
                learn_baseline_when_idle,
                relearn_after_cut,
                growth,
                overload_share: share,
                censored_cancellations: share.is_some(),
                monitor_only: false,
            }
        },
    )
}
