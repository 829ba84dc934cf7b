use inflight_core::{Host, Reason};
use inflight_test::Task;

use crate::gates::{plain, ticket};

#[test]
fn who_is_exempt_passes_a_full_gate_and_is_not_in_flight() {
    let gate = plain(1, 1);
    let running = gate.expect_admitted(ticket());
    let mut waiting = gate.expect_queued(ticket());
    waiting.expect_pending();
    let before = gate.snapshot();
    let exempt = gate.exempt();
    assert_eq!(exempt.weight(), 0);
    assert_eq!(gate.snapshot(), before);
    drop(exempt);
    assert_eq!(gate.snapshot(), before);
    assert!(!waiting.is_woken(), "nothing came free");
    drop(running);
    assert!(waiting.is_woken());
}

#[test]
fn a_closed_gate_lets_it_pass_and_is_drained_without_it() {
    let gate = plain(1, 0);
    gate.close();
    assert_eq!(gate.expect_refused(ticket()).reason(), Reason::Closed);
    let _exempt = gate.exempt();
    Task::new(gate.drained()).expect_ready();
}
