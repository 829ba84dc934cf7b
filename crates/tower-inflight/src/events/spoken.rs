use inflight_core::{Reason, Snapshot};
use tracing::Level;

use super::alarm::Alarm;
use crate::Rejection;

/// Says what happens to a limiter.
#[derive(Debug)]
pub(crate) struct Events {
    alarm: Alarm,
}

impl Events {
    pub(crate) fn new() -> Self {
        Self {
            alarm: Alarm::new(),
        }
    }

    /// Whether anybody listens to what is said of rejections.
    #[inline]
    pub(crate) fn are_heard() -> bool {
        tracing::enabled!(Level::WARN) || tracing::enabled!(Level::DEBUG)
    }

    pub(crate) fn rejected(&self, rejection: &Rejection) {
        tracing::debug!(
            limiter = rejection.name(),
            reason = rejection.reason().as_str(),
            limit = rejection.limit(),
            in_flight = rejection.in_flight(),
            queue_limit = rejection.queue_limit(),
            queued = rejection.queued(),
            waited = ?rejection.waited(),
            "a call was rejected",
        );
        // Whoever closed it knows.
        if rejection.reason() == Reason::Closed || !tracing::enabled!(Level::WARN) {
            return;
        }
        if let Some(calls) = self.alarm.ring() {
            tracing::warn!(
                limiter = rejection.name(),
                calls,
                reason = rejection.reason().as_str(),
                limit = rejection.limit(),
                in_flight = rejection.in_flight(),
                queue_limit = rejection.queue_limit(),
                queued = rejection.queued(),
                "calls are being rejected",
            );
        }
    }

    pub(crate) fn limit_set(limiter: Option<&str>, before: usize, after: usize) {
        if before != after {
            tracing::info!(limiter, before, after, "the limit was set");
        }
    }

    pub(crate) fn closed(limiter: Option<&str>, snapshot: &Snapshot) {
        tracing::info!(
            limiter,
            in_flight = snapshot.in_flight,
            queued = snapshot.queued,
            "the limiter was closed",
        );
    }
}
