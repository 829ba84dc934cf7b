use super::chart::{Chart, Scale};
use crate::overload::report::text;
use crate::overload::study::{Evidence, Study};
use crate::overload::timeline;
use crate::overload::timeline::Moment;

/// Goodput and latency over time, side by side, for each contender, and the
/// limit where it moves.
pub(crate) fn section(study: &Study) -> String {
    let contenders: String = study
        .trials
        .iter()
        .map(|trial| contender(study, trial))
        .collect();
    format!(
        r#"<section>
<h2>Over time</h2>
<p class="hint">Left, colour should fill the grey: grey is what could be answered, colour what was, in
time. The thin line is the share of high-priority requests that were. Right, the lines should stay below the
deadline. The latency at a moment is that of the requests which arrived then. Where a limit moved, a third plot follows it.</p>
<p class="legend"><span><i class="key could"></i>could be answered: offered, up to what the database can do then</span>
<span><i class="key did"></i>answered in time</span>
<span><i class="key high"></i>high priority answered in time, of those asked</span>
<span><i class="key p50"></i>p50 latency</span>
<span><i class="key p99"></i>p99 latency</span>
<span><i class="key deadline"></i>deadline</span>
<span><i class="key overload"></i>overload</span></p>
{contenders}</section>"#
    )
}

fn contender(study: &Study, trial: &Evidence) -> String {
    let plan = &study.plan;
    let moments = timeline::timeline(&trial.observations, plan.deadline, plan.end(), INTERVALS);
    format!(
        "<article class=\"contender {color}\">\n<h3><i class=\"swatch {color}\"></i>{name}</h3>\n\
         <p>{rule}</p>\n<div class=\"pair\">\n{goodput}{latency}{limit}</div>\n</article>\n",
        color = text::identifier(trial.contender),
        name = trial.contender.name(),
        rule = trial.contender.rule(),
        goodput = goodput(study, trial, &moments),
        latency = latency(study, &moments),
        limit = limit(study, trial),
    )
}

fn goodput(study: &Study, trial: &Evidence, moments: &[Moment]) -> String {
    let chart = Chart::new(&study.plan, Scale::Linear { top: 1.25 });
    let could = study.plan.phases.iter().flat_map(|phase| {
        let level = phase.possible();
        [
            (phase.start.as_secs_f64(), level),
            (phase.end().as_secs_f64(), level),
        ]
    });
    let did = moments
        .iter()
        .map(|moment| (moment.at, moment.goodput / trial.capacity));
    let high = moments
        .iter()
        .filter_map(|m| Some((m.at, m.high_priority_share?)));
    let ticks = [(0.0, "0"), (0.5, "50 %"), (1.0, "100 %")];
    let drawn = [
        chart.area(could, "could"),
        chart.area(did, "did"),
        chart.line(high, "high"),
    ]
    .concat();
    chart.svg("Answered in time, of the capacity", &ticks, &drawn)
}

fn latency(study: &Study, moments: &[Moment]) -> String {
    let chart = Chart::new(
        &study.plan,
        Scale::Logarithmic {
            bottom: 1.0,
            top: 10_000.0,
        },
    );
    let p50 = moments
        .iter()
        .filter_map(|moment| Some((moment.at, moment.p50_ms?)));
    let p99 = moments
        .iter()
        .filter_map(|moment| Some((moment.at, moment.p99_ms?)));
    let ticks = [
        (1.0, "1 ms"),
        (10.0, "10 ms"),
        (100.0, "100 ms"),
        (1_000.0, "1 s"),
        (10_000.0, "10 s"),
    ];
    let deadline = study.setting.deadline.as_secs_f64() * 1000.0;
    let drawn = [
        chart.level(deadline, "deadline"),
        chart.line(p99, "p99"),
        chart.line(p50, "p50"),
    ];
    chart.svg("Latency of answers", &ticks, &drawn.concat())
}

/// The limit over time, where it moved.
fn limit(study: &Study, trial: &Evidence) -> String {
    if !trial.limits.move_at_all() {
        return String::new();
    }
    let points: Vec<_> = trial.limits.points(study.plan.end()).collect();
    let limits = points.iter().map(|(_, limit)| *limit);
    let greatest = limits.clone().fold(1.0, f64::max);
    let least = limits.fold(greatest, f64::min);
    let top = greatest * 1.25;
    let chart = Chart::new(&study.plan, Scale::Linear { top });
    let (low, high) = (least.to_string(), greatest.to_string());
    let ticks = [(0.0, "0"), (least, &*low), (greatest, &*high)];
    let drawn = chart.line(points.into_iter(), "limit");
    chart.svg("The limit", &ticks, &drawn)
}

/// Five for each of the phases: enough to see a shape and few enough
/// to have a percentile in each.
const INTERVALS: u32 = 32;
