use std::convert::Infallible;
use std::time::Duration;

use tokio::time;
use tokio::time::Instant;

use super::requests::{Rejections, Requests};
use crate::overload::client::Client;
use crate::overload::contender::Contender;
use crate::overload::limits::Limits;
use crate::overload::phase::Phase;
use crate::overload::plan::Plan;
use crate::overload::progress::Progress;
use crate::overload::rig::Rig;
use crate::overload::study::Evidence;
use crate::stop::Stop;

/// A contender that meets the planned arrivals.
#[derive(Debug)]
pub(crate) struct Trial<'a> {
    pub(crate) contender: Contender,
    pub(crate) plan: &'a Plan,
    pub(crate) rig: &'a Rig,
    pub(crate) progress: &'a Progress,
    /// Where the bar stands when it begins.
    pub(crate) before: Duration,
}

impl Trial<'_> {
    /// Sends every arrival when it is due and waits for the answers.
    ///
    /// It sends no more once `stop` is requested.
    pub(crate) async fn run(&self, stop: &Stop) -> Evidence {
        let start = Instant::now();
        let client = Client::new(self.rig.server().address());
        let requests = Requests::new(&self.plan.arrivals, client, start);
        let rejections = requests.rejections();
        let mut limits = Limits::default();
        let evidence = tokio::select! {
            evidence = self.gather(start, requests, stop) => evidence,
            never = self.watch(start, &rejections, &mut limits) => match never {},
        };
        Evidence { limits, ..evidence }
    }

    async fn gather(&self, start: Instant, mut requests: Requests<'_>, stop: &Stop) -> Evidence {
        let mut peaks = Vec::new();
        tokio::select! {
            () = self.send(start, &mut requests, &mut peaks) => {}
            () = stop.requested() => {}
        }
        let observations = requests.finish(self.enough(stop)).await;
        Evidence {
            contender: self.contender,
            capacity: self.plan.capacity,
            observations,
            peaks,
            limits: Limits::default(),
        }
    }

    /// Waits as long as late answers are waited for.
    async fn enough(&self, stop: &Stop) {
        tokio::select! {
            () = time::sleep(self.plan.patience()) => {}
            // Phases that were sent to their end can still be counted.
            () = stop.requested() => time::sleep(self.plan.deadline).await,
        }
    }

    async fn send(&self, start: Instant, requests: &mut Requests<'_>, peaks: &mut Vec<usize>) {
        for phase in &self.plan.phases {
            while requests.next_is_due_before(phase.end()) {
                requests.send_next().await;
            }
            time::sleep_until(start + phase.end()).await;
            peaks.push(self.rig.server().occupancy().take_peak());
        }
    }

    /// Keeps the progress up to date and looks at the limit, for ever.
    async fn watch(
        &self,
        start: Instant,
        rejections: &Rejections,
        limits: &mut Limits,
    ) -> Infallible {
        let mut ticks = time::interval(REFRESH);
        loop {
            ticks.tick().await;
            let elapsed = start.elapsed();
            if let Some(limit) = self.rig.limit() {
                limits.read(elapsed, limit);
            }
            let status = self.status(elapsed, rejections);
            self.progress.live(self.before + elapsed, status);
        }
    }

    fn status(&self, elapsed: Duration, rejections: &Rejections) -> String {
        let current = self.plan.phases.iter().find(|phase| elapsed < phase.end());
        let occupancy = self.rig.server().occupancy();
        format!(
            "{} · {} · in flight {} · queued {} · rejected {}",
            current.map_or("last answers", |Phase { name, .. }| name),
            self.contender.name(),
            occupancy.in_flight(),
            occupancy.queued(),
            rejections.count(),
        )
    }
}

/// Several in a window of the adaptive limit.
const REFRESH: Duration = Duration::from_millis(20);
