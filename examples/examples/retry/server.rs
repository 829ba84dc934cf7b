use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::time::sleep;
use tower::{BoxError, Service, service_fn};
use tower_inflight::Limiter;

use crate::dice::Dice;
use crate::policy::Call;

/// Another process, which bounds its work, and so answers 100 calls a second.
///
/// But to turn a call away is work, too: it has to be read first.
pub(crate) struct Server {
    attempts: AtomicU32,
    /// One thread, which can read 500 calls a second.
    front: Limiter,
    work: Limiter,
    dice: Dice,
    faults: f64,
}

impl Server {
    pub(crate) fn new(dice: Dice, faults: f64) -> Arc<Self> {
        Arc::new(Self {
            attempts: AtomicU32::new(0),
            front: Limiter::queued(1, usize::MAX),
            work: Limiter::queued(10, 10),
            dice,
            faults,
        })
    }

    pub(crate) fn service(
        self: &Arc<Self>,
    ) -> impl Service<Call, Response = (), Error = BoxError, Future: Send> + Clone + use<> {
        let server = Arc::clone(self);
        service_fn(move |_| {
            let server = Arc::clone(&server);
            async move { Ok(server.answer().await?) }
        })
    }

    pub(crate) fn attempts(&self) -> u32 {
        self.attempts.load(Ordering::Relaxed)
    }

    async fn answer(&self) -> Result<(), Failure> {
        self.attempts.fetch_add(1, Ordering::Relaxed);
        // What has been sent is read, whether or not the caller is still there.
        let read = tokio::spawn(self.front.run(take(2))).await;
        read.expect("it does not panic")
            .expect("everybody has a place");
        // No `Rejection` goes over the wire.
        let worked = self.work.run(take(100)).await;
        worked.map_err(|_| Failure::Busy)?;
        if self.dice.falls(self.faults) {
            return Err(Failure::Fault);
        }
        Ok(())
    }
}

async fn take(millis: u64) {
    sleep(Duration::from_millis(millis)).await;
}

#[derive(Debug)]
enum Failure {
    Busy,
    Fault,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Busy => "503, too busy",
            Self::Fault => "500, something broke",
        })
    }
}

impl std::error::Error for Failure {}
