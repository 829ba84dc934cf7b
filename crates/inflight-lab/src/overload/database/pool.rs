use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::thread::JoinHandle;

use anyhow::Context;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::query;
use super::query::Report;
use super::sales::Sales;

/// A fixed number of connections, each with a thread of its own.
///
/// Requests wait for a connection first come first served and without bound.
/// A query that nobody waits for any more is run all the same, as everywhere
/// where blocking work cannot be called back.
#[derive(Debug)]
pub(crate) struct Pool {
    connections: Connections,
    threads: Vec<JoinHandle<()>>,
}

/// What asks the [`Pool`] for reports.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    line: Mutex<Line>,
    changed: Condvar,
}

#[derive(Debug)]
struct Line {
    waiting: VecDeque<Query>,
    open: bool,
}

#[derive(Debug)]
struct Query {
    store: u32,
    stores: u32,
    reply: oneshot::Sender<rusqlite::Result<Report>>,
}

impl Pool {
    /// Opens as many connections as the machine has cores, but no more than four.
    pub(crate) fn open(sales: &Sales) -> anyhow::Result<Self> {
        let line = Mutex::new(Line {
            waiting: VecDeque::new(),
            open: true,
        });
        let shared = Arc::new(Shared {
            line,
            changed: Condvar::new(),
        });
        let connections = Connections { shared };
        let mut pool = Self {
            connections,
            threads: Vec::new(),
        };
        for _ in 0..Self::size() {
            let connection = query::connect(sales.path()).context("cannot open the database")?;
            let shared = Arc::clone(&pool.connections.shared);
            let serve = move || shared.serve(&connection);
            pool.threads.push(
                thread::Builder::new()
                    .name("database".to_owned())
                    .spawn(serve)?,
            );
        }
        Ok(pool)
    }

    /// How many connections there are.
    pub(crate) fn size() -> usize {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        cores.min(MOST_CONNECTIONS)
    }

    pub(crate) fn connections(&self) -> Connections {
        self.connections.clone()
    }
}

/// Forgets who still waits and ends when the queries that run have ended.
impl Drop for Pool {
    fn drop(&mut self) {
        let forgotten = self.connections.shared.close();
        drop(forgotten);
        for thread in self.threads.drain(..) {
            // A thread that panicked has told so itself.
            let _ = thread.join();
        }
    }
}

impl Connections {
    /// Waits for a connection and runs the query on it.
    pub(crate) async fn report(&self, store: u32, stores: u32) -> anyhow::Result<Report> {
        let (reply, answer) = oneshot::channel();
        self.shared.enqueue(Query {
            store,
            stores,
            reply,
        });
        Ok(answer.await.context("the pool is closed")??)
    }
}

impl Shared {
    fn enqueue(&self, query: Query) {
        let mut line = self.lock();
        if line.open {
            line.waiting.push_back(query);
            self.changed.notify_one();
        }
    }

    fn close(&self) -> VecDeque<Query> {
        let mut line = self.lock();
        line.open = false;
        self.changed.notify_all();
        std::mem::take(&mut line.waiting)
    }

    fn serve(&self, connection: &Connection) {
        while let Some(query) = self.next() {
            let report = query::report(connection, query.store, query.stores);
            // Whoever asked may have left.
            let _ = query.reply.send(report);
        }
    }

    fn next(&self) -> Option<Query> {
        let idle = |line: &mut Line| line.open && line.waiting.is_empty();
        let line = self.changed.wait_while(self.lock(), idle);
        line.unwrap_or_else(PoisonError::into_inner)
            .waiting
            .pop_front()
    }

    /// Nothing that can panic runs under this lock, so the line is always whole.
    fn lock(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// With more, one process could not play both sides.
const MOST_CONNECTIONS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overload::progress::Progress;
    use crate::stop::Stop;

    fn pool() -> Pool {
        let folder = tempfile::tempdir().unwrap();
        let sales = Sales::open(folder.path(), 1000, &Progress::hidden(), &Stop::never()).unwrap();
        Pool::open(&sales).unwrap()
    }

    #[tokio::test]
    async fn more_queries_than_connections_are_all_answered() {
        let pool = pool();
        let mut requests = tokio::task::JoinSet::new();
        for store in 0..25 {
            let connections = pool.connections();
            requests.spawn(async move { connections.report(store, 1).await.is_ok() });
        }
        assert_eq!(requests.join_all().await, [true; 25]);
    }

    #[tokio::test]
    async fn a_closed_pool_answers_with_an_error() {
        let pool = pool();
        let connections = pool.connections();
        drop(pool);
        assert!(connections.report(1, 1).await.is_err());
    }
}
