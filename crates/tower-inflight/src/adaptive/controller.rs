use std::fmt;

use inflight_core::{Limit, Outcome, Sample};
use tokio::sync::watch;

use super::news::News;
use super::rule::{Decision, Locked, Rule};
use super::{Adaptation, LimitChange};
use crate::clock::Moment;
use crate::desk::Desk;
use crate::door::{Door, Held};
use crate::hooks::{Caught, attempt};

/// What moves the limit of an adaptive limiter.
///
/// Its lock comes before that of the line. Under it runs the algorithm and the
/// change of the limit, so that the two cannot disagree, and nothing else of
/// anybody's: who was let in is woken, and who wants to know is told, outside.
#[expect(unnameable_types, reason = "only what is sealed speaks of it")]
pub struct Controller {
    rule: Rule,
    news: News,
    enforces: bool,
}

/// What came of a sample, if it is worth a word.
enum Event {
    Decided(Decision),
    Panicked(Caught),
}

impl Controller {
    pub(crate) fn new(rule: Rule, news: News, enforces: bool) -> Self {
        Self {
            rule,
            news,
            enforces,
        }
    }

    /// Tells the algorithm of a call that was admitted at `since` and is about
    /// to give its permit back: first the sample, then the limit, then the
    /// permit, then whoever wants to know. What is left in `held` has to follow.
    #[inline]
    pub(crate) fn end<H: Held>(held: &mut Option<H>, since: Moment, outcome: Outcome) {
        let Some(door) = held.as_ref().filter(|held| !held.is_exempt()).map(H::door) else {
            return;
        };
        let Some(controller) = door.controller() else {
            return;
        };
        let now = Moment::now();
        let sample = Sample {
            now: door.clock().at(now),
            latency: now.nanos_since(since),
            in_flight: door.in_flight(),
            outcome,
        };
        if let Some(event) = controller.observe(door, &sample) {
            report(held, event);
        }
    }

    /// What the algorithm has learnt.
    pub(crate) fn adaptation(&self, desk: &Desk) -> Adaptation {
        let rule = self.rule.lock();
        let (limit, changes) = (rule.limit(), rule.changes());
        let last = attempt(|| rule.last_evaluation());
        drop(rule);
        let last = last.unwrap_or_else(|caught| {
            caught.account(desk, ALGORITHM);
            None
        });
        Adaptation::new(limit, changes, last)
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<Option<LimitChange>> {
        self.news.subscribe()
    }

    #[inline]
    fn observe(&self, door: &impl Door, sample: &Sample) -> Option<Event> {
        let mut rule = self.rule.lock();
        match attempt(|| rule.observe(sample)) {
            Ok(limit) if limit == rule.limit() => None,
            answer => Some(self.react(door, rule, answer)),
        }
    }

    #[cold]
    #[inline(never)]
    fn react(
        &self,
        door: &impl Door,
        mut rule: Locked<'_>,
        answer: Result<Limit, Caught>,
    ) -> Event {
        let decided = answer.and_then(|limit| attempt(|| rule.decide(limit)));
        let decision = match decided {
            Ok(decision) => decision,
            Err(caught) => return Event::Panicked(caught),
        };
        let wakes = self.enforces.then(|| door.resize(decision.after));
        drop(rule);
        drop(wakes);
        Event::Decided(decision)
    }
}

#[cold]
#[inline(never)]
fn report<H: Held>(held: &mut Option<H>, event: Event) {
    let Some(held) = held.take() else {
        return;
    };
    let door = held.door().clone();
    drop(held);
    match event {
        Event::Decided(decision) => announce(&door, &decision),
        Event::Panicked(caught) => caught.account(door.desk(), ALGORITHM),
    }
}

fn announce(door: &impl Door, decision: &Decision) {
    if let Some(controller) = door.controller() {
        let desk = door.desk();
        let change = LimitChange::new(decision, desk.sign(), controller.enforces);
        controller.news.tell(desk, &change);
    }
}

impl fmt::Debug for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller")
            .field("news", &self.news)
            .field("enforces", &self.enforces)
            .finish_non_exhaustive()
    }
}

const ALGORITHM: &str = "the algorithm of an adaptive limit";
