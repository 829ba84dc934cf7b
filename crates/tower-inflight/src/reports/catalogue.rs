use metrics::{Recorder, Unit};

/// Tells a recorder what the series are, for whoever reads them.
pub(super) fn describe(recorder: &dyn Recorder) {
    for (series, description) in [
        (LIMIT, "How much may be in flight now, in units of weight"),
        (MAX_LIMIT, "The most that the limit may become"),
        (IN_FLIGHT, "How much is in flight, in units of weight"),
        (QUEUED, "How many callers wait"),
    ] {
        recorder.describe_gauge(series.into(), Some(Unit::Count), description.into());
    }
    for (series, description) in [
        (ADMITTED, "Calls that were admitted"),
        (EXEMPT, "Calls that passed without a permit"),
        (
            HOOK_FAILURES,
            "Hooks and algorithms that panicked, and hooks that had to be given up",
        ),
        (REJECTED, "Calls that were turned away, by reason"),
        (CANCELLED, "Calls whose caller went away, by phase"),
    ] {
        recorder.describe_counter(series.into(), Some(Unit::Count), description.into());
    }
    for (series, description) in [
        (QUEUE_WAIT, "The wait alone, of calls that joined the line"),
        (SERVICE, "The work alone, by how it ended"),
    ] {
        recorder.describe_histogram(series.into(), Some(Unit::Seconds), description.into());
    }
}

pub(super) const LIMIT: &str = "inflight_limit";
pub(super) const MAX_LIMIT: &str = "inflight_max_limit";
pub(super) const IN_FLIGHT: &str = "inflight_in_flight";
pub(super) const QUEUED: &str = "inflight_queued";
pub(super) const ADMITTED: &str = "inflight_admitted_total";
pub(super) const EXEMPT: &str = "inflight_exempt_total";
pub(super) const HOOK_FAILURES: &str = "inflight_hook_failures_total";
pub(super) const REJECTED: &str = "inflight_rejected_total";
pub(super) const CANCELLED: &str = "inflight_cancelled_total";
pub(super) const QUEUE_WAIT: &str = "inflight_queue_wait_seconds";
pub(super) const SERVICE: &str = "inflight_service_seconds";
