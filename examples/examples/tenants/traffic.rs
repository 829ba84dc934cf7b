use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};
use tower::{BoxError, Service, service_fn};

/// Who calls, and how often in a second.
#[derive(Clone, Copy)]
pub(crate) struct Tenant {
    pub(crate) name: &'static str,
    pub(crate) rate: f64,
}

/// A call, and how long it keeps the service busy.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub(crate) tenant: &'static str,
    work: Duration,
}

/// What became of a tenant's calls.
pub(crate) struct Fate {
    pub(crate) tenant: Tenant,
    /// Of those that were answered within the time.
    pub(crate) latencies: Vec<Duration>,
}

/// How many calls a second twelve workers can answer.
pub(crate) const CAPACITY: f64 = 12.0 / 0.1;

/// How long the tenants call.
pub(crate) const LENGTH: Duration = Duration::from_secs(20);

const MEAN_WORK: Duration = Duration::from_millis(100);

impl Tenant {
    pub(crate) fn new(name: &'static str, rate: f64) -> Self {
        Self { name, rate }
    }

    /// Its calls at random times, the same whoever else calls.
    fn calls(self) -> Vec<(Duration, Call)> {
        let seed = self.name.bytes().map(u64::from).sum();
        let mut dice = StdRng::seed_from_u64(seed);
        let mut exponential = || -(1.0 - dice.random::<f64>()).ln();
        let (mut calls, mut arrival) = (Vec::new(), Duration::ZERO);
        while arrival < LENGTH {
            let (tenant, work) = (self.name, MEAN_WORK.mul_f64(exponential()));
            calls.push((arrival, Call { tenant, work }));
            arrival += Duration::from_secs_f64(exponential() / self.rate);
        }
        calls
    }
}

/// Has the tenants call, and tells what of it was answered within the time.
pub(crate) async fn calls<S>(mut service: S, tenants: &[Tenant]) -> Vec<Fate>
where
    S: Service<Call, Future: Send + 'static>,
    S::Response: Send + 'static,
    S::Error: Send + 'static,
{
    let mut calls: Vec<_> = tenants.iter().flat_map(|tenant| tenant.calls()).collect();
    calls.sort_by_key(|&(arrival, _)| arrival);
    let (start, mut under_way) = (Instant::now(), JoinSet::new());
    for (arrival, call) in calls {
        sleep_until(start + arrival).await;
        let (begin, answer) = (Instant::now(), service.call(call));
        under_way.spawn(async move {
            let answered = answer.await.is_ok();
            (call.tenant, answered.then(|| begin.elapsed()))
        });
    }
    sleep_until(start + LENGTH).await;
    let mut fates: Vec<_> = tenants.iter().map(|&tenant| Fate::of(tenant)).collect();
    while let Some(Ok((name, latency))) = under_way.try_join_next() {
        let fate = fates.iter_mut().find(|fate| fate.tenant.name == name);
        let fate = fate.expect("nobody else calls");
        fate.latencies.extend(latency);
    }
    fates
}

/// Takes as long as each call says.
pub(crate) fn worker() -> impl Service<
    Call,
    Response = (),
    Error = BoxError,
    Future = impl Future<Output = Result<(), BoxError>> + Send + 'static,
> + Clone {
    service_fn(async |call: Call| {
        sleep(call.work).await;
        Ok(())
    })
}

impl Fate {
    fn of(tenant: Tenant) -> Self {
        let latencies = Vec::new();
        Self { tenant, latencies }
    }

    /// What 99 of 100 answers stayed within.
    pub(crate) fn p99(&self) -> Duration {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        sorted
            .get(sorted.len() * 99 / 100)
            .copied()
            .unwrap_or_default()
    }
}
