//! What if one tenant takes all the places?
//!
//! With `KeyedLimitLayer`: a limit for each tenant beside the one for all.
//! Three tenants, one of them noisy, are shown with and without it in a time
//! that is paused (`traffic.rs`), and how fair that is in one number
//! (`fairness.rs`); then an axum server knows its tenants by an API key
//! (`server.rs`, to be copied).
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

mod directory;
mod fairness;
mod server;
mod traffic;

use tokio::time;
use tower::{BoxError, Layer};
use tower_inflight::{ConcurrencyLimitLayer, Fairness, KeyedLimitLayer};

use self::fairness::Judged;
use self::traffic::{CAPACITY, Call, Tenant, calls, worker};

type KeyOf = fn(&Call) -> &'static str;

/// Calls at a time, of all tenants.
const TOTAL: usize = 12;

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), BoxError> {
    for line in noise().await? {
        println!("{line}");
    }
    for line in rush().await? {
        println!("{line}");
    }
    time::resume();
    for line in server::show().await? {
        println!("{line}");
    }
    Ok(())
}

/// Two tenants that ask for half of their third, and one that asks for fifty
/// times its third.
async fn noise() -> Result<Vec<String>, BoxError> {
    let tenants = tenants(0.5);
    let by_arrival = keyed(8, 40, Fairness::Arrival)?;
    let in_turns = keyed(8, 40, Fairness::RoundRobin)?;
    let runs = [
        (
            "without the noisy one",
            calls(one_for_all().layer(worker()), &tenants[..2]).await,
        ),
        (
            "one limit for all",
            calls(one_for_all().layer(worker()), &tenants).await,
        ),
        (
            "a limit for each too, by arrival",
            calls(by_arrival.layer(worker()), &tenants).await,
        ),
        (
            "a limit for each too, in turns",
            calls(in_turns.layer(worker()), &tenants).await,
        ),
    ];
    Ok(runs.map(|(what, fates)| Judged(fates).lines(what)).concat())
}

/// All three ask for more than there is, one of them for much more, and no
/// limit of their own is in their way: who gets what is a matter of their lines.
async fn rush() -> Result<Vec<String>, BoxError> {
    let tenants = tenants(2.0);
    let by_arrival = keyed(TOTAL, 1_000_000, Fairness::Arrival)?;
    let in_turns = keyed(TOTAL, 1_000_000, Fairness::RoundRobin)?;
    let short = keyed(TOTAL, 40, Fairness::Arrival)?;
    let runs = [
        (
            "all ask for more: long lines, by arrival",
            calls(by_arrival.layer(worker()), &tenants).await,
        ),
        (
            "all ask for more: long lines, in turns",
            calls(in_turns.layer(worker()), &tenants).await,
        ),
        (
            "all ask for more: short lines, by arrival",
            calls(short.layer(worker()), &tenants).await,
        ),
    ];
    Ok(runs.map(|(what, fates)| Judged(fates).lines(what)).concat())
}

/// Two that ask for so many times their third, and a noisy one.
fn tenants(times: f64) -> [Tenant; 3] {
    let third = CAPACITY / 3.0;
    [
        Tenant::new("quiet", third * times),
        Tenant::new("calm", third * times),
        Tenant::new("noisy", third * 50.0),
    ]
}

fn one_for_all() -> ConcurrencyLimitLayer {
    ConcurrencyLimitLayer::queued(TOTAL, 120)
}

/// The same, and `key_limit` calls of each tenant at a time, with a line for
/// each.
fn keyed(
    key_limit: usize,
    key_line: usize,
    fairness: Fairness,
) -> Result<KeyedLimitLayer<&'static str, KeyOf>, BoxError> {
    let layer = KeyedLimitLayer::builder((|call| call.tenant) as KeyOf)
        .max_concurrency(TOTAL)
        .key_max_concurrency(key_limit)
        .queue_limit(3 * key_line)
        .key_queue_limit(key_line)
        .fairness(fairness)
        .build()?;
    Ok(layer)
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn beside_a_noisy_tenant_the_others_get_what_they_ask_for() {
    assert_eq!(
        noise().await.unwrap(),
        [
            "without the noisy one: fairness 1.00",
            "    quiet  asks   20/s, gets  20/s, p99  505 ms",
            "    calm   asks   20/s, gets  20/s, p99  477 ms",
            "one limit for all: fairness 0.39",
            "    quiet  asks   20/s, gets   1/s, p99 1218 ms",
            "    calm   asks   20/s, gets   2/s, p99 1436 ms",
            "    noisy  asks 2000/s, gets 119/s, p99 1462 ms",
            "a limit for each too, by arrival: fairness 1.00",
            "    quiet  asks   20/s, gets  20/s, p99  947 ms",
            "    calm   asks   20/s, gets  20/s, p99  981 ms",
            "    noisy  asks 2000/s, gets  79/s, p99  957 ms",
            "a limit for each too, in turns: fairness 1.00",
            "    quiet  asks   20/s, gets  20/s, p99  514 ms",
            "    calm   asks   20/s, gets  20/s, p99  497 ms",
            "    noisy  asks 2000/s, gets  73/s, p99 1015 ms",
        ]
    );
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn in_turns_all_who_ask_for_more_get_the_same() {
    assert_eq!(
        rush().await.unwrap(),
        [
            "all ask for more: long lines, by arrival: fairness 0.39",
            "    quiet  asks   80/s, gets   5/s, p99 18509 ms",
            "    calm   asks   80/s, gets   5/s, p99 18829 ms",
            "    noisy  asks 2000/s, gets 109/s, p99 18725 ms",
            "all ask for more: long lines, in turns: fairness 1.00",
            "    quiet  asks   80/s, gets  40/s, p99 9937 ms",
            "    calm   asks   80/s, gets  40/s, p99 10509 ms",
            "    noisy  asks 2000/s, gets  41/s, p99 19367 ms",
            "all ask for more: short lines, by arrival: fairness 1.00",
            "    quiet  asks   80/s, gets  38/s, p99 1482 ms",
            "    calm   asks   80/s, gets  38/s, p99 1483 ms",
            "    noisy  asks 2000/s, gets  42/s, p99 1479 ms",
        ]
    );
}

#[cfg(test)]
#[tokio::test]
async fn a_server_tells_its_tenants_apart_and_strangers_not() {
    assert_eq!(
        server::show().await.unwrap(),
        [
            "a third of a paying tenant: 429 Too Many Requests, too many of your requests: key_limit",
            "another guess at a key:     429 Too Many Requests, too many of your requests: key_limit",
            "a tenant who has none yet:  503 Service Unavailable, the server is overloaded: total_limit",
            "200 OK, the report of Paying(1)",
            "200 OK, the report of Paying(1)",
            "200 OK, the report of Trying(2)",
            "200 OK, the report of Unknown",
            "tenants that are remembered: 0",
        ]
    );
}
