use crate::overload::contender::Contender;
use crate::overload::phase::Phase;
use crate::overload::record::Record;
use crate::overload::report::text;
use crate::overload::study::Study;

/// Where the numbers of an overload are not what a limit is for.
pub(crate) fn shortfalls(study: &Study, records: &[Record], overload: &Phase) -> Vec<String> {
    let overloaded = records
        .iter()
        .filter(|record| record.phase == overload.name);
    let shortfalls = overloaded.flat_map(|record| {
        let wrong = shortfalls_of(record, longest_ms(study, record));
        wrong
            .into_iter()
            .map(|wrong| format!("Not as expected: {} {wrong}.", record.contender.name()))
    });
    shortfalls.collect()
}

fn shortfalls_of(record: &Record, longest_ms: f64) -> Vec<String> {
    match record.contender {
        Contender::NoLimit | Contender::Stock => not_overloaded(record).into_iter().collect(),
        Contender::StockLoadShed => Vec::new(),
        Contender::Adaptive | Contender::Line => not_kept(record, longest_ms),
        Contender::Priority => {
            let mut wrong = not_kept(record, longest_ms);
            wrong.extend(priority_not_kept(record));
            wrong
        }
    }
}

fn not_overloaded(record: &Record) -> Option<String> {
    (record.capacity_share >= LEAST_GOODPUT).then(|| "was not overloaded".to_owned())
}

fn not_kept(record: &Record, longest_ms: f64) -> Vec<String> {
    let mut wrong = Vec::new();
    if record.capacity_share < LEAST_GOODPUT {
        let share = text::percent(record.capacity_share);
        wrong.push(format!("kept only {share} of the capacity"));
    }
    if record.p99_ms.is_some_and(|p99| p99 > longest_ms) {
        let p99 = text::milliseconds(record.p99_ms);
        wrong.push(format!("has a p99 of {p99} ms, above {longest_ms:.0} ms"));
    }
    wrong
}

fn priority_not_kept(record: &Record) -> Option<String> {
    let low = record
        .high_priority_share
        .filter(|share| *share < LEAST_HIGH_PRIORITY)?;
    let share = text::percent(low);
    Some(format!(
        "answered only {share} of the requests that matter most"
    ))
}

/// What the p99 behind a line should not exceed, in milliseconds: the longest
/// wait, then the work.
///
/// With `limit` requests in flight the work takes `limit / capacity` in the
/// mean (Little's law); a p99 is given twice that.
#[expect(clippy::cast_precision_loss, reason = "a limit that matters is small")]
fn longest_ms(study: &Study, record: &Record) -> f64 {
    let bounds = study.setting.bounds;
    // One that moves is given the work at the most that it let in.
    let limit = record
        .limit
        .as_ref()
        .map_or(bounds.limit, |limit| *limit.end());
    let work = limit as f64 / record.capacity;
    (bounds.queue_timeout.as_secs_f64() + 2.0 * work) * 1000.0
}

/// What a limit is to keep of the capacity in an overload.
const LEAST_GOODPUT: f64 = 0.9;

/// What a line by priority is to keep of the requests that matter most.
const LEAST_HIGH_PRIORITY: f64 = 0.99;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn record(contender: Contender, capacity_share: f64, p99_ms: f64) -> Record {
        Record {
            contender,
            phase: "3x",
            capacity: 200.0,
            offered: 100,
            answered_in_deadline: 30,
            missed: 70,
            failed: 0,
            rejected: BTreeMap::new(),
            capacity_share,
            high_priority_share: Some(0.98),
            p50_ms: Some(50.0),
            p99_ms: Some(p99_ms),
            high_priority_p50_ms: None,
            high_priority_p99_ms: None,
            peak_in_flight: 4,
            limit: None,
        }
    }

    #[test]
    fn what_a_line_is_to_keep_is_checked() {
        assert_eq!(
            shortfalls_of(&record(Contender::Line, 0.9, 120.0), 120.0),
            [""; 0]
        );
        for contender in [Contender::Line, Contender::Adaptive] {
            assert_eq!(
                shortfalls_of(&record(contender, 0.89, 121.0), 120.0),
                [
                    "kept only 89 % of the capacity",
                    "has a p99 of 121 ms, above 120 ms"
                ],
            );
        }
    }

    #[test]
    fn a_line_by_priority_is_to_keep_those_that_matter_most() {
        assert_eq!(
            shortfalls_of(&record(Contender::Priority, 0.95, 90.0), 120.0),
            ["answered only 98 % of the requests that matter most"],
        );
    }

    #[test]
    fn an_overload_that_is_none_is_told() {
        let fine = record(Contender::NoLimit, 0.95, 20.0);
        assert_eq!(shortfalls_of(&fine, 120.0), ["was not overloaded"]);
        assert_eq!(
            shortfalls_of(&record(Contender::Stock, 0.1, 4000.0), 120.0),
            [""; 0]
        );
        assert_eq!(
            shortfalls_of(&record(Contender::StockLoadShed, 0.5, 20.0), 120.0),
            [""; 0]
        );
    }
}
