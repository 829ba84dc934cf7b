//! Calls under many keys, with a limit for each key and one for all.
//!
//! Permits are measured, without a service around them: there is none around the semaphores.

use std::cell::Cell;
use std::fmt;
use std::iter;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::hand_over;
use crate::line::{self, Line};
use crate::memory::bytes_per_caller;
use crate::order::Priorities;
use crate::subject::Subject;
use crate::threads::on_each;

/// A limiter by key. Clones are the same one.
pub trait ByKey: Clone + Send + Sync + 'static {
    /// The right to run under a key.
    type Permit: 'static;

    /// With room for `total`, and for `key_limit` under each key, and lines without an end.
    fn new(total: usize, key_limit: usize) -> Self;

    /// Takes a permit if there is one.
    fn try_acquire(&self, key: u64) -> Option<Self::Permit>;

    /// Waits for a permit, and holds it until what comes of it is dropped.
    fn acquire(&self, key: u64) -> impl Future + 'static + use<Self>;
}

/// How many keys are in use, and how many threads call.
#[derive(Clone, Copy, Debug)]
pub struct Crowd {
    /// Keys under which something runs all the time.
    pub live: u64,
    /// Threads that call at once.
    pub threads: u32,
}

impl Crowd {
    /// From one key on one thread to many on two.
    pub const ALL: [Self; 6] = [
        Self::new(1, 1),
        Self::new(100, 1),
        Self::new(100_000, 1),
        Self::new(1, 2),
        Self::new(100, 2),
        Self::new(100_000, 2),
    ];

    const fn new(live: u64, threads: u32) -> Self {
        Self { live, threads }
    }
}

impl fmt::Display for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { live, threads } = self;
        let key = if *live == 1 { "key" } else { "keys" };
        let thread = if *threads == 1 { "thread" } else { "threads" };
        write!(f, "{live} {key}, {threads} {thread}")
    }
}

/// A permit is taken and given back under one of the live keys, which has room.
pub fn admitted<L: ByKey>(crowd: Crowd) -> Subject {
    let limiter = L::new(PLENTY, PLENTY);
    let held = hold_all(&limiter, crowd.live);
    calls(crowd, move |keys| {
        let (limiter, live) = (limiter.clone(), crowd.live);
        let mut draw = Draw::new(keys);
        move || {
            let permit = limiter.try_acquire(draw.below(live));
            assert!(permit.is_some(), "there is room");
        }
    })
    .keeping(held)
}

/// The same under a key that is new each time, and forgotten each time.
pub fn newcomers<L: ByKey>(crowd: Crowd) -> Subject {
    let limiter = L::new(PLENTY, PLENTY);
    let held = hold_all(&limiter, crowd.live);
    calls(crowd, move |first| {
        let limiter = limiter.clone();
        let mut keys = iter::successors(Some(first << 40), |key| Some(key + 1));
        move || {
            let key = keys.next().expect("there is always one more");
            let permit = limiter.try_acquire(key);
            assert!(permit.is_some(), "there is room");
        }
    })
    .keeping(held)
}

/// A call is refused since its key has no room, although there is some in total.
pub fn refused<L: ByKey>(crowd: Crowd) -> Subject {
    let limiter = L::new(PLENTY, 1);
    let held = hold_all(&limiter, crowd.live);
    calls(crowd, move |keys| {
        let (limiter, live) = (limiter.clone(), crowd.live);
        let mut draw = Draw::new(keys);
        move || {
            let permit = limiter.try_acquire(draw.below(live));
            assert!(permit.is_none(), "there is no room");
        }
    })
    .keeping(held)
}

/// A hundred wait under one key for its only permit, and it goes from one to the next.
pub fn handed_over_of_key<L: ByKey>(live: u64) -> Subject {
    let limiter = L::new(PLENTY, 1);
    let held = hold_all(&limiter, live);
    hand_over::steady(line_under(limiter, || u64::MAX), 100, Priorities::One).keeping(held)
}

/// `waiting` keys, at least two, each with one caller, wait for the only permit of the total.
pub fn handed_over_of_total<L: ByKey>(waiting: u64) -> Subject {
    let next = Rc::new(Cell::new(0));
    let key = move || next.replace(next.get() + 1);
    let waiting = usize::try_from(waiting).expect("a line fits into memory");
    hand_over::steady(line_under(L::new(1, PLENTY), key), waiting, Priorities::One)
}

/// The bytes of a live key: a permit, and its share of the heap.
///
/// `measure` does what [`bytes_per_caller`] says.
#[expect(
    clippy::cast_precision_loss,
    reason = "memory has far fewer than 2^52 bytes"
)]
pub fn bytes_per_key<L: ByKey>(live: u64, measure: impl FnOnce(&mut dyn FnMut()) -> i64) -> f64 {
    let limiter = L::new(PLENTY, 1);
    let mut held = Vec::with_capacity(usize::try_from(live).expect("keys fit into memory"));
    let heap = measure(&mut || held.extend((0..live).map(|key| limiter.try_acquire(key))));
    drop(held);
    size_of::<L::Permit>() as f64 + heap as f64 / live as f64
}

/// The bytes of a key under which one call waits: its future, and its share of the heap.
pub fn bytes_per_waiting_key<L: ByKey>(
    waiting: usize,
    measure: impl FnOnce(&mut dyn FnMut()) -> i64,
) -> f64 {
    let next = Rc::new(Cell::new(0));
    let key = move || next.replace(next.get() + 1);
    bytes_per_caller(&line_under(L::new(1, PLENTY), key), waiting, measure)
}

fn line_under<L: ByKey>(limiter: L, key: impl Fn() -> u64 + Clone + 'static) -> impl Line {
    let (to_hold, key_to_hold) = (limiter.clone(), key.clone());
    line::of_functions(
        move || {
            let permit = to_hold.try_acquire(key_to_hold());
            permit.expect("nobody has the permit")
        },
        move |_| limiter.acquire(key()),
    )
}

/// Has something run under each of the live keys.
fn hold_all<L: ByKey>(limiter: &L, live: u64) -> impl Sized + 'static + use<L> {
    let permits: Vec<_> = (0..live).map(|key| limiter.try_acquire(key)).collect();
    assert!(permits.iter().all(Option::is_some), "there is room");
    permits
}

/// Gives each thread a number of its own.
fn calls<O, T>(crowd: Crowd, operation: impl Fn(u64) -> O + 'static) -> Subject
where
    O: FnMut() -> T + Send + 'static,
{
    let threads = AtomicU64::new(1);
    Subject::timed_inside(move |times| {
        on_each(crowd.threads, times, || {
            operation(threads.fetch_add(1, Ordering::Relaxed))
        })
    })
}

/// Numbers in an order that no prefetcher guesses, at the price of a multiplication.
struct Draw(u64);

impl Draw {
    fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// By the constants of Knuth's MMIX.
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// More than is ever asked for.
const PLENTY: usize = 1 << 28;
