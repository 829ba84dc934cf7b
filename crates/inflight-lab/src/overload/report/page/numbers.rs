use crate::overload::phase::Phase;
use crate::overload::record::Record;
use crate::overload::report::text;
use crate::overload::study::Study;

/// Every record, phase by phase.
pub(crate) fn section(study: &Study, records: &[Record]) -> String {
    let phases = study.plan.phases.iter().map(|phase| rows(phase, records));
    format!(
        r#"<section>
<h2>All numbers</h2>
<p class="hint">Percentiles are of all answers, late ones included. “Missed” was answered too late or
not at all. “Peak” is the most requests inside the handler at once.</p>
<div class="scroll">
<table>
<thead><tr><th></th><th>offered</th><th>in time</th><th>of capacity</th><th>high in time</th>
<th>p50 / p99 ms</th><th>high p50 / p99 ms</th><th>peak</th><th>limit</th><th>missed</th><th>rejected</th></tr></thead>
{}</table>
</div>
</section>"#,
        phases.collect::<String>(),
    )
}

fn rows(phase: &Phase, records: &[Record]) -> String {
    let mine = records.iter().filter(|record| record.phase == phase.name);
    let rows: String = mine.map(row).collect();
    if rows.is_empty() {
        return rows;
    }
    format!(
        "<tbody>\n<tr><th class=\"phase\" colspan=\"11\">{}</th></tr>\n{rows}</tbody>\n",
        phase.name
    )
}

fn row(record: &Record) -> String {
    format!(
        "<tr><th><i class=\"swatch {color}\"></i>{name}</th><td>{offered}</td><td>{in_time}</td>\
         <td>{share}</td><td>{high}</td><td>{p50} / {p99}</td><td>{high_p50} / {high_p99}</td>\
         <td>{peak}</td><td>{limit}</td><td>{missed}</td><td class=\"reasons\">{rejected}</td></tr>\n",
        color = text::identifier(record.contender),
        name = record.contender.name(),
        offered = record.offered,
        in_time = record.answered_in_deadline,
        share = text::percent(record.capacity_share),
        high = text::percent(record.high_priority_share),
        p50 = text::milliseconds(record.p50_ms),
        p99 = text::milliseconds(record.p99_ms),
        high_p50 = text::milliseconds(record.high_priority_p50_ms),
        high_p99 = text::milliseconds(record.high_priority_p99_ms),
        peak = record.peak_in_flight,
        limit = text::limit(record),
        missed = record.missed + record.failed,
        rejected = text::escaped(&text::rejected(record, "\n")).replace('\n', "<br>"),
    )
}
