use crate::panel::Panel;

/// The panels one below the other, as an SVG file that follows the reader's choice of light or dark.
pub(crate) fn chart(panels: &[Panel]) -> String {
    let (width, panel_height) = Panel::SIZE;
    let mut height = 0.0;
    let mut drawn = Vec::new();
    for panel in panels {
        let elements = panel.draw();
        drawn.push(format!(
            "<g transform=\"translate(0 {height})\">\n{elements}</g>"
        ));
        height += panel_height;
    }
    let drawn = drawn.join("\n");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>Cost against the number of callers who wait</title>\n\
         <style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"100%\" height=\"100%\"/>\n{drawn}\n</svg>\n"
    )
}

/// Ours stands out; the peers are told apart, but do not shout.
const STYLE: &str = "
svg { --page: #fff; --ink: #24292f; --faint: #8c959f; --grid: #eaeef2;
  --ours: #d1440c; --tower: #1f6feb; --acc: #1a7f5a; --bulkhead: #8250df; --semaphore: #9a6700; }
@media (prefers-color-scheme: dark) {
  svg { --page: #0d1117; --ink: #e6edf3; --faint: #7d8590; --grid: #21262d;
    --ours: #ff8a4c; --tower: #6cb0ff; --acc: #4fc796; --bulkhead: #b99bff; --semaphore: #d8a72f; }
}
text { font: 12px system-ui, sans-serif; fill: var(--faint); }
.title { font-size: 15px; font-weight: 600; fill: var(--ink); }
.x { text-anchor: middle; }
.y { text-anchor: end; }
.page { fill: var(--page); }
.grid { stroke: var(--grid); fill: none; }
polyline { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
polyline.ours { stroke: var(--ours); stroke-width: 3; }
polyline.tower { stroke: var(--tower); }
polyline.acc { stroke: var(--acc); }
polyline.bulkhead { stroke: var(--bulkhead); }
polyline.semaphore { stroke: var(--semaphore); stroke-dasharray: 5 4; }
polyline.second { stroke-dasharray: 5 4; }
text.ours { fill: var(--ours); font-weight: 600; }
text.tower { fill: var(--tower); }
text.acc { fill: var(--acc); }
text.bulkhead { fill: var(--bulkhead); }
text.semaphore { fill: var(--semaphore); }
";
