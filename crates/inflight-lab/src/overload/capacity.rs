use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time;
use tokio::time::Instant;

use crate::overload::arrivals::Inquiry;
use crate::overload::client::Client;
use crate::overload::database::STORES;

/// Measures how many requests a second the server can answer.
///
/// A closed loop: `callers` ask one report after the other, each about so many
/// `stores`, enough of them to
/// keep every connection busy and too few to make a line. The median of some
/// windows is taken, so that a short disturbance does not count.
pub(crate) async fn measure(client: &Client, callers: usize, stores: u32, length: Duration) -> f64 {
    let answers = Arc::new(AtomicU32::new(0));
    let mut loops = JoinSet::new();
    for caller in 0..callers {
        loops.spawn(ask_for_ever(
            client.clone(),
            caller,
            stores,
            Arc::clone(&answers),
        ));
    }
    // Caches fill and connections open before it counts.
    time::sleep(length / 4).await;
    let mut rates = Vec::new();
    for _ in 0..WINDOWS {
        let (start, before) = (Instant::now(), answers.load(Relaxed));
        time::sleep(length / WINDOWS).await;
        let answered = answers.load(Relaxed) - before;
        rates.push(f64::from(answered) / start.elapsed().as_secs_f64());
    }
    median(rates)
}

async fn ask_for_ever(client: Client, caller: usize, stores: u32, answers: Arc<AtomicU32>) {
    // Callers ask about different stores.
    for store in (0..=STORES - stores).cycle().skip(caller * 7) {
        let inquiry = Inquiry {
            store,
            stores,
            high_priority: false,
        };
        if client.report(inquiry).await.is_ok() {
            answers.fetch_add(1, Relaxed);
        }
    }
}

/// The middle one of an odd number of values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

const WINDOWS: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disturbed_window_does_not_move_the_median() {
        let rates = vec![200.0, 20.0, 199.0];
        assert!((median(rates) - 199.0).abs() < f64::EPSILON);
    }
}
