use std::time::Duration;

use inflight_core::{
    Aimd, AimdOptions, Algorithm, Description, Gradient2, Gradient2Options, Limit, Sample, Vegas,
    VegasOptions,
};

#[track_caller]
fn says(algorithm: &impl Algorithm, name: &str, bounds: (usize, usize), window: Option<u64>) {
    let said = algorithm.describe();
    assert_eq!(said.name, name);
    assert_eq!((said.min_limit.get(), said.max_limit.get()), bounds);
    assert_eq!(said.sampling_window, window.map(Duration::from_millis));
}

#[test]
fn each_says_its_name_its_bounds_and_its_window() {
    let aimd = Aimd::new(AimdOptions {
        min_limit: 2,
        ..AimdOptions::guarded()
    });
    says(&aimd.unwrap(), "AIMD", (2, 100), Some(200));
    let vegas = Vegas::new(VegasOptions {
        max_limit: 30,
        ..VegasOptions::default()
    });
    says(&vegas.unwrap(), "Vegas", (1, 30), Some(1_000));
    let gradient2 = Gradient2::new(Gradient2Options {
        sampling_window: Duration::from_millis(5),
        ..Gradient2Options::default()
    });
    says(&gradient2.unwrap(), "Gradient2", (1, 100), Some(5));
}

struct Silent;

impl Algorithm for Silent {
    fn limit(&self) -> Limit {
        Limit::ONE
    }

    fn observe(&mut self, _: &Sample) -> Limit {
        Limit::ONE
    }
}

#[test]
fn one_that_says_nothing_may_choose_any_limit() {
    says(&Silent, "custom", (1, Limit::MAX.get()), None);
    assert_eq!(Silent.describe(), Description::new("custom"));
}
