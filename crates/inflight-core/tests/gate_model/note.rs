use inflight_core::Reason;

use crate::answer::Answer;
use crate::situation::Situation;
use crate::world::World;

impl World {
    pub(crate) fn note_arrival(&mut self, answer: Answer) {
        let expired = self.has_expired();
        let limit = self.model.options.limit.get();
        let situation = match (answer, answer.reason()) {
            (Answer::Granted(_), _) if expired => Situation::ExpiredThenAdmitted,
            (Answer::Granted(weight), _) if weight > limit => Situation::AdmittedAlone,
            (Answer::Granted(_), _) if !self.model.line.is_empty() => {
                Situation::AdmittedPastTheLine
            }
            (_, Some(Reason::LimitReached)) => Situation::LimitReached,
            (_, Some(Reason::QueueFull)) => Situation::QueueFull,
            (_, Some(Reason::QueueTimeout)) => Situation::ZeroWait,
            (_, Some(Reason::TooHeavy)) => Situation::TooHeavy,
            _ if expired => Situation::ExpiredByArrival,
            _ => return,
        };
        self.seen.push(situation);
    }

    pub(crate) fn note_answers(&mut self) {
        let answers = self.model.answers.iter();
        let granted = |answer: &Answer| matches!(answer, Answer::Granted(_));
        if answers
            .clone()
            .filter(|(_, answer)| granted(answer))
            .count()
            > 1
        {
            self.seen.push(Situation::SeveralGranted);
        }
        for (_, answer) in answers {
            let situation = match (*answer, answer.reason()) {
                (Answer::Granted(weight), _) if weight > self.model.options.limit.get() => {
                    Situation::GrantedAlone
                }
                (_, Some(Reason::Closed)) => Situation::Closed,
                (_, Some(Reason::QueueEvicted)) => Situation::Evicted,
                (_, Some(Reason::QueueTimeout)) => Situation::ExpiredByAnother,
                _ => continue,
            };
            self.seen.push(situation);
        }
    }

    pub(crate) fn note_line(&mut self) {
        let model = &self.model;
        if model.in_flight > model.options.limit.get() && self.permits.len() > 1 {
            self.seen.push(Situation::LimitBelowInFlight);
        }
        if model.line.iter().any(|caller| model.fits(caller.weight)) {
            self.seen.push(Situation::LightBehindHeavy);
        }
    }

    fn has_expired(&self) -> bool {
        let mut answers = self.model.answers.iter();
        answers.any(|(_, answer)| answer.reason() == Some(Reason::QueueTimeout))
    }
}
