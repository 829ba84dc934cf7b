//! Calls of several tenants at a service that takes its time, in a time that is
//! paused.

use std::collections::BTreeMap;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};
use tower::{Service, service_fn};
use tower_inflight::Error;

/// Who calls, and how often in a second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tenant {
    pub(crate) name: char,
    pub(crate) rate: f64,
}

/// A call, and how long it keeps the service busy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) tenant: char,
    work: Duration,
}

/// What became of a tenant's calls.
#[derive(Debug, Default)]
pub(crate) struct Fate {
    pub(crate) latencies: Vec<Duration>,
    pub(crate) rejected: usize,
}

/// Has the tenants call at random for as long as `length`, and tells what became
/// of the calls that have an answer when all those of `awaited` have one.
pub(crate) async fn run<S>(
    service: S,
    tenants: &[Tenant],
    length: Duration,
    awaited: &[char],
) -> BTreeMap<char, Fate>
where
    S: Service<Request, Error = Error<()>, Future: Send + 'static> + Clone,
    S::Response: Send + 'static,
{
    let calls = schedule(tenants, length);
    let is_awaited = |tenant: char| awaited.contains(&tenant);
    let mut open = calls
        .iter()
        .filter(|(_, call)| is_awaited(call.tenant))
        .count();
    let (start, mut under_way) = (Instant::now(), JoinSet::new());
    for (arrival, request) in calls {
        sleep_until(start + arrival).await;
        let (begin, call) = (Instant::now(), service.clone().call(request));
        under_way.spawn(async move {
            let latency = call.await.ok().map(|_| begin.elapsed());
            (request.tenant, latency)
        });
    }
    sleep_until(start + length).await;
    let mut fates = BTreeMap::<_, Fate>::new();
    while let Some(call) = next_answer(&mut under_way, open > 0).await {
        let (tenant, latency) = call.unwrap();
        let fate = fates.entry(tenant).or_default();
        match latency {
            Some(latency) => fate.latencies.push(latency),
            None => fate.rejected += 1,
        }
        open -= usize::from(is_awaited(tenant));
    }
    fates
}

/// The next call that has an answer, or will have one if that is worth waiting
/// for.
async fn next_answer<T: 'static>(
    calls: &mut JoinSet<T>,
    wait: bool,
) -> Option<Result<T, JoinError>> {
    if wait {
        calls.join_next().await
    } else {
        calls.try_join_next()
    }
}

/// Takes as long as each request says.
pub(crate) fn worker() -> impl Service<
    Request,
    Response = (),
    Error = (),
    Future = impl Future<Output = Result<(), ()>> + Send + 'static,
> + Clone {
    service_fn(async |request: Request| {
        sleep(request.work).await;
        Ok(())
    })
}

impl Fate {
    /// What 99 of 100 answers stayed within.
    pub(crate) fn p99(&self) -> Duration {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        sorted[sorted.len() * 99 / 100]
    }
}

/// All calls in the order of their arrival. Those of a tenant are the same,
/// whoever else calls.
fn schedule(tenants: &[Tenant], length: Duration) -> Vec<(Duration, Request)> {
    let mut calls = Vec::new();
    for tenant in tenants {
        let mut chance = StdRng::seed_from_u64(u64::from(tenant.name));
        let mut exponential = || -(1.0 - chance.random::<f64>()).ln();
        let mut arrival = Duration::ZERO;
        loop {
            arrival += Duration::from_secs_f64(exponential() / tenant.rate);
            let work = MEAN_WORK.mul_f64(exponential());
            if arrival >= length {
                break;
            }
            let tenant = tenant.name;
            calls.push((arrival, Request { tenant, work }));
        }
    }
    calls.sort_by_key(|&(arrival, _)| arrival);
    calls
}

pub(crate) const MEAN_WORK: Duration = Duration::from_millis(100);
