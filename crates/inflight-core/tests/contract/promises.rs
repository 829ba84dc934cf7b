//! What signatures hide: auto traits, sizes, destructors.

use std::mem::{needs_drop, size_of};
use std::panic::{RefUnwindSafe, UnwindSafe};

use inflight_core::{
    Arrival, ConfigError, Drained, Gate, GateOptions, Limit, Permit, Reason, Refusal, Snapshot,
    Ticket, Wait, Waiter,
};
use inflight_test::TestGate;

fn is_send_and_sync<T: Send + Sync>() {}
fn is_unpin<T: Unpin>() {}
fn is_static<T: 'static>() {}
fn is_unwind_safe<T: UnwindSafe + RefUnwindSafe>() {}

#[test]
fn everything_may_move_between_threads_if_its_host_may() {
    is_send_and_sync::<Gate>();
    is_send_and_sync::<Permit<TestGate>>();
    is_send_and_sync::<Waiter<TestGate>>();
    is_send_and_sync::<Arrival<TestGate>>();
    is_send_and_sync::<Wait<TestGate>>();
    is_send_and_sync::<Drained<TestGate>>();
    is_send_and_sync::<Refusal>();
    is_send_and_sync::<ConfigError>();
}

#[test]
fn nothing_has_to_be_pinned() {
    is_unpin::<Permit<TestGate>>();
    is_unpin::<Waiter<TestGate>>();
    is_unpin::<Drained<TestGate>>();
}

#[test]
fn plain_values_borrow_nothing_and_survive_a_panic() {
    is_static::<(GateOptions, Limit, Reason, Refusal, Snapshot, Ticket)>();
    is_unwind_safe::<(GateOptions, Limit, Reason, Refusal, Snapshot, Ticket)>();
    is_unwind_safe::<Permit<TestGate>>();
}

#[test]
fn what_a_call_moves_is_small() {
    let host = size_of::<TestGate>();
    assert_eq!(size_of::<Ticket>(), 16);
    assert_eq!(size_of::<Refusal>(), 24);
    assert_eq!(size_of::<Permit<TestGate>>(), host + 8);
    assert_eq!(size_of::<Waiter<TestGate>>(), host + 8);
    assert_eq!(size_of::<Limit>(), size_of::<Option<Limit>>());
    assert!(!needs_drop::<Refusal>());
}
