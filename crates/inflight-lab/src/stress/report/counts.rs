use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use indicatif::HumanCount;

use crate::stress::standing::Standing;

/// One row for each subject.
pub(crate) fn table(standings: &[Standing]) -> Table {
    let mut table = Table::new();
    table.load_preset(UTF8_BORDERS_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(HEADER);
    for standing in standings {
        table.add_row(row(standing));
    }
    for column in table.column_iter_mut().skip(1).take(HEADER.len() - 2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn row(standing: &Standing) -> [String; HEADER.len()] {
    let (subject, tally) = (&standing.subject, &standing.tally);
    let reasons = tally.rejected.iter();
    let reasons = reasons.map(|(reason, calls)| format!("{} {reason}", HumanCount(*calls)));
    let adaptation = subject.limiter.adaptation();
    let changes = adaptation.map_or(tally.resized, |adaptation| adaptation.changes);
    [
        subject.name.to_owned(),
        count(subject.arrived()),
        count(tally.admitted),
        count(tally.rejected()),
        count(tally.cancelled),
        count(tally.cut_short),
        count(tally.panicked),
        count(tally.moved),
        count(changes),
        format!("{} of {}", standing.filled, standing.rounds),
        reasons.collect::<Vec<_>>().join("\n"),
    ]
}

fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

const HEADER: [&str; 11] = [
    "",
    "arrived",
    "admitted",
    "rejected",
    "cancelled\nwaiting",
    "cut\nshort",
    "panicked",
    "moved",
    "limit\nchanged",
    "limit filled\nin rounds",
    "reasons",
];
