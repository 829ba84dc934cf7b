use std::sync::Arc;
use std::time::Duration;

use tokio::task;

use crate::overload::capacity;
use crate::overload::client::Client;
use crate::overload::contender::Contender;
use crate::overload::database::Sales;
use crate::overload::phase::MANY_STORES;
use crate::overload::plan::Plan;
use crate::overload::progress::{Progress, milliseconds};
use crate::overload::rig::Rig;
use crate::overload::setting::Setting;
use crate::overload::study::{Evidence, Study};
use crate::overload::trial::Trial;
use crate::stop::Stop;

/// What all trials share.
#[derive(Debug)]
pub(crate) struct Laboratory {
    setting: Setting,
    sales: Sales,
    progress: Arc<Progress>,
    stop: Stop,
}

impl Laboratory {
    /// Finds the capacity and tries every contender, until Ctrl-C.
    ///
    /// There is nothing to report if that comes before the capacity is known.
    pub(crate) async fn study(setting: Setting) -> anyhow::Result<Option<Study>> {
        let stop = Stop::on_ctrl_c();
        let progress = Arc::new(Progress::new());
        let sales = match open_sales(&setting, &progress, &stop).await {
            Err(_) if stop.is_requested() => return Ok(None),
            sales => sales?,
        };
        let laboratory = Self {
            setting,
            sales,
            progress,
            stop,
        };
        laboratory.progress.begin("measuring the capacity", 1);
        let Some(capacity) = laboratory.capacity(1).await? else {
            return Ok(None);
        };
        let Some(slow) = laboratory.slow(capacity).await? else {
            return Ok(None);
        };
        let study = laboratory.try_all(capacity, slow).await?;
        laboratory.progress.finish();
        Ok(Some(study))
    }

    /// The capacity that was given, or else measured with reports about so many
    /// `stores`, unless it is stopped.
    async fn capacity(&self, stores: u32) -> anyhow::Result<Option<f64>> {
        if let Some(rate) = self.setting.rate {
            return Ok(Some(rate / f64::from(stores)));
        }
        let rig = self.open(Contender::NoLimit).await?;
        let client = Client::new(rig.server().address());
        let (callers, length) = (2 * self.setting.connections, self.setting.measurement);
        let capacity = tokio::select! {
            capacity = capacity::measure(&client, callers, stores, length) => Some(capacity),
            () = self.stop.requested() => None,
        };
        drop(client);
        rig.close().await?;
        Ok(capacity)
    }

    /// What the slow database leaves of `capacity`, unless it is stopped.
    async fn slow(&self, capacity: f64) -> anyhow::Result<Option<f64>> {
        let slow = self.capacity(MANY_STORES).await?;
        Ok(slow.map(|slow| slow / capacity))
    }

    async fn try_all(&self, capacity: f64, slow: f64) -> anyhow::Result<Study> {
        let plan = Plan::new(&self.setting, capacity, slow);
        let whole = milliseconds(plan.end()) * Contender::ALL.len() as u64;
        let what = format!("capacity: {capacity:.0} requests a second");
        self.progress.begin(&what, whole);
        let mut trials = Vec::new();
        let mut before = capacity;
        for (contender, bar) in Contender::ALL.into_iter().zip(0..) {
            if self.stop.is_requested() {
                break;
            }
            self.progress.tell(contender.name());
            let mut evidence = self.try_one(contender, &plan, plan.end() * bar).await?;
            // What the machine gives may change while this runs; so each
            // contender is measured against what it gave just then.
            let after = self.capacity(1).await?.unwrap_or(before);
            evidence.capacity = f64::midpoint(before, after);
            trials.push(evidence);
            before = after;
        }
        let interrupted = self.stop.is_requested();
        let setting = self.setting.clone();
        Ok(Study {
            setting,
            plan,
            trials,
            interrupted,
        })
    }

    async fn try_one(
        &self,
        contender: Contender,
        plan: &Plan,
        before: Duration,
    ) -> anyhow::Result<Evidence> {
        let rig = self.open(contender).await?;
        let progress = &self.progress;
        let trial = Trial {
            contender,
            plan,
            rig: &rig,
            progress,
            before,
        };
        let evidence = trial.run(&self.stop).await;
        rig.close().await?;
        Ok(evidence)
    }

    async fn open(&self, contender: Contender) -> anyhow::Result<Rig> {
        Rig::open(&self.sales, contender, self.setting.bounds).await
    }
}

async fn open_sales(
    setting: &Setting,
    progress: &Arc<Progress>,
    stop: &Stop,
) -> anyhow::Result<Sales> {
    let (folder, rows) = (setting.folder.clone(), setting.rows);
    let (progress, stop) = (Arc::clone(progress), stop.clone());
    task::spawn_blocking(move || Sales::open(&folder, rows, &progress, &stop)).await?
}
