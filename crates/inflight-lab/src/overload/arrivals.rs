use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::overload::database::STORES;
use crate::overload::phase::Phase;

/// A request that the client is to send.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arrival {
    /// When, from the start of the trial.
    pub(crate) at: Duration,
    /// The index of its phase.
    pub(crate) phase: usize,
    pub(crate) inquiry: Inquiry,
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Inquiry {
    /// The first store that the report is about.
    pub(crate) store: u32,
    /// How many there are.
    pub(crate) stores: u32,
    pub(crate) high_priority: bool,
}

/// The arrivals of all phases, in order: a Poisson process at each one's rate.
///
/// The same seed gives the same arrivals.
pub(crate) fn schedule(phases: &[Phase], capacity: f64, seed: u64) -> Vec<Arrival> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut arrivals = Vec::new();
    for (index, phase) in phases.iter().enumerate() {
        let rate = phase.load * capacity;
        let mut at = phase.start + gap(&mut random, rate);
        while at < phase.end() {
            arrivals.push(Arrival {
                at,
                phase: index,
                inquiry: Inquiry {
                    store: random.random_range(0..=STORES - phase.stores),
                    stores: phase.stores,
                    high_priority: random.random_bool(HIGH_PRIORITY_SHARE),
                },
            });
            at += gap(&mut random, rate);
        }
    }
    arrivals
}

/// The time between two independent arrivals, of which there are `rate` a second.
fn gap(random: &mut StdRng, rate: f64) -> Duration {
    let uniform: f64 = random.random();
    Duration::from_secs_f64(-(1.0 - uniform).ln() / rate)
}

/// How many of the requests have a high priority.
pub(crate) const HIGH_PRIORITY_SHARE: f64 = 0.1;

#[cfg(test)]
mod tests {
    use super::*;

    fn phases() -> Vec<Phase> {
        Phase::sequence(Duration::from_secs(20), 0.25)
    }

    #[test]
    fn the_same_seed_gives_the_same_arrivals_and_another_gives_others() {
        let once = schedule(&phases(), 100.0, 7);
        assert_eq!(once, schedule(&phases(), 100.0, 7));
        assert_ne!(once, schedule(&phases(), 100.0, 8));
    }

    #[test]
    fn arrivals_are_in_order_and_inside_their_phase() {
        let phases = phases();
        let arrivals = schedule(&phases, 100.0, 7);
        assert!(arrivals.is_sorted_by_key(|arrival| arrival.at));
        for arrival in arrivals {
            let phase = &phases[arrival.phase];
            assert!((phase.start..phase.end()).contains(&arrival.at));
            let Inquiry { store, stores, .. } = arrival.inquiry;
            assert!(stores == phase.stores && store + stores <= STORES);
        }
    }

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    fn each_phase_has_as_many_as_its_rate_says_and_a_tenth_with_high_priority() {
        let phases = phases();
        let arrivals = schedule(&phases, 100.0, 7);
        for (index, phase) in phases.iter().enumerate() {
            let expected = 100.0 * phase.load * phase.length.as_secs_f64();
            let mine = arrivals.iter().filter(|arrival| arrival.phase == index);
            let off = mine.count() as f64 - expected;
            // Four standard deviations of a Poisson count.
            assert!(
                off.abs() < 4.0 * expected.sqrt(),
                "{}: off by {off}",
                phase.name
            );
        }
        let high = arrivals
            .iter()
            .filter(|arrival| arrival.inquiry.high_priority)
            .count();
        let share = high as f64 / arrivals.len() as f64;
        assert!((share - HIGH_PRIORITY_SHARE).abs() < 0.02, "share {share}");
    }
}
