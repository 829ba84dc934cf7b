mod expectations;

use super::text;
use crate::overload::contender::Contender;
use crate::overload::phase::Phase;
use crate::overload::record::Record;
use crate::overload::study::Study;

/// What to see in the numbers, and where they are not as they should be.
pub(crate) fn sentences(study: &Study, records: &[Record]) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(overload) = study.plan.overload() {
        sentences.extend(finding(study, records, overload));
        let slow = study.plan.slow();
        sentences.extend(slow.and_then(|slow| adaptation(records, overload, slow)));
        sentences.extend(expectations::shortfalls(study, records, overload));
    }
    sentences.extend(drift(study));
    sentences.extend(failures(study, records));
    sentences
}

/// The sentence that says what to see, once every contender was overloaded.
fn finding(study: &Study, records: &[Record], overload: &Phase) -> Option<String> {
    let of = |contender| find(records, contender, overload);
    let [none, stock] = [of(Contender::NoLimit)?, of(Contender::Stock)?];
    let [shed, line] = [of(Contender::StockLoadShed)?, of(Contender::Line)?];
    let priority = of(Contender::Priority)?;
    let share = |record: &Record| text::percent(record.capacity_share);
    let urgent = |record: &Record| text::percent(record.high_priority_share);
    Some(format!(
        "At {}, no limit answers {} of the capacity within {} and the stock limit {}, since \
         everybody waits behind everybody; shedding answers {}, and {} of the requests that \
         matter most; a short line keeps {} with a p99 of {} ms, and by priority {}, with {} of \
         the requests that matter most.",
        overload.name,
        share(none),
        text::time(study.setting.deadline),
        share(stock),
        share(shed),
        urgent(shed),
        share(line),
        text::milliseconds(line.p99_ms),
        share(priority),
        urgent(priority),
    ))
}

/// The sentence that says how a limit fared that nobody set.
fn adaptation(records: &[Record], overload: &Phase, slow: &Phase) -> Option<String> {
    let overloaded = find(records, Contender::Adaptive, overload)?;
    let of = |contender| find(records, contender, slow);
    let [none, line, adaptive] = [
        of(Contender::NoLimit)?,
        of(Contender::Line)?,
        of(Contender::Adaptive)?,
    ];
    let share = |record: &Record| text::percent(record.capacity_share);
    Some(format!(
        "A limit that nobody set moved within {} at {} and kept {}; while the database was slow \
         it moved within {} and answered {} of what was left of the capacity, the fixed limit {}, \
         and no limit {}.",
        text::limit(overloaded),
        overload.name,
        share(overloaded),
        text::limit(adaptive),
        share(adaptive),
        share(line),
        share(none),
    ))
}

/// Shares of a capacity that did not stay the same are to be read with care.
fn drift(study: &Study) -> Option<String> {
    let capacities = study.trials.iter().map(|trial| trial.capacity);
    let least = capacities.clone().fold(f64::INFINITY, f64::min);
    let greatest = capacities.fold(0.0, f64::max);
    (greatest > least * (1.0 + TOLERATED_DRIFT)).then(|| {
        format!(
            "The machine was not steady: it could answer {least:.0} to {greatest:.0} requests a \
             second. A share of the capacity is of what was measured right before and after."
        )
    })
}

fn failures(study: &Study, records: &[Record]) -> Option<String> {
    let failed: usize = records.iter().map(|record| record.failed).sum();
    let mut all = study.trials.iter().flat_map(|trial| &trial.observations);
    let first = all.find_map(|observation| observation.error())?;
    Some(format!(
        "Broken: {failed} requests failed, the first with: {first}."
    ))
}

fn find<'a>(records: &'a [Record], contender: Contender, phase: &Phase) -> Option<&'a Record> {
    let mine = |record: &&Record| record.contender == contender && record.phase == phase.name;
    records.iter().find(mine)
}

/// How far the capacity may move before it is told.
const TOLERATED_DRIFT: f64 = 0.1;
