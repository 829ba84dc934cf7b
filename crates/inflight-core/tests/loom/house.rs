//! A gate under test, with books that loom does not schedule.

use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Poll, Waker};

use inflight_core::{
    Arrival, Gate, GateOptions, Host, Limit, Permit, Reason, Refusal, Ticket, Wait, Waiter,
};
use loom::future::block_on;
use loom::sync::Arc;
use loom::sync::atomic::AtomicUsize as LoomUsize;
use loom::thread::{self, JoinHandle};

/// Shared by the threads of a model.
#[derive(Clone)]
pub(crate) struct House(Arc<Inside>);

struct Inside {
    gate: Gate,
    books: Books,
    /// Written by whoever runs, without any order of its own: with a limit of
    /// one, a write is lost unless the gate orders it.
    written: LoomUsize,
    /// The most that may run in this model.
    ceiling: usize,
}

/// Plain atomics: loom runs one thread at a time and need not explore them.
#[derive(Default)]
struct Books {
    now: AtomicU64,
    arrived: AtomicUsize,
    admitted: AtomicUsize,
    refused: AtomicUsize,
    cancelled: AtomicUsize,
    running: AtomicUsize,
}

impl Host for House {
    fn gate(&self) -> &Gate {
        &self.0.gate
    }

    fn now(&self) -> u64 {
        self.0.books.now.load(Ordering::Relaxed)
    }
}

pub(crate) fn limit(limit: usize) -> Limit {
    Limit::new(limit).expect("a limit in range")
}

/// A fixed gate with a line: first come, first served.
pub(crate) fn plain(limit_: usize, queue_limit: usize) -> GateOptions {
    GateOptions {
        queue_limit,
        ..GateOptions::new(limit(limit_))
    }
}

pub(crate) fn by_priority(limit: usize, queue_limit: usize) -> GateOptions {
    GateOptions {
        by_priority: true,
        ..plain(limit, queue_limit)
    }
}

/// The same, but nobody is told how long it has waited.
pub(crate) fn unmeasured(options: GateOptions) -> GateOptions {
    GateOptions {
        measure_waits: false,
        ..options
    }
}

pub(crate) fn weighing(weight: u32) -> Ticket {
    Ticket::new().with_weight(weight)
}

pub(crate) fn prior(priority: i32) -> Ticket {
    Ticket::new().with_priority(priority)
}

impl House {
    pub(crate) fn new(options: &GateOptions) -> Self {
        Self::with_ceiling(options, options.limit.get())
    }

    /// For a model in which the limit rises up to `ceiling`.
    pub(crate) fn with_ceiling(options: &GateOptions, ceiling: usize) -> Self {
        Self(Arc::new(Inside {
            gate: Gate::new(options),
            books: Books::default(),
            written: LoomUsize::new(0),
            ceiling,
        }))
    }

    pub(crate) fn at(&self, now: u64) {
        self.0.books.now.store(now, Ordering::Relaxed);
    }

    pub(crate) fn spawn<T: 'static>(&self, act: impl FnOnce(Self) -> T + 'static) -> JoinHandle<T> {
        let house = self.clone();
        thread::spawn(move || act(house))
    }

    /// Arrives, and notes what came of it at once.
    pub(crate) fn enter(&self, ticket: Ticket) -> Arrival<Self> {
        self.0.books.arrived.fetch_add(1, Ordering::Relaxed);
        let arrival = self.arrive(ticket);
        match &arrival {
            Arrival::Admitted(permit) => self.admit(permit),
            Arrival::Refused(_) => self.refuse(),
            Arrival::Queued(_) => {}
        }
        arrival
    }

    pub(crate) fn hold(&self, ticket: Ticket) -> Permit<Self> {
        match self.enter(ticket) {
            Arrival::Admitted(permit) => permit,
            other => panic!("there is room, but {other:?}"),
        }
    }

    pub(crate) fn queue(&self, ticket: Ticket) -> Waiter<Self> {
        match self.enter(ticket) {
            Arrival::Queued(waiter) => waiter,
            other => panic!("there is no room but a place, yet {other:?}"),
        }
    }

    /// Asks whether it may run, woken or not.
    pub(crate) fn ask(&self, waiter: &mut Waiter<Self>) -> Option<Permit<Self>> {
        match waiter.poll(Waker::noop()) {
            Wait::Admitted { permit, .. } => {
                self.admit(&permit);
                Some(permit)
            }
            Wait::Refused(refusal) => panic!("nobody has a reason to refuse: {refusal:?}"),
            Wait::Pending { .. } => None,
        }
    }

    /// Waits for the answer, woken by nothing but the gate.
    pub(crate) fn wait(&self, mut waiter: Waiter<Self>) -> Result<Permit<Self>, Refusal> {
        block_on(poll_fn(|cx| match waiter.poll(cx.waker()) {
            Wait::Admitted { permit, .. } => Poll::Ready(Ok(permit)),
            Wait::Refused(refusal) => Poll::Ready(Err(refusal)),
            Wait::Pending { .. } => Poll::Pending,
        }))
        .inspect(|permit| self.admit(permit))
        .inspect_err(|_| self.refuse())
    }

    /// Gives a place, or an answer that nobody fetched, up.
    pub(crate) fn cancel(&self, waiter: Waiter<Self>) {
        drop(waiter);
        self.0.books.cancelled.fetch_add(1, Ordering::Relaxed);
    }

    /// Arrives, waits if need be, works and gives the permit back.
    pub(crate) fn call(&self, ticket: Ticket) -> Result<(), Reason> {
        let permit = match self.enter(ticket) {
            Arrival::Admitted(permit) => permit,
            Arrival::Queued(waiter) => self.wait(waiter).map_err(|refusal| refusal.reason())?,
            Arrival::Refused(refusal) => return Err(refusal.reason()),
        };
        self.work();
        self.finish(permit);
        Ok(())
    }

    pub(crate) fn work(&self) {
        let written = self.0.written.load(Ordering::Relaxed);
        self.0.written.store(written + 1, Ordering::Relaxed);
    }

    pub(crate) fn finish(&self, permit: Permit<Self>) {
        let weight = permit.weight() as usize;
        self.0.books.running.fetch_sub(weight, Ordering::Relaxed);
        drop(permit);
    }

    /// How often [`call`](Self::call) worked, as far as this thread can see.
    pub(crate) fn written(&self) -> usize {
        self.0.written.load(Ordering::Relaxed)
    }

    fn admit(&self, permit: &Permit<Self>) {
        let books = &self.0.books;
        books.admitted.fetch_add(1, Ordering::Relaxed);
        let weight = permit.weight() as usize;
        let before = books.running.fetch_add(weight, Ordering::Relaxed);
        assert!(
            before == 0 || before + weight <= self.0.ceiling,
            "{before} are running and {weight} more were admitted"
        );
    }

    fn refuse(&self) {
        self.0.books.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// All is given back, and everyone who arrived is accounted for.
    pub(crate) fn check_idle(&self) {
        let snapshot = self.gate().snapshot();
        assert_eq!(
            (snapshot.in_flight, snapshot.queued),
            (0, 0),
            "{snapshot:?}"
        );
        let books = &self.0.books;
        let read = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        assert_eq!(
            read(&books.arrived),
            read(&books.admitted) + read(&books.refused) + read(&books.cancelled)
        );
        assert_eq!(read(&books.running), 0);
    }
}
