//! What a limiter tells of itself through the
//! [facade of the same name](::metrics), and how to read it.
//!
//! ```
//! use metrics_exporter_prometheus::PrometheusBuilder;
//! use tower_inflight::{Limiter, metrics};
//!
//! // First the recorder, then the limiters.
//! let recorder = PrometheusBuilder::new().install_recorder()?;
//! let limiter = Limiter::builder().max_concurrency(10).name("search").build()?;
//!
//! let permit = limiter.try_acquire()?;
//! metrics::publish(); // before each collection
//! let page = recorder.render();
//! assert!(page.contains(r#"inflight_limit{limiter="search"} 10"#));
//! assert!(page.contains(r#"inflight_in_flight{limiter="search"} 1"#));
//! assert!(page.contains(r#"inflight_admitted_total{limiter="search"} 1"#));
//! # drop(permit);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | name | kind | labels | what |
//! |---|---|---|---|
//! | `inflight_limit` | gauge | `limiter` | how much may be in flight now, in units of weight |
//! | `inflight_max_limit` | gauge | `limiter` | the most that the limit may become; of a fixed one the same |
//! | `inflight_in_flight` | gauge | `limiter` | how much is in flight, in units of weight |
//! | `inflight_queued` | gauge | `limiter` | how many callers wait |
//! | `inflight_admitted_total` | counter | `limiter` | calls that were admitted, at once or after a wait |
//! | `inflight_rejected_total` | counter | `limiter`, `reason` | calls that were turned away; the [`Reason`](crate::Reason) in snake case |
//! | `inflight_cancelled_total` | counter | `limiter`, `phase` | calls whose caller went away, `queued` or `running` |
//! | `inflight_exempt_total` | counter | `limiter` | calls that passed without a permit, and are counted nowhere else |
//! | `inflight_hook_failures_total` | counter | `limiter` | [`Limiter::hook_failures`](crate::Limiter::hook_failures) |
//! | `inflight_queue_wait_seconds` | histogram | `limiter` | the wait alone, of calls that joined the line, however it ended |
//! | `inflight_service_seconds` | histogram | `limiter`, `outcome` | the work alone, after the admission, of calls that were not cancelled |
//!
//! # What holds
//!
//! - **It adds up.** Arrived = admitted + rejected + cancelled while queued +
//!   waiting. A rejection is counted before any hook hears of it.
//! - **A label is a name that you gave**, or one of a few words of ours: never a
//!   priority, a key or anything else from a request. A limiter without a name
//!   has no `limiter` label. Limiters of one name are one series: their gauges
//!   are summed. Of a [`KeyedLimiter`](crate::KeyedLimiter) the gauges are those
//!   of the total.
//! - **The outcome** of a call is what the classifier of an adaptive layer says:
//!   `success`, `overload` or `ignore`. Elsewhere each error is an `overload`,
//!   and so is a panic, or a service that does not become ready. A
//!   [`Permit`](crate::Permit) taken by hand is not timed, since nobody says
//!   when its work begins or how it ends, unless it is
//!   [`measured`](crate::Permit::measured);
//!   [`Limiter::run`](crate::Limiter::run) takes every end for a success.
//! - **It is cheap.** A call that is admitted pays for a counter, a histogram
//!   and two readings of the clock; no allocation is ours. Without a recorder it
//!   pays a few nanoseconds for asking.
//!
//! # The recorder comes first
//!
//! A limiter takes its series when it is built, from the recorder that is then
//! in force, local ones included, and keeps them. One that is built before the
//! recorder is installed is never seen. (A recorder of size zero, a `struct
//! Printer;`, is taken for none: give it a field.)
//!
//! # Publish, then collect
//!
//! Counters and histograms are always up to date. The gauges are not touched by
//! any call: [`publish`] reads the limiters and sets them, so they are exact at
//! the moment of a collection and cost nothing in between. Call it where the
//! page is made:
//!
//! ```
//! use axum::{Router, extract::State, routing::get};
//! use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
//!
//! async fn page(State(recorder): State<PrometheusHandle>) -> String {
//!     tower_inflight::metrics::publish();
//!     recorder.render()
//! }
//!
//! let recorder = PrometheusBuilder::new().build_recorder();
//! let app: Router = Router::new().route("/metrics", get(page)).with_state(recorder.handle());
//! # let _ = app;
//! ```
//!
//! The Prometheus exporter makes summaries of the histograms, which do not add up
//! over several instances. It makes true histograms of those for which it is
//! told the buckets, for instance
//! `.set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &[0.01, 0.1, 1.0])?`
//! on its builder.
//!
//! Or, where an exporter makes the page or pushes by itself, in a task:
//!
//! ```
//! use std::time::Duration;
//!
//! # #[tokio::main(flavor = "current_thread", start_paused = true)]
//! # async fn main() {
//! # let publishing =
//! tokio::spawn(async {
//!     let mut ticks = tokio::time::interval(Duration::from_secs(1));
//!     loop {
//!         ticks.tick().await;
//!         tower_inflight::metrics::publish();
//!     }
//! });
//! # tokio::time::sleep(Duration::from_secs(2)).await;
//! # publishing.abort();
//! # }
//! ```
//!
//! # When a limiter goes
//!
//! At the next publication after the last limiter of a name is gone, its gauges
//! are set to 0, and its series are never touched again. The facade cannot take
//! a series away; an exporter can, after an idle time. An exporter that forgets
//! a series also loses what is counted in it later, so the counters of a
//! limiter that lives are kept from being idle as long as you publish.
//! Histograms cannot be: leave them out of what goes idle, as in
//! `.idle_timeout(MetricKindMask::COUNTER | MetricKindMask::GAUGE, ..)`.
//!
//! # Reading it
//!
//! Full is not sick: a limit that is always reached is fine while the work stays
//! fast and the line short. The two histograms tell what the sum of both cannot;
//! the chapter on [watching](crate::guide::watching) begins with that.
//!
//! | symptom | reading | what to change |
//! |---|---|---|
//! | `in_flight` stays at `limit`; wait and service time low | the capacity is in use, and bears it | nothing |
//! | the wait rises, the service time does not | demand is above the limit, and what is behind it is protected | the limit, if a load test shows more throughput above it; else capacity, or a shorter line, so that callers learn it sooner |
//! | the service time rises as `in_flight` nears `limit` | the limit is too high: what is behind it contends | lower the limit |
//! | the service time rises while `in_flight` is low | what is behind is slow by itself | not the limit; put a timeout inside it |
//! | both low, and callers see slow answers | the time goes elsewhere | look before the limiter, and after it |
//! | `rejected` in spikes, `in_flight` low between them | bursts are longer than the line | raise `queue_limit` by the size of a burst |
//! | `rejected` lasts | demand is above what was agreed | capacity, or priorities, so that it hits those who matter least; and see that clients do not retry at once |
//! | `rejected{reason="queue_timeout"}`, or `cancelled{phase="queued"}`, rises | the line is longer than callers are patient | shorten it to what is served within their patience: limit × patience / service time |
//! | `rejected{reason="queue_evicted"}` lasts | the lowest priorities are starved | as planned in an overload; else capacity |
//! | `rejected{reason="too_heavy"}` | a weight above the most that the limit may become | the weights, or the limit |
//! | `cancelled{phase="running"}` rises | callers, or a timeout outside, give up on work that goes on to be wasted | bound the work by a timeout inside the limit |
//! | `in_flight` high, and `admitted` stands still | work that never ends holds the permits | a timeout inside the limit |
//! | `in_flight` above `limit` | the limit was lowered, and what ran then is ending | nothing |
//! | `limit` of an adaptive limiter stays at its minimum | the rule sees congestion in every window | see [`algorithm`](crate::algorithm); a higher `min_limit`, or a guard |
//! | `limit` reads 2147483647 | there is none: the limiter only monitors, or has one for each key and no total | of one that monitors read [`Limiter::adaptation`](crate::Limiter::adaptation) |
//! | `hook_failures` above 0 | a hook panicked, or was too slow for a caller who could not wait | the hook |

pub use crate::reports::publish;
