use std::time::Duration;

/// A stretch of a trial with one rate of arrivals.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    /// What records and plots call it.
    pub(crate) name: &'static str,
    /// The rate, as a multiple of the capacity.
    pub(crate) load: f64,
    /// How many stores each report is about; with more the database is slower.
    pub(crate) stores: u32,
    /// What that leaves of the capacity.
    pub(crate) left: f64,
    /// When it begins, from the start of the trial.
    pub(crate) start: Duration,
    pub(crate) length: Duration,
}

impl Phase {
    /// The phases of a trial: into the overload and out of it, and the same
    /// with a database that becomes slower; `slow` is what it can do then, of
    /// what it could before.
    pub(crate) fn sequence(length: Duration, slow: f64) -> Vec<Self> {
        let mut start = Duration::ZERO;
        let mut phases = Vec::with_capacity(PHASES.len());
        for (name, load, stores, lengths) in PHASES {
            let length = length.mul_f64(lengths);
            phases.push(Self {
                name,
                load,
                stores,
                left: if stores > 1 { slow } else { 1.0 },
                start,
                length,
            });
            start += length;
        }
        phases
    }

    /// When it ends, from the start of the trial.
    pub(crate) fn end(&self) -> Duration {
        self.start + self.length
    }

    /// Whether more arrives than can be answered.
    pub(crate) fn is_overload(&self) -> bool {
        self.load > self.left
    }

    /// What can be answered of what arrives, as a multiple of the capacity.
    pub(crate) fn possible(&self) -> f64 {
        self.load.min(self.left)
    }
}

/// How many stores a report is about where the database is slow; each of its
/// queries reads as many times the rows.
pub(crate) const MANY_STORES: u32 = 4;

/// Name, load, stores of a report, and length. There is little to see before
/// the overloads, and most in them.
const PHASES: [(&str, f64, u32, f64); 6] = [
    ("0.5x", 0.5, 1, 0.75),
    ("1x", 1.0, 1, 0.75),
    ("3x", 3.0, 1, 1.25),
    ("0.5x after", 0.5, 1, 1.0),
    ("slow database", 0.5, MANY_STORES, 1.25),
    ("recovered", 0.5, 1, 1.0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phase_begins_where_the_one_before_ends() {
        let phases = Phase::sequence(Duration::from_secs(2), 0.25);
        assert_eq!(phases[0].start, Duration::ZERO);
        for pair in phases.windows(2) {
            assert_eq!(pair[0].end(), pair[1].start);
        }
    }

    #[test]
    fn a_slow_database_is_overloaded_by_what_it_could_do_before() {
        let overloads = |slow| {
            let phases = Phase::sequence(Duration::from_secs(2), slow);
            let overloads = phases.into_iter().filter(Phase::is_overload);
            overloads.map(|phase| phase.name).collect::<Vec<_>>()
        };
        assert_eq!(overloads(0.25), ["3x", "slow database"]);
        assert_eq!(overloads(0.6), ["3x"]);
    }
}
