//! A rule that decides and reports, and whom nobody obeys.

use std::sync::{Arc, Mutex};

use tokio::time::advance;
use tower_inflight::{AdaptiveAimdLayer, AdaptiveLayer, AimdOptions};

use crate::house::{House, SECOND};
use crate::recorder::Recorder;

fn monitored() -> AimdOptions {
    AimdOptions {
        initial_limit: 4,
        decrease_factor: 0.5,
        monitor_only: true,
        ..AimdOptions::default()
    }
}

#[tokio::test(start_paused = true)]
async fn it_says_what_it_would_do_and_rejects_nobody() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let layer = AdaptiveAimdLayer::builder()
        .options(monitored())
        .on_limit_change({
            let told = Arc::clone(&told);
            move |change| told.lock().unwrap().push(change.to_string())
        })
        .build()
        .unwrap();
    let mut house = House::aimd(&layer);
    let changes = house.limiter.limit_changes().unwrap();
    house.fail();
    let _held = house.begin_all(500);
    advance(SECOND).await;
    house.fail();

    let adaptation = house.limiter.adaptation().unwrap();
    assert_eq!((adaptation.limit, adaptation.changes), (2, 1));
    assert_eq!(adaptation.last_window().unwrap().peak, 501);
    let change = changes.borrow().expect("it was told");
    assert_eq!((change.before(), change.after()), (4, 2));
    assert!(!change.is_enforced());
    let text = "concurrency limit would go from 4 to 2 (overload)";
    assert_eq!(*told.lock().unwrap(), [text]);

    let snapshot = house.limiter.snapshot();
    assert_eq!((snapshot.limit, snapshot.in_flight), (2_147_483_647, 500));
}

#[test]
fn the_text_says_so() {
    let layer = AdaptiveAimdLayer::builder().options(monitored()).build();
    assert_eq!(
        layer.unwrap().to_string(),
        "AdaptiveConcurrencyLimit(AIMD, initial 4, min 1, max 100, window 1s, monitor only)",
    );
}

#[test]
fn any_algorithm_can_be_monitored() {
    let layer = AdaptiveLayer::builder(Recorder::new(1)).monitor_only(true);
    let mut house = House::new(&layer.build().unwrap());
    let _held = house.begin_all(10);
    let options = house.limiter.options().adaptive().unwrap();
    assert!(options.monitor_only);
    assert_eq!(house.limiter.adaptation().unwrap().limit, 1);
}
