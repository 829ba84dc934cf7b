use crate::overload::record::Record;
use crate::overload::report::text;
use crate::overload::study::Study;

/// One card for each contender: what it kept of the capacity in the overload.
pub(crate) fn section(study: &Study, records: &[Record]) -> String {
    let Some(overload) = study.plan.overload() else {
        return String::new();
    };
    let overloaded = records
        .iter()
        .filter(|record| record.phase == overload.name);
    let cards: String = overloaded.map(card).collect();
    format!(
        "<section>\n<h2>At {}: answered in time, of the capacity</h2>\n\
         <div class=\"cards\">\n{cards}</div>\n</section>",
        overload.name,
    )
}

fn card(record: &Record) -> String {
    format!(
        r#"<article class="card {color}">
<h3>{name}</h3>
<p class="share">{share}</p>
<div class="track"><div class="bar" style="width:{width:.1}%"></div></div>
<dl>
<dt>high priority</dt><dd>{high}</dd>
<dt>p50</dt><dd>{p50} ms</dd>
<dt>p99</dt><dd>{p99} ms</dd>
<dt>peak in flight</dt><dd>{peak}</dd>
</dl>
</article>
"#,
        color = text::identifier(record.contender),
        name = record.contender.name(),
        share = text::percent(record.capacity_share),
        width = (record.capacity_share * 100.0).min(100.0),
        high = text::percent(record.high_priority_share),
        p50 = text::milliseconds(record.p50_ms),
        p99 = text::milliseconds(record.p99_ms),
        peak = record.peak_in_flight,
    )
}
