use std::pin::Pin;
use std::task::{Context, Waker};

use tower_inflight::{Limiter, Reason};

use super::faults::Faults;
use super::invariant::Invariant;
use super::subject::Subject;
use super::tally::Tally;

/// Looks at a subject at rest; `tally` is of all the calls it has had.
pub(crate) fn inspect(subject: &Subject, tally: &Tally, faults: &Faults) {
    let name = subject.name;
    if let Some(case) = account(subject, tally) {
        faults.report(Invariant::Accounted, || format!("{name}: {case}"));
    }
    if !is_at_rest(subject) {
        let (limiter, inside) = (&subject.limiter, subject.floor.inside());
        faults.report(Invariant::AtRest, || {
            format!("{name}: {inside} inside and {limiter:?} when all calls had ended")
        });
    }
}

/// Looks at a subject that is closed, at rest.
pub(crate) fn inspect_closed(subject: &Subject, faults: &Faults) {
    let limiter = &subject.limiter;
    // In a short round it may not have come to it.
    limiter.close();
    let reason = limiter.try_acquire().map_err(|refused| refused.reason());
    if !limiter.is_closed() || !matches!(reason, Err(Reason::Closed)) || !is_drained(limiter) {
        faults.report(Invariant::Closed, || {
            format!(
                "{}: closed, and yet {reason:?} of {limiter:?}",
                subject.name
            )
        });
    }
}

/// The counts of the callers, of the work and of the hook, if they disagree.
fn account(subject: &Subject, tally: &Tally) -> Option<String> {
    let arrived = subject.arrived();
    let admitted = subject.floor.entered();
    let cancelled = tally.cancelled;
    let seen = tally.rejected();
    let rejected = if subject.tells { subject.told() } else { seen };
    let agree = arrived == admitted + rejected + cancelled
        && (admitted, rejected) == (tally.admitted, seen);
    (!agree).then(|| {
        format!(
            "{arrived} arrived, {admitted} came in, {rejected} rejections were told; the callers \
             saw {} admitted, {seen} rejected and {cancelled} cancelled",
            tally.admitted
        )
    })
}

fn is_at_rest(subject: &Subject) -> bool {
    let limiter = &subject.limiter;
    let snapshot = limiter.snapshot();
    subject.floor.inside() == 0
        && (snapshot.in_flight, snapshot.queued) == (0, 0)
        && snapshot.available == snapshot.limit
        && limiter.queued_by_priority().is_empty()
        && is_drained(limiter)
}

fn is_drained(limiter: &Limiter) -> bool {
    let mut drained = limiter.drained();
    let mut cx = Context::from_waker(Waker::noop());
    Pin::new(&mut drained).poll(&mut cx).is_ready()
}
