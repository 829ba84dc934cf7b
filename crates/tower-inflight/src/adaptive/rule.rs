use std::sync::{Mutex, MutexGuard, PoisonError};

use inflight_core::{Algorithm, Description, Evaluation, Limit, Sample};

/// An algorithm of any type, with the lock that orders its samples.
pub(crate) struct Rule(Mutex<Decided>);

/// A rule, while its lock is held.
pub(crate) type Locked<'a> = MutexGuard<'a, Decided>;

/// An algorithm, and what was made of it so far.
pub(crate) struct Decided {
    /// What was last decided; the algorithm may know better after a panic.
    limit: Limit,
    max_limit: Limit,
    changes: u64,
    algorithm: Box<dyn Algorithm + Send>,
}

/// A limit that has just been decided on.
pub(crate) struct Decision {
    pub(crate) number: u64,
    pub(crate) before: Limit,
    pub(crate) after: Limit,
    pub(crate) evaluation: Option<Evaluation>,
}

impl Rule {
    pub(crate) fn new(algorithm: impl Algorithm + Send + 'static) -> Self {
        let max_limit = algorithm.describe().max_limit;
        Self(Mutex::new(Decided {
            limit: algorithm.limit().min(max_limit),
            max_limit,
            changes: 0,
            algorithm: Box::new(algorithm),
        }))
    }

    #[inline]
    pub(crate) fn lock(&self) -> Locked<'_> {
        // Panics of the algorithm are caught under the lock; its own state is
        // its own affair, and ours changes after it has answered.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Decided {
    /// Takes a sample into account and returns the limit that should follow.
    ///
    /// # Panics
    ///
    /// If the algorithm does.
    #[inline]
    pub(crate) fn observe(&mut self, sample: &Sample) -> Limit {
        self.algorithm.observe(sample).min(self.max_limit)
    }

    /// Makes `after` the limit.
    ///
    /// # Panics
    ///
    /// If the algorithm does when it is asked why. The limit stays then.
    pub(crate) fn decide(&mut self, after: Limit) -> Decision {
        let before = self.limit;
        // An evaluation that says otherwise is not what moved the limit.
        let evaluation = self
            .algorithm
            .last_evaluation()
            .filter(|last| last.before == before && last.after == after);
        self.limit = after;
        self.changes += 1;
        Decision {
            number: self.changes,
            before,
            after,
            evaluation,
        }
    }

    pub(crate) fn describe(&self) -> Description {
        self.algorithm.describe()
    }

    pub(crate) fn last_evaluation(&self) -> Option<Evaluation> {
        self.algorithm.last_evaluation()
    }

    pub(crate) fn limit(&self) -> Limit {
        self.limit
    }

    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }
}
