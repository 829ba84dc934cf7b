use std::fmt::Write;

use crate::axis::Axis;
use crate::sample::Curve;

/// One drawing: a question, and everybody's answer.
pub(crate) struct Panel {
    pub(crate) title: &'static str,
    pub(crate) curves: Vec<Curve>,
}

impl Panel {
    /// How wide and high a panel is, in pixels.
    pub(crate) const SIZE: (f64, f64) = (LABELS + 200.0, BOTTOM + 52.0);

    /// The elements of the drawing, its upper left corner being the origin.
    pub(crate) fn draw(&self) -> String {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let x = Axis::around(points().map(|point| point.0), LEFT, RIGHT);
        let y = Axis::around(points().map(|point| point.1), BOTTOM, TOP);
        let mut svg = String::new();
        self.frame(&mut svg, &x, &y);
        for curve in &self.curves {
            let points = curve.points.iter();
            let points =
                points.map(|&(length, cost)| format!("{:.1},{:.1}", x.at(length), y.at(cost)));
            let (class, points) = (curve.contender.class, points.collect::<Vec<_>>().join(" "));
            push(
                &mut svg,
                format_args!(r#"<polyline class="{class}" points="{points}"/>"#),
            );
        }
        self.labels(&mut svg, &y);
        svg
    }

    fn frame(&self, svg: &mut String, x: &Axis, y: &Axis) {
        let title = self.title;
        push(
            svg,
            format_args!(r#"<text class="title" x="{LEFT}" y="24">{title}</text>"#),
        );
        push(
            svg,
            format_args!(r#"<text x="{LEFT}" y="46">nanoseconds</text>"#),
        );
        for tick in y.ticks() {
            let at = y.at(tick);
            push(
                svg,
                format_args!(r#"<path class="grid" d="M{LEFT} {at:.1}H{RIGHT}"/>"#),
            );
            let (x, y, label) = (LEFT - 8.0, at + 4.0, grouped(tick));
            push(
                svg,
                format_args!(r#"<text class="y" x="{x}" y="{y:.1}">{label}</text>"#),
            );
        }
        for tick in x.decades() {
            let (x, y, label) = (x.at(tick), BOTTOM + 20.0, grouped(tick));
            push(
                svg,
                format_args!(r#"<path class="grid" d="M{x:.1} {TOP}V{BOTTOM}"/>"#),
            );
            push(
                svg,
                format_args!(r#"<text class="x" x="{x:.1}" y="{y}">{label}</text>"#),
            );
        }
        let (x, y) = (f64::midpoint(LEFT, RIGHT), BOTTOM + 40.0);
        push(
            svg,
            format_args!(r#"<text class="x" x="{x}" y="{y}">callers waiting</text>"#),
        );
    }

    /// Names the curves where they end, from the top down and apart from each other.
    fn labels(&self, svg: &mut String, y: &Axis) {
        let ends = self.curves.iter().filter_map(|curve| {
            let &(_, cost) = curve.points.last()?;
            Some((y.at(cost) + 4.0, curve.contender))
        });
        let mut ends: Vec<_> = ends.collect();
        ends.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut lowest = f64::MIN;
        for (at, contender) in ends {
            lowest = at.max(lowest + LINE_HEIGHT);
            let (class, name) = (contender.class, contender.name);
            push(
                svg,
                format_args!(r#"<text class="{class}" x="{LABELS}" y="{lowest:.1}">{name}</text>"#),
            );
        }
    }
}

fn push(svg: &mut String, element: std::fmt::Arguments<'_>) {
    writeln!(svg, "{element}").expect("a string takes whatever is written");
}

/// 100000 as 100,000.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().collect();
    let groups = groups.into_iter().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

const LEFT: f64 = 64.0;
const RIGHT: f64 = 540.0;
const LABELS: f64 = RIGHT + 8.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 310.0;
const LINE_HEIGHT: f64 = 16.0;
