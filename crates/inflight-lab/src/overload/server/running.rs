use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use axum::extract::{Request, State};
use axum::middleware;
use axum::middleware::Next;
use axum::response::Response;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::occupancy::Occupancy;

/// A router that is served on a loopback port.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    occupancy: Arc<Occupancy>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<io::Result<()>>,
}

impl Server {
    /// Serves `router` and counts in `occupancy` what arrives, before any limit.
    pub(crate) async fn start(router: Router, occupancy: Arc<Occupancy>) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.context("cannot open a port on the loopback interface")?;
        let address = listener.local_addr()?;
        let listener = listener.tap_io(|connection| {
            // Without it a small answer could wait for an acknowledgement; if
            // it cannot be set, latencies are worse, and that is all.
            let _ = connection.set_nodelay(true);
        });
        let counted = router.layer(middleware::from_fn_with_state(
            Arc::clone(&occupancy),
            count_arrival,
        ));
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = axum::serve(listener, counted).with_graceful_shutdown(async {
            // A sender that is gone is as good as its message.
            let _ = stopped.await;
        });
        let task = tokio::spawn(async move { serving.await });
        Ok(Self {
            address,
            occupancy,
            stop,
            task,
        })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    /// Takes no more requests and waits for those that are being served.
    pub(crate) async fn stop(self) -> anyhow::Result<()> {
        // The task may have ended with an error; then this fails and that is told.
        let _ = self.stop.send(());
        self.task.await?.context("the server broke")
    }
}

async fn count_arrival(
    State(occupancy): State<Arc<Occupancy>>,
    request: Request,
    next: Next,
) -> Response {
    let _arrived = occupancy.arrive();
    next.run(request).await
}
