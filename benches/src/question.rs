use std::fmt::Display;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion};

use crate::subject::Subject;

/// Who answers a question, and how it is asked: the subject is made when it is its turn.
pub type Contender<P> = (&'static str, fn(P) -> Subject);

/// Has criterion ask `question` of every contender, once for each parameter.
pub fn ask<P>(
    criterion: &mut Criterion,
    question: &str,
    parameters: &[P],
    contenders: &[Contender<P>],
) where
    P: Copy + Display,
{
    let mut group = criterion.benchmark_group(question);
    for &parameter in parameters {
        for &(name, make) in contenders {
            let mut subject = None;
            group.bench_function(BenchmarkId::new(name, parameter), |bencher| {
                let subject = subject.get_or_insert_with(|| make(parameter));
                bencher.iter_custom(|times| subject.run(times));
            });
        }
    }
    group.finish();
}

/// Criterion, set for questions whose answers take nanoseconds.
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args()
}
