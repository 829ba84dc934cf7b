//! Two events at once, for every pair of the events that a scene knows.

use loom::model::Builder;

/// One model for each pair, so that the name of a failure says which.
macro_rules! pairs {
    ($($first:ident: $($second:ident)*;)*) => {
        $(
            #[allow(non_snake_case, reason = "the events are named as they are")]
            mod $first {
                use super::{Event, meet};
                $(
                    #[test]
                    fn $second() {
                        meet(Event::$first, Event::$second);
                    }
                )*
            }
        )*
    };
}
pub(crate) use pairs;

/// One preemption less than elsewhere: three threads and a hundred pairs would
/// otherwise take longer than all the rest.
pub(crate) fn check(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = builder.preemption_bound.map(|bound| bound.max(1) - 1);
    builder.check(model);
}
