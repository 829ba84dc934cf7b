use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time;
use tokio::time::Instant;

use crate::overload::arrivals::Arrival;
use crate::overload::client::{Answer, Client};
use crate::overload::observation::{Observation, Outcome};

/// The requests of a trial, each in a task of its own.
///
/// None is cut short at its deadline: whoever gave up still holds a connection
/// and costs the server a query, as an impatient user of a browser does.
#[derive(Debug)]
pub(crate) struct Requests<'a> {
    arrivals: &'a [Arrival],
    client: Client,
    start: Instant,
    sent: usize,
    tasks: JoinSet<(usize, Outcome)>,
    rejections: Rejections,
}

/// A running count of the rejections, to look at meanwhile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rejections(Arc<AtomicUsize>);

impl<'a> Requests<'a> {
    /// None has been sent; `arrivals` are due from `start` on.
    pub(crate) fn new(arrivals: &'a [Arrival], client: Client, start: Instant) -> Self {
        let (tasks, rejections) = (JoinSet::new(), Rejections::default());
        Self {
            arrivals,
            client,
            start,
            sent: 0,
            tasks,
            rejections,
        }
    }

    /// Waits until the next request is due and sends it.
    ///
    /// # Cancel safety
    ///
    /// When it is dropped, the request has not been sent.
    pub(crate) async fn send_next(&mut self) {
        let index = self.sent;
        let Some(arrival) = self.arrivals.get(index).copied() else {
            return;
        };
        let due = self.start + arrival.at;
        time::sleep_until(due).await;
        let (client, rejections) = (self.client.clone(), self.rejections.clone());
        self.tasks.spawn(async move {
            let outcome = ask(&client, arrival, due).await;
            rejections.count_in(&outcome);
            (index, outcome)
        });
        self.sent += 1;
    }

    /// Waits for the answers to all that has been sent, but not beyond `enough`.
    pub(crate) async fn finish(mut self, enough: impl Future<Output = ()>) -> Vec<Observation> {
        let sent = self.arrivals[..self.sent].iter();
        let unanswered = |arrival: &Arrival| Observation {
            arrival: *arrival,
            outcome: Outcome::Unanswered,
        };
        let mut observations: Vec<_> = sent.map(unanswered).collect();
        let collect = async {
            while let Some(ended) = self.tasks.join_next().await {
                if let Ok((index, outcome)) = ended {
                    observations[index].outcome = outcome;
                }
            }
        };
        tokio::select! {
            () = collect => {}
            () = enough => {}
        }
        observations
    }

    /// Whether there is a next request and it is due before `end`.
    pub(crate) fn next_is_due_before(&self, end: Duration) -> bool {
        self.arrivals
            .get(self.sent)
            .is_some_and(|next| next.at < end)
    }

    pub(crate) fn rejections(&self) -> Rejections {
        self.rejections.clone()
    }
}

impl Rejections {
    pub(crate) fn count(&self) -> usize {
        // For display only.
        self.0.load(Relaxed)
    }

    fn count_in(&self, outcome: &Outcome) {
        if matches!(outcome, Outcome::Rejected { .. }) {
            self.0.fetch_add(1, Relaxed);
        }
    }
}

async fn ask(client: &Client, arrival: Arrival, due: Instant) -> Outcome {
    match client.report(arrival.inquiry).await {
        Ok(Answer::Report) => Outcome::Answered {
            latency: due.elapsed(),
        },
        Ok(Answer::Rejected { reason }) => Outcome::Rejected { reason },
        Err(error) => Outcome::Failed {
            error: format!("{error:#}"),
        },
    }
}
