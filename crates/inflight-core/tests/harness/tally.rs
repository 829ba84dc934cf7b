use super::answer::Answer;

/// What became of all who arrived, as the gate told them.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) arrived: usize,
    pub(crate) admitted: usize,
    pub(crate) rejected: usize,
    pub(crate) cancelled: usize,
}

impl Tally {
    pub(crate) fn count(&mut self, answer: Answer) {
        match answer {
            Answer::Granted(_) => self.admitted += 1,
            Answer::Queued => {}
            Answer::Refused(_) => self.rejected += 1,
        }
    }

    pub(crate) fn told(&self) -> usize {
        self.admitted + self.rejected + self.cancelled
    }
}
