//! A keyed gate under test, with books that loom does not schedule.

use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};

use inflight_core::{
    KeyedArrival, KeyedGate, KeyedHost, KeyedOptions, KeyedPermit, KeyedWait, KeyedWaiter, Reason,
    Refusal, Ticket,
};
use loom::future::block_on;
use loom::sync::Arc;
use loom::sync::atomic::AtomicUsize as LoomUsize;
use loom::thread::{self, JoinHandle};

use super::house::limit;

/// Under loom there are two shards, and every run hashes alike: these two keys
/// are in one.
pub(crate) const TOGETHER: [u8; 2] = [0, 3];
/// These are not.
pub(crate) const APART: [u8; 2] = [0, 1];
/// Both kinds of pair.
pub(crate) const PAIRS: [[u8; 2]; 2] = [TOGETHER, APART];

/// Shared by the threads of a model.
#[derive(Clone)]
pub(crate) struct Tenants(Arc<Inside>);

struct Inside {
    gate: KeyedGate<u8>,
    /// Plain atomics: loom runs one thread at a time and need not explore them.
    now: AtomicU64,
    running: [AtomicUsize; KEYS],
    /// The most that may run in this model, of one key and in all.
    ceiling: (usize, usize),
    /// Written by whoever runs, without any order of its own: where one at a
    /// time runs, a write is lost unless the gate orders it.
    written: LoomUsize,
}

impl KeyedHost for Tenants {
    type Key = u8;

    fn gate(&self) -> &KeyedGate<u8> {
        &self.0.gate
    }

    fn now(&self) -> u64 {
        self.0.now.load(Ordering::Relaxed)
    }
}

/// So many in all, so many of one key, with a line for each.
pub(crate) fn options(total: usize, key: usize) -> KeyedOptions {
    KeyedOptions {
        queue_limit: 4,
        key_queue_limit: 2,
        measure_waits: false,
        ..KeyedOptions::new(limit(total), limit(key))
    }
}

impl Tenants {
    pub(crate) fn new(options: &KeyedOptions) -> Self {
        Self::with_ceiling(options, (options.key.limit.get(), options.limit.get()))
    }

    /// For a model in which the limits rise up to `ceiling`.
    pub(crate) fn with_ceiling(options: &KeyedOptions, ceiling: (usize, usize)) -> Self {
        Self(Arc::new(Inside {
            gate: KeyedGate::new(options),
            now: AtomicU64::new(0),
            running: Default::default(),
            ceiling,
            written: LoomUsize::new(0),
        }))
    }

    pub(crate) fn at(&self, now: u64) {
        self.0.now.store(now, Ordering::Relaxed);
    }

    pub(crate) fn spawn<T: 'static>(&self, act: impl FnOnce(Self) -> T + 'static) -> JoinHandle<T> {
        let tenants = self.clone();
        thread::spawn(move || act(tenants))
    }

    pub(crate) fn hold(&self, key: u8) -> Work {
        match self.arrive(key, Ticket::new()) {
            KeyedArrival::Admitted(permit) => self.start(key, permit),
            other => panic!("there is room, but {other:?}"),
        }
    }

    pub(crate) fn queue(&self, key: u8, ticket: Ticket) -> KeyedWaiter<Self> {
        match self.arrive(key, ticket) {
            KeyedArrival::Queued(waiter) => waiter,
            other => panic!("there is no room but a place, yet {other:?}"),
        }
    }

    /// Waits for the answer, woken by nothing but the gate.
    pub(crate) fn wait(&self, key: u8, mut waiter: KeyedWaiter<Self>) -> Result<Work, Refusal> {
        block_on(poll_fn(|cx| self.poll(key, &mut waiter, cx)))
    }

    pub(crate) fn poll(
        &self,
        key: u8,
        waiter: &mut KeyedWaiter<Self>,
        cx: &Context<'_>,
    ) -> Poll<Result<Work, Refusal>> {
        match waiter.poll(cx.waker()) {
            KeyedWait::Admitted { permit, .. } => Poll::Ready(Ok(self.start(key, permit))),
            KeyedWait::Refused(refusal) => Poll::Ready(Err(refusal)),
            KeyedWait::Pending { .. } => Poll::Pending,
        }
    }

    /// Arrives and, if it is let in at once, keeps what it got.
    pub(crate) fn try_hold(&self, key: u8) -> Result<Work, Reason> {
        self.try_arrive(key, Ticket::new())
            .map(|permit| self.start(key, permit))
            .map_err(|refusal| refusal.reason())
    }

    /// Arrives, waits if need be, works and gives the permit back.
    pub(crate) fn call(&self, key: u8) -> Result<(), Reason> {
        let work = match self.arrive(key, Ticket::new()) {
            KeyedArrival::Admitted(permit) => self.start(key, permit),
            KeyedArrival::Queued(waiter) => {
                self.wait(key, waiter).map_err(|refusal| refusal.reason())?
            }
            KeyedArrival::Refused(refusal) => return Err(refusal.reason()),
        };
        let written = self.0.written.load(Ordering::Relaxed);
        self.0.written.store(written + 1, Ordering::Relaxed);
        drop(work);
        Ok(())
    }

    /// How often [`call`](Self::call) worked, as far as this thread can see.
    pub(crate) fn written(&self) -> usize {
        self.0.written.load(Ordering::Relaxed)
    }

    fn start(&self, key: u8, permit: KeyedPermit<Self>) -> Work {
        let before = self.running(key);
        let all: usize = (0..KEYS).map(|key| self.running_at(key)).sum();
        assert!(before < self.0.ceiling.0, "{before} of {key} are running");
        assert!(all < self.0.ceiling.1, "{all} are running");
        self.0.running[usize::from(key)].fetch_add(1, Ordering::Relaxed);
        Work {
            tenants: self.clone(),
            key,
            permit: Some(permit),
        }
    }

    fn running(&self, key: u8) -> usize {
        self.running_at(usize::from(key))
    }

    fn running_at(&self, key: usize) -> usize {
        self.0.running[key].load(Ordering::Relaxed)
    }

    /// All is given back, and no key is left.
    pub(crate) fn check_idle(&self) {
        let snapshot = self.gate().snapshot();
        assert_eq!(
            (
                snapshot.total.in_flight,
                snapshot.total.queued,
                snapshot.keys
            ),
            (0, 0, 0),
            "{snapshot:?}"
        );
        assert_eq!(self.gate().top(1), Vec::new());
    }
}

/// A permit that is in the books for as long as it lives.
pub(crate) struct Work {
    tenants: Tenants,
    key: u8,
    permit: Option<KeyedPermit<Tenants>>,
}

impl Drop for Work {
    fn drop(&mut self) {
        let running = &self.tenants.0.running[usize::from(self.key)];
        running.fetch_sub(1, Ordering::Relaxed);
        drop(self.permit.take());
    }
}

const KEYS: usize = 4;
