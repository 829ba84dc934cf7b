use std::ops::RangeInclusive;
use std::time::Duration;

use crate::overload::phase::Phase;

/// What the limit of a contender was, looked up every few milliseconds; empty
/// if it has none of ours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    /// Each at its time, from the start of the trial.
    readings: Vec<(Duration, usize)>,
}

impl Limits {
    /// Keeps what it is at `at`, no earlier than what was kept before.
    pub(crate) fn read(&mut self, at: Duration, limit: usize) {
        self.readings.push((at, limit));
    }

    /// Between what it moved in `phase`.
    pub(crate) fn during(&self, phase: &Phase) -> Option<RangeInclusive<usize>> {
        let inside = phase.start..phase.end();
        let readings = self.readings.iter();
        let mine = readings.filter(|(at, _)| inside.contains(at));
        let limits = mine.map(|(_, limit)| *limit);
        Some(limits.clone().min()?..=limits.max()?)
    }

    /// The readings before `end`, as seconds and limits, to be drawn.
    pub(crate) fn points(&self, end: Duration) -> impl Iterator<Item = (f64, f64)> {
        let readings = self.readings.iter();
        let inside = readings.take_while(move |(at, _)| *at <= end);
        inside.map(|(at, limit)| {
            let limit = u32::try_from(*limit).unwrap_or(u32::MAX);
            (at.as_secs_f64(), f64::from(limit))
        })
    }

    /// Whether it ever moved.
    pub(crate) fn move_at_all(&self) -> bool {
        self.readings.windows(2).any(|pair| pair[0].1 != pair[1].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        let mut limits = Limits::default();
        for (millisecond, limit) in [(0, 10), (749, 8), (750, 7), (1000, 9), (1500, 3)] {
            limits.read(Duration::from_millis(millisecond), limit);
        }
        limits
    }

    #[test]
    fn a_phase_has_the_limits_that_were_read_in_it() {
        // The first two are 750 ms long.
        let phases = Phase::sequence(Duration::from_secs(1), 0.25);
        let limits = limits();
        assert_eq!(limits.during(&phases[0]), Some(8..=10));
        assert_eq!(limits.during(&phases[1]), Some(7..=9));
        assert_eq!(limits.during(&phases[4]), None);
    }

    #[test]
    fn a_limit_that_stays_does_not_move() {
        let mut fixed = Limits::default();
        fixed.read(Duration::ZERO, 4);
        fixed.read(Duration::from_secs(1), 4);
        assert!(limits().move_at_all() && !fixed.move_at_all());
    }
}
