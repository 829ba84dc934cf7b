//! How does a client try again without making an overload worse?
//!
//! With a policy (`policy.rs`, to be copied) that pauses longer each time and
//! not when all others do, spends no more than a share of what succeeds, ends
//! with the call's deadline, and takes a rejection of its own process for an
//! answer. It stands beside no retry and beside one that tries again at once,
//! in a time that is paused and with chances that are always the same.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

mod dice;
mod policy;
mod server;

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use tower::retry::Policy;
use tower::{BoxError, ServiceBuilder, ServiceExt};
use tower_inflight::ConcurrencyLimitLayer;

use self::dice::Dice;
use self::policy::{Call, Careful, Hasty};
use self::server::Server;

/// How long a caller waits for all its attempts and pauses together.
const PATIENCE: Duration = Duration::from_secs(1);

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

/// The same calls through each kind of client.
async fn show() -> Result<Vec<String>, BoxError> {
    let mut lines = Vec::new();
    for (load, rate, faults) in [
        ("half of what the server can do, and 3 % faults", 50.0, 0.03),
        ("twice what the server can do", 200.0, 0.0),
        ("four times what the server can do", 400.0, 0.0),
    ] {
        let never = clients(Hasty::new(0), rate, faults).await;
        let at_once = clients(Hasty::new(3), rate, faults).await;
        // The limit of this process that said no is the one that the next
        // attempt would meet, so nothing that it rejects is tried again.
        let policy = Careful::new(Dice::new(2), |_| false)?;
        let careful = clients(policy, rate, faults).await;
        lines.push(format!("{load}:"));
        lines.push(format!("    no retry:          {never}"));
        lines.push(format!("    3 more, at once:   {at_once}"));
        lines.push(format!("    3 more, carefully: {careful}"));
    }
    Ok(lines)
}

/// Calls for thirty seconds, so many times a second, and says what became of
/// it.
async fn clients<P>(policy: P, rate: f64, faults: f64) -> String
where
    P: Policy<Call, (), BoxError, Future: Send> + Clone + Send + Sync + 'static,
{
    let dice = Dice::new(1);
    let server = Server::new(dice.clone(), faults);
    let service = ServiceBuilder::new()
        .timeout(PATIENCE)
        .retry(policy)
        .map_err(BoxError::from)
        // Inside the retry, so that nothing is held while that pauses.
        .layer(ConcurrencyLimitLayer::new(1_000))
        .service(server.service());

    let (mut calls, mut count) = (JoinSet::new(), 0_u32);
    let end = Instant::now() + Duration::from_secs(30);
    let mut next = Instant::now();
    while next < end {
        sleep_until(next).await;
        let call = Call::idempotent(next + PATIENCE);
        let timed = service.clone().map_response(move |()| next.elapsed());
        calls.spawn(timed.oneshot(call));
        count += 1;
        next += dice.gap(rate);
    }
    let mut answers: Vec<_> = calls.join_all().await.into_iter().flatten().collect();
    answers.sort();
    let answered = u32::try_from(answers.len()).expect("there are no more of them than calls");
    format!(
        "{:.2} attempts a call, {:.1} % answered, half of these within {} ms",
        f64::from(server.attempts()) / f64::from(count),
        100.0 * f64::from(answered) / f64::from(count),
        answers[answers.len() / 2].as_millis(),
    )
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn the_policy_mends_faults_and_adds_nothing_to_an_overload() {
    assert_eq!(
        show().await.unwrap(),
        [
            "half of what the server can do, and 3 % faults:",
            "    no retry:          1.00 attempts a call, 97.1 % answered, half of these within 102 ms",
            "    3 more, at once:   1.03 attempts a call, 100.0 % answered, half of these within 102 ms",
            "    3 more, carefully: 1.03 attempts a call, 100.0 % answered, half of these within 102 ms",
            "twice what the server can do:",
            "    no retry:          1.00 attempts a call, 51.1 % answered, half of these within 196 ms",
            "    3 more, at once:   2.62 attempts a call, 49.9 % answered, half of these within 521 ms",
            "    3 more, carefully: 1.06 attempts a call, 51.1 % answered, half of these within 197 ms",
            "four times what the server can do:",
            "    no retry:          1.00 attempts a call, 25.5 % answered, half of these within 202 ms",
            "    3 more, at once:   1.31 attempts a call, 6.3 % answered, half of these within 959 ms",
            "    3 more, carefully: 1.03 attempts a call, 25.5 % answered, half of these within 203 ms",
        ]
    );
}
