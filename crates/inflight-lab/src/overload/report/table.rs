use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, Table};

use super::text;
use crate::overload::phase::Phase;
use crate::overload::record::Record;
use crate::overload::study::Study;

/// The line above the table of `phase`.
pub(crate) fn title(study: &Study, phase: &Phase) -> String {
    let rate = phase.load * study.plan.capacity;
    format!(
        "{}: {rate:.0} requests a second for {}",
        phase.name,
        text::time(phase.length),
    )
}

/// One row for each record.
pub(crate) fn of(records: &[&Record]) -> Table {
    let mut table = Table::new();
    table.load_preset(UTF8_BORDERS_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(HEADER);
    for record in records {
        table.add_row(row(record));
    }
    for column in table.column_iter_mut().skip(1).take(HEADER.len() - 2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn row(record: &Record) -> [String; HEADER.len()] {
    let pair = |p50, p99| format!("{} / {}", text::milliseconds(p50), text::milliseconds(p99));
    [
        record.contender.name().to_owned(),
        record.offered.to_string(),
        record.answered_in_deadline.to_string(),
        text::percent(record.capacity_share),
        text::percent(record.high_priority_share),
        pair(record.p50_ms, record.p99_ms),
        pair(record.high_priority_p50_ms, record.high_priority_p99_ms),
        record.peak_in_flight.to_string(),
        text::limit(record),
        (record.missed + record.failed).to_string(),
        text::rejected(record, "\n"),
    ]
}

const HEADER: [&str; 11] = [
    "",
    "offered",
    "in time",
    "of\ncapacity",
    "high\nin time",
    "p50 / p99\nms",
    "high\np50 / p99 ms",
    "peak in\nflight",
    "limit",
    "missed",
    "rejected",
];
