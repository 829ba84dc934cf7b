use super::{cards, numbers, plots};
use crate::overload::arrivals::HIGH_PRIORITY_SHARE;
use crate::overload::phase::MANY_STORES;
use crate::overload::record::Record;
use crate::overload::report::{text, verdict};
use crate::overload::study::Study;

/// The whole page.
pub(crate) fn html(study: &Study, records: &[Record]) -> String {
    format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Overload, with and without limits</title>
<style>
{STYLE}</style>
</head>
<body>
<main>
<header>
<h1>Overload, with and without limits</h1>
{intro}
{verdict}
</header>
{cards}
{plots}
{numbers}
{method}
</main>
</body>
</html>
"#,
        intro = intro(study),
        verdict = verdict(study, records),
        cards = cards::section(study, records),
        plots = plots::section(study),
        numbers = numbers::section(study, records),
        method = method(study),
    )
}

fn intro(study: &Study) -> String {
    format!(
        "<p class=\"intro\">An HTTP service that can answer <b>{:.0} requests a second</b> is sent \
         half of that, all of it, three times as much, and half again. Then each request asks for {} times \
         as much, which leaves <b>{}</b> of the capacity, and at last for what it did before. An \
         answer counts if it comes within <b>{}</b>. {:.0} % of the requests have a high \
         priority.</p>",
        study.plan.capacity,
        MANY_STORES,
        text::percent(study.plan.slow().map(|phase| phase.left)),
        text::time(study.setting.deadline),
        HIGH_PRIORITY_SHARE * 100.0,
    )
}

fn verdict(study: &Study, records: &[Record]) -> String {
    let mut sentences = verdict::sentences(study, records);
    if study.interrupted {
        sentences.push("Stopped early: only what was completed is counted.".to_owned());
    }
    let paragraphs = sentences
        .iter()
        .map(|sentence| format!("<p class=\"verdict\">{}</p>\n", text::escaped(sentence)));
    paragraphs.collect()
}

fn method(study: &Study) -> String {
    let setting = &study.setting;
    let capacity = match setting.rate {
        Some(_) => "was given",
        None => "was measured first, with as many callers as keep every connection busy",
    };
    format!(
        r#"<section class="method">
<h2>How it was measured</h2>
<ul>
<li>Server and client are one process and talk over loopback sockets. Each request is a query that
reads every sale of one store in an SQLite table of {rows} rows, through a pool of {connections}
connections; where the database is slow, of {stores} stores. The capacity {capacity}.</li>
<li>The client is an open loop: it sends on a schedule (a Poisson process, seed {seed}), whatever
became of earlier requests, and counts a latency from the scheduled moment. A request past its
deadline counts as missed, and stays: its connection is kept and its query runs.</li>
<li>Every contender meets the same arrivals on a fresh server with an empty pool. Limit {limit},
line {queue}, longest wait {queue_timeout}, each where the contender has one. The adaptive limit is
told none: it is <code>AimdOptions::guarded()</code>, and learns from latency and status.</li>
<li>tower’s <code>ConcurrencyLimitLayer</code> is missing on purpose: it makes one semaphore for each
service that it wraps, and axum wraps anew for each request, so that on a router it limits nothing.
The stock limit here is <code>GlobalConcurrencyLimitLayer</code>.</li>
</ul>
</section>"#,
        rows = setting.rows,
        connections = setting.connections,
        seed = setting.seed,
        stores = MANY_STORES,
        limit = setting.bounds.limit,
        queue = setting.bounds.queue,
        queue_timeout = text::time(setting.bounds.queue_timeout),
    )
}

const STYLE: &str = include_str!("style.css");
