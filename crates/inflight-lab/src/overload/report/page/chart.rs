use std::fmt::Write;

use crate::overload::plan::Plan;

/// The frame of a plot over the time of a trial, and what is drawn in it.
#[derive(Debug)]
pub(crate) struct Chart<'a> {
    plan: &'a Plan,
    scale: Scale,
}

/// How values become heights. What lies outside is drawn at the edge.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scale {
    /// From zero.
    Linear {
        top: f64,
    },
    Logarithmic {
        bottom: f64,
        top: f64,
    },
}

impl<'a> Chart<'a> {
    pub(crate) fn new(plan: &'a Plan, scale: Scale) -> Self {
        Self { plan, scale }
    }

    /// The picture: phases behind, then `drawn`, then the axes.
    pub(crate) fn svg(&self, title: &str, ticks: &[(f64, &str)], drawn: &str) -> String {
        format!(
            "<figure><figcaption>{title}</figcaption>\n\
             <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n\
             {phases}{ticks}{drawn}</svg></figure>\n",
            phases = self.phases(),
            ticks = self.ticks(ticks),
        )
    }

    /// A line through `points`, each a second and a value.
    pub(crate) fn line(&self, points: impl Iterator<Item = (f64, f64)>, class: &str) -> String {
        format!(
            "<polyline class=\"{class}\" points=\"{}\"/>\n",
            self.path(points)
        )
    }

    /// The area between `points` and the ground.
    pub(crate) fn area(&self, points: impl Iterator<Item = (f64, f64)>, class: &str) -> String {
        let points: Vec<_> = points.collect();
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            return String::new();
        };
        let (from, to) = (self.x(first.0), self.x(last.0));
        let path = self.path(points.iter().copied());
        format!(
            "<polygon class=\"{class}\" points=\"{from:.1},{BOTTOM} {path} {to:.1},{BOTTOM}\"/>\n"
        )
    }

    /// A line across at `value`.
    pub(crate) fn level(&self, value: f64, class: &str) -> String {
        let y = self.y(value);
        format!(
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n"
        )
    }

    fn phases(&self) -> String {
        let mut bands = String::new();
        for phase in &self.plan.phases {
            let (from, to) = (
                self.x(phase.start.as_secs_f64()),
                self.x(phase.end().as_secs_f64()),
            );
            let kind = if phase.is_overload() {
                "overload"
            } else {
                "normal"
            };
            let (width, middle, height) = (to - from, f64::midpoint(from, to), BOTTOM - TOP);
            // Writing to a string cannot fail.
            let _ = write!(
                bands,
                "<rect class=\"band {kind}\" x=\"{from:.1}\" y=\"{TOP}\" width=\"{width:.1}\" \
                 height=\"{height}\"/>\n\
                 <text class=\"phase\" x=\"{middle:.1}\" y=\"{above}\">{name}</text>\n\
                 <text class=\"second\" x=\"{to:.1}\" y=\"{below}\">{seconds}</text>\n",
                above = TOP - 6.0,
                below = BOTTOM + 15.0,
                name = phase.name,
                seconds = format_args!("{:.1} s", phase.end().as_secs_f64()),
            );
        }
        bands
    }

    fn ticks(&self, ticks: &[(f64, &str)]) -> String {
        let marks = ticks.iter().map(|(value, label)| {
            let y = self.y(*value);
            let (text, x) = (y + 4.0, LEFT - 6.0);
            format!(
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick\" x=\"{x}\" y=\"{text:.1}\">{label}</text>\n"
            )
        });
        marks.collect()
    }

    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let points = points.map(|(at, value)| format!("{:.1},{:.1}", self.x(at), self.y(value)));
        points.collect::<Vec<_>>().join(" ")
    }

    fn x(&self, seconds: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * seconds / self.plan.end().as_secs_f64()
    }

    fn y(&self, value: f64) -> f64 {
        let height = match self.scale {
            Scale::Linear { top } => value / top,
            Scale::Logarithmic { bottom, top } => (value / bottom).ln() / (top / bottom).ln(),
        };
        BOTTOM - (BOTTOM - TOP) * height.clamp(0.0, 1.0)
    }
}

// The picture and the plot in it, in units of the picture.
const WIDTH: f64 = 540.0;
const HEIGHT: f64 = 210.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 522.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 186.0;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::overload::phase::Phase;

    fn plan() -> Plan {
        Plan {
            phases: Phase::sequence(Duration::from_secs(1), 0.25),
            arrivals: Vec::new(),
            deadline: Duration::from_millis(250),
            capacity: 100.0,
        }
    }

    #[test]
    fn a_point_stands_where_both_scales_put_it() {
        let plan = plan();
        let linear = Chart::new(&plan, Scale::Linear { top: 1.0 });
        let end = plan.end().as_secs_f64();
        let line = linear.line([(0.0, 0.0), (end, 1.0)].into_iter(), "did");
        assert!(line.contains("points=\"52.0,186.0 522.0,22.0\""), "{line}");
        let logarithmic = Chart::new(
            &plan,
            Scale::Logarithmic {
                bottom: 1.0,
                top: 100.0,
            },
        );
        let line = logarithmic.line([(end / 2.0, 10.0)].into_iter(), "p50");
        assert!(line.contains("points=\"287.0,104.0\""), "{line}");
    }

    #[test]
    fn what_is_off_the_scale_is_drawn_at_its_edge() {
        let plan = plan();
        let chart = Chart::new(
            &plan,
            Scale::Logarithmic {
                bottom: 1.0,
                top: 100.0,
            },
        );
        assert!(chart.level(0.0, "deadline").contains("y1=\"186.0\""));
        assert!(chart.level(1e9, "deadline").contains("y1=\"22.0\""));
    }

    #[test]
    fn nothing_has_no_area() {
        let plan = plan();
        let chart = Chart::new(&plan, Scale::Linear { top: 1.0 });
        assert_eq!(chart.area(std::iter::empty(), "did"), "");
    }
}
