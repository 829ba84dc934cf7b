use inflight_core::Reason;

use crate::answer::Answer;
use crate::model::Name;
use crate::situation::Situation;
use crate::world::World;

impl World {
    /// `queued` waited before.
    pub(crate) fn note_arrival(&mut self, name: Name, queued: usize, answer: Answer) {
        if name == Name::Shared && answer.reason() != Some(Reason::TooManyKeys) {
            self.seen.push(Situation::SharedKey);
        }
        let situation = match answer {
            Answer::Granted(_) if queued > 0 => Situation::AdmittedPastTheLine,
            Answer::Refused(facts) => match facts.reason {
                Reason::KeyLimit => Situation::KeyLimit,
                Reason::KeyQueueFull => Situation::KeyQueueFull,
                Reason::QueueTimeout => Situation::ZeroWait,
                Reason::TooHeavy if facts.of_key => Situation::TooHeavyForKey,
                Reason::TooHeavy => Situation::TooHeavyForTotal,
                Reason::TooManyKeys => Situation::TooManyKeys,
                Reason::TotalLimit => Situation::TotalLimit,
                Reason::TotalQueueFull => Situation::TotalQueueFull,
                _ => return,
            },
            _ => return,
        };
        self.seen.push(situation);
    }

    pub(crate) fn note_answers(&mut self) {
        let mut granted = 0;
        for (_, answer) in &self.model.answers {
            let Answer::Refused(facts) = answer else {
                granted += 1;
                continue;
            };
            let situation = match (facts.reason, facts.of_key) {
                (Reason::Closed, _) => Situation::Closed,
                (Reason::QueueEvicted, true) => Situation::EvictedFromFullKey,
                (Reason::QueueEvicted, false) => Situation::EvictedFromFullTotal,
                (Reason::QueueTimeout, true) => Situation::ExpiredAtItsOwnLimit,
                (Reason::QueueTimeout, false) => Situation::ExpiredForTheTotal,
                _ => continue,
            };
            self.seen.push(situation);
        }
        if granted > 1 {
            self.seen.push(Situation::SeveralGranted);
        }
    }

    pub(crate) fn note_line(&mut self) {
        let model = &self.model;
        if model.in_flight > model.options.limit.get() && self.running.len() > 1 {
            self.seen.push(Situation::LimitBelowInFlight);
        }
        let is_above = |name: &Name| model.keys[name].in_flight > model.keys[name].limit;
        if model.keys.keys().any(is_above) {
            self.seen.push(Situation::KeyLimitBelowInFlight);
        }
        if model.fits(1) && !model.line.is_empty() {
            self.seen.push(Situation::RoomBesideABlockedKey);
        }
    }
}
