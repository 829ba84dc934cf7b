use std::time::Duration;

/// A stretch of a trial with one rate of arrivals.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    /// What records and plots call it.
    pub(crate) name: &'static str,
    /// The rate, as a multiple of the capacity.
    pub(crate) load: f64,
    /// When it begins, from the start of the trial.
    pub(crate) start: Duration,
    pub(crate) length: Duration,
}

impl Phase {
    /// The phases of a trial: into the overload and out of it.
    pub(crate) fn sequence(length: Duration) -> Vec<Self> {
        let mut start = Duration::ZERO;
        let mut phases = Vec::with_capacity(LOADS.len());
        for (name, load) in LOADS {
            phases.push(Self {
                name,
                load,
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
}

const LOADS: [(&str, f64); 4] = [("0.5x", 0.5), ("1x", 1.0), ("3x", 3.0), ("0.5x after", 0.5)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phase_begins_where_the_one_before_ends() {
        let phases = Phase::sequence(Duration::from_secs(2));
        assert_eq!(phases[0].start, Duration::ZERO);
        for pair in phases.windows(2) {
            assert_eq!(pair[0].end(), pair[1].start);
        }
    }
}
