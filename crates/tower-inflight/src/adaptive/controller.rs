use inflight_core::{Host, Outcome, Sample};
use tokio::sync::watch;

use super::limit_change::LimitChange;
use super::news::News;
use super::rule::Rule;
use super::{Adaptation, rule::Decision};
use crate::Permit;
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

    /// Ends a call that was admitted at `since`: first the sample, then the
    /// limit, then the permit, then whoever wants to know.
    #[inline]
    pub(crate) fn end(permit: Permit, since: u64, outcome: Outcome) {
        let handle = permit.handle();
        let Some(controller) = handle.controller() else {
            return;
        };
        let now = handle.now();
        let sample = Sample {
            now,
            latency: now.saturating_sub(since),
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
        let decision = match attempt(|| rule.observe(sample)) {
            Ok(decision) => decision?,
            Err(caught) => {
                drop(rule);
                return Some(Event::Panicked(caught));
            }
        };
        let wakes = self.enforces.then(|| handle.resize(decision.after));
        drop(rule);
        drop(wakes);
        Some(Event::Decided(decision))
    }
}

#[cold]
fn report(permit: Permit, event: Event) {
    let handle = permit.handle().clone();
    drop(permit);
    let Some(controller) = handle.controller() else {
        return;
    };
    match event {
        Event::Decided(decision) => {
            let change = LimitChange::new(&decision, handle.sign(), controller.enforces);
            controller.news.tell(&handle, &change);
        }
        Event::Panicked(caught) => caught.account(&handle, ALGORITHM),
    }
}

const ALGORITHM: &str = "the algorithm of an adaptive limit";
