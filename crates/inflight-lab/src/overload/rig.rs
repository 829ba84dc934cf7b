use std::sync::Arc;

use tower_inflight::Limiter;

use crate::overload::contender::{Bounds, Contender, Guarded};
use crate::overload::database::{Pool, Sales};
use crate::overload::server::{Occupancy, Server, reports};

/// A server behind a contender and a pool, which have nothing to do yet.
#[derive(Debug)]
pub(crate) struct Rig {
    pool: Pool,
    server: Server,
    limiter: Option<Limiter>,
}

impl Rig {
    pub(crate) async fn open(
        sales: &Sales,
        contender: Contender,
        bounds: Bounds,
    ) -> anyhow::Result<Self> {
        let pool = Pool::open(sales)?;
        let occupancy = Arc::new(Occupancy::default());
        let router = reports(pool.connections(), Arc::clone(&occupancy));
        let Guarded { router, limiter } = contender.guard(router, bounds)?;
        Ok(Self {
            pool,
            server: Server::start(router, occupancy).await?,
            limiter,
        })
    }

    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// The limit as it stands, if it is one of ours.
    pub(crate) fn limit(&self) -> Option<usize> {
        let limiter = self.limiter.as_ref();
        limiter.map(|limiter| limiter.snapshot().limit)
    }

    /// Ends what is being done and forgets what waits for a connection.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        // The pool first: only then can the server end.
        drop(self.pool);
        self.server.stop().await
    }
}
