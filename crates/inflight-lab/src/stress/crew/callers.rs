use std::io;
use std::sync::Arc;
use std::sync::mpsc;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::runtime;
use tokio::runtime::{Handle, Runtime};

use super::solo::Solo;
use crate::stress::caller::{call_from_task, call_from_thread};
use crate::stress::round::Round;
use crate::stress::shares::Shares;
use crate::stress::tally::Tally;

/// Three runtimes, two of them of several threads, and threads of their own.
#[derive(Debug)]
pub(crate) struct Crew {
    pools: Vec<Runtime>,
    _solo: Solo,
    handles: Arc<[Handle]>,
    lone_threads: usize,
}

impl Crew {
    /// Starts the runtimes; of `threads`, a quarter will be on their own.
    pub(crate) fn start(threads: usize) -> io::Result<Self> {
        let lone_threads = threads / 4;
        let workers = threads - lone_threads - 1;
        let solo = Solo::start()?;
        let sizes = [workers / 2, workers - workers / 2];
        let pools: Vec<_> = sizes.into_iter().map(pool).collect::<io::Result<_>>()?;
        let handles = pools.iter().map(|pool| pool.handle().clone());
        Ok(Self {
            handles: handles.chain([solo.handle()]).collect(),
            pools,
            _solo: solo,
            lone_threads,
        })
    }

    pub(crate) fn runtimes(&self) -> Arc<[Handle]> {
        Arc::clone(&self.handles)
    }

    /// Does what needs a runtime around it.
    pub(crate) fn within<T>(&self, what: impl FnOnce() -> T) -> T {
        let _inside = self.handles[0].enter();
        what()
    }

    /// How many call at a time.
    pub(crate) fn callers(&self) -> usize {
        self.handles.len() * TASKS + self.lone_threads
    }

    /// Lets all callers loose; each sends its tally when it has made its calls.
    pub(crate) fn set_out(&self, round: &Round) -> io::Result<Receiver<Tally>> {
        let (sender, tallies) = mpsc::channel();
        let mut random = StdRng::seed_from_u64(round.seed);
        let mut shares = Shares::new(round.operations, self.callers());
        for _ in 0..self.lone_threads {
            let share = shares.next_share();
            spawn_thread(round.clone(), share, random.random(), sender.clone())?;
        }
        for handle in self.handles.iter().cycle().take(self.handles.len() * TASKS) {
            let (round, sender) = (round.clone(), sender.clone());
            let (share, seed) = (shares.next_share(), random.random());
            handle.spawn(async move {
                report(&sender, call_from_task(round, share, seed).await);
            });
        }
        Ok(tallies)
    }
}

/// Whoever hangs is left behind, so that it can be told.
impl Drop for Crew {
    fn drop(&mut self) {
        for pool in self.pools.drain(..) {
            pool.shutdown_background();
        }
    }
}

fn pool(workers: usize) -> io::Result<Runtime> {
    runtime::Builder::new_multi_thread()
        .worker_threads(workers)
        .enable_all()
        .build()
}

fn spawn_thread(round: Round, share: u64, seed: u64, sender: Sender<Tally>) -> io::Result<()> {
    let call = move || report(&sender, call_from_thread(&round, share, seed));
    thread::Builder::new()
        .name("lone caller".to_owned())
        .spawn(call)?;
    Ok(())
}

fn report(sender: &Sender<Tally>, tally: Tally) {
    // Nobody listens any more if somebody else was found to hang.
    let _ = sender.send(tally);
}

/// So many callers in each runtime make a crowd on any number of threads.
const TASKS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_crew_has_somebody_in_each_place() {
        let crew = Crew::start(4).unwrap();
        assert_eq!((crew.lone_threads, crew.runtimes().len()), (1, 3));
        assert_eq!(crew.callers(), 25);
    }
}
