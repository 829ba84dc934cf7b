use inflight_core::Reason;

use super::answer::{Answer, Facts};
use super::model::Model;
use super::world::World;

/// What the random steps have led to.
impl<M: Model> World<M> {
    pub(crate) fn note(&mut self, situation: impl Into<String>) {
        self.seen.push(situation.into());
    }

    pub(crate) fn note_arrival(&mut self, answer: Answer) {
        let books = self.model.books();
        let (limit, is_alone) = (books.options.limit.get(), books.line.is_empty());
        let mut answers = books.answers.iter();
        let finds_late = answers.any(|(_, answer)| is_timeout(*answer));
        match answer {
            Answer::Granted(_) if finds_late => self.note("late ones make room for an arrival"),
            Answer::Granted(weight) if weight > limit => self.note("a heavy one is admitted alone"),
            Answer::Granted(_) if !is_alone => self.note("one is admitted past the line"),
            Answer::Queued if finds_late => self.note("late ones make place for an arrival"),
            Answer::Granted(_) | Answer::Queued => {}
            Answer::Refused(facts) => self.note_refusal("on arrival", facts),
        }
    }

    pub(crate) fn note_answers(&mut self) {
        let books = self.model.books();
        let limit = books.options.limit.get();
        let answers: Vec<_> = books.answers.iter().map(|(_, answer)| *answer).collect();
        let mut granted = 0;
        for answer in answers {
            match answer {
                Answer::Granted(weight) => {
                    granted += 1;
                    if weight > limit {
                        self.note("a heavy one is granted alone");
                    }
                }
                Answer::Queued => unreachable!("it is no answer"),
                Answer::Refused(facts) => self.note_refusal("in the line", facts),
            }
        }
        if granted > 1 {
            self.note("several are granted at once");
        }
    }

    pub(crate) fn note_line(&mut self) {
        let books = self.model.books();
        let is_over = books.in_flight > books.options.limit.get() && self.running.len() > 1;
        let mut line = books.line.iter();
        let is_beside_room = line.any(|caller| books.fits(caller.weight));
        if is_over {
            self.note("the limit is below what is in flight");
        }
        if is_beside_room {
            self.note("one waits who would fit");
        }
    }

    fn note_refusal(&mut self, place: &str, facts: Facts) {
        let whose = if facts.of_key { " for its key" } else { "" };
        self.note(format!("{:?} {place}{whose}", facts.reason));
    }
}

fn is_timeout(answer: Answer) -> bool {
    matches!(answer, Answer::Refused(facts) if facts.reason == Reason::QueueTimeout)
}
