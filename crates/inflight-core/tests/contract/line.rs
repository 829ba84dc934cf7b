use inflight_core::{Permit, Reason, Ticket};
use inflight_test::{Queued, Task, TestGate};

pub(crate) type Caller = Task<Queued<TestGate>>;

/// Several that wait, each under the name that a test gives it.
#[derive(Default)]
pub(crate) struct Line(Vec<(&'static str, Caller)>);

impl Line {
    pub(crate) fn new<const N: usize>(
        gate: &TestGate,
        callers: [(&'static str, Ticket); N],
    ) -> Self {
        let mut line = Self::default();
        for (name, ticket) in callers {
            line.join(gate, name, ticket);
        }
        line
    }

    /// Queues one more, who is polled and so can be woken.
    #[track_caller]
    pub(crate) fn join(&mut self, gate: &TestGate, name: &'static str, ticket: Ticket) {
        let mut caller = gate.expect_queued(ticket);
        caller.expect_pending();
        self.0.push((name, caller));
    }

    /// Takes one out, who has had no answer.
    pub(crate) fn cancel(&mut self, name: &str) {
        let at = self.0.iter().position(|(other, _)| *other == name);
        let at = at.expect("it is in the line");
        self.0.remove(at).1.expect_pending();
    }

    pub(crate) fn is_woken(&self) -> bool {
        self.0.iter().any(|(_, caller)| caller.is_woken())
    }

    /// The one who was refused, and why.
    #[track_caller]
    pub(crate) fn refused(&mut self) -> (&'static str, Reason) {
        let (name, refusal) = self.answered();
        (name, refusal.map(drop).expect_err("it should be refused"))
    }

    /// The one who was granted, with its permit.
    #[track_caller]
    pub(crate) fn granted(&mut self) -> (&'static str, Permit<TestGate>) {
        let (name, permit) = self.answered();
        (name, permit.expect("it should be granted"))
    }

    /// Ends the one that runs, then whoever follows it, and says who did.
    #[track_caller]
    pub(crate) fn served_after(mut self, mut running: Permit<TestGate>) -> Vec<&'static str> {
        let mut order = Vec::new();
        while !self.0.is_empty() {
            drop(running);
            let (name, permit) = self.granted();
            order.push(name);
            running = permit;
        }
        order
    }

    /// The only one who was woken, and what it is told.
    #[track_caller]
    fn answered(&mut self) -> (&'static str, Result<Permit<TestGate>, Reason>) {
        let woken: Vec<usize> = (0..self.0.len())
            .filter(|at| self.0[*at].1.is_woken())
            .collect();
        assert_eq!(woken.len(), 1, "one is woken");
        let (name, mut caller) = self.0.remove(woken[0]);
        let answer = caller.expect_ready();
        (name, answer.map_err(|refusal| refusal.reason()))
    }
}
