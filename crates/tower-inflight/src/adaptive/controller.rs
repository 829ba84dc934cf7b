use inflight_core::{Host, Limit, Outcome, Sample};
use tokio::sync::watch;

use super::news::News;
use super::rule::{Decision, Locked, Rule};
use super::{Adaptation, LimitChange};
use crate::Permit;
use crate::clock::Moment;
use crate::handle::Handle;
use crate::hooks::{Caught, attempt};

/// What moves the limit of an adaptive limiter.
///
/// Its lock comes before that of the line. Under it runs the algorithm and the
/// change of the limit, so that the two cannot disagree, and nothing else of
/// anybody's: who was let in is woken, and who wants to know is told, outside.
pub(crate) struct Controller {
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
    pub(super) fn new(rule: Rule, news: News, enforces: bool) -> Self {
        Self {
            rule,
            news,
            enforces,
        }
    }

    /// Tells the algorithm of a call that was admitted at `since` and is about
    /// to give its permit back: first the sample, then the limit, then the
    /// permit, then whoever wants to know. A permit that is left has to follow.
    #[inline]
    pub(crate) fn end(permit: &mut Option<Permit>, since: Moment, outcome: Outcome) {
        let Some(handle) = permit.as_ref().map(Permit::handle) else {
            return;
        };
        let Some(controller) = handle.controller() else {
            return;
        };
        let now = Moment::now();
        let sample = Sample {
            now: handle.clock().at(now),
            latency: now.nanos_since(since),
            in_flight: handle.gate().in_flight(),
            outcome,
        };
        if let Some(event) = controller.observe(handle, &sample) {
            report(permit, event);
        }
    }

    /// What the algorithm has learnt.
    pub(crate) fn adaptation(&self, handle: &Handle) -> Adaptation {
        let rule = self.rule.lock();
        let (limit, changes) = (rule.limit(), rule.changes());
        let last = attempt(|| rule.last_evaluation());
        drop(rule);
        let last = last.unwrap_or_else(|caught| {
            caught.account(handle, ALGORITHM);
            None
        });
        Adaptation::new(limit, changes, last)
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<Option<LimitChange>> {
        self.news.subscribe()
    }

    #[inline]
    fn observe(&self, handle: &Handle, sample: &Sample) -> Option<Event> {
        let mut rule = self.rule.lock();
        match attempt(|| rule.observe(sample)) {
            Ok(limit) if limit == rule.limit() => None,
            answer => Some(self.react(handle, rule, answer)),
        }
    }

    #[cold]
    fn react(&self, handle: &Handle, mut rule: Locked<'_>, answer: Result<Limit, Caught>) -> Event {
        let decided = answer.and_then(|limit| attempt(|| rule.decide(limit)));
        let decision = match decided {
            Ok(decision) => decision,
            Err(caught) => return Event::Panicked(caught),
        };
        let wakes = self.enforces.then(|| handle.resize(decision.after));
        drop(rule);
        drop(wakes);
        Event::Decided(decision)
    }
}

#[cold]
fn report(permit: &mut Option<Permit>, event: Event) {
    let Some(permit) = permit.take() else {
        return;
    };
    let handle = permit.handle().clone();
    drop(permit);
    match event {
        Event::Decided(decision) => announce(&handle, &decision),
        Event::Panicked(caught) => caught.account(&handle, ALGORITHM),
    }
}

fn announce(handle: &Handle, decision: &Decision) {
    if let Some(controller) = handle.controller() {
        let change = LimitChange::new(decision, handle.sign(), controller.enforces);
        controller.news.tell(handle, &change);
    }
}

const ALGORITHM: &str = "the algorithm of an adaptive limit";
