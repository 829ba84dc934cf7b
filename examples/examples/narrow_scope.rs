//! How much work should one permit cover?
//!
//! The scarce step, and no more. Here a page needs 90 ms of fetching, which
//! anything may overlap, and 10 ms of rendering, for which there are two
//! renderers. The clock is paused, so that the times are exact.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tower_inflight::{Limiter, Rejection};

const PAGES: u32 = 40;
const RENDERERS: u32 = 2;
const FETCH: Duration = Duration::from_millis(90);
const RENDER: Duration = Duration::from_millis(10);

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), Rejection> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

async fn show() -> Result<[String; 2], Rejection> {
    let wide = throughput(wide).await?;
    let narrow = throughput(narrow).await?;
    Ok([
        format!("permit around the whole page: {wide}"),
        format!("permit around the rendering:  {narrow}"),
    ])
}

/// Holds a renderer's permit while it does not render.
async fn wide(renderers: Limiter, page: u32) -> Result<String, Rejection> {
    let work = async {
        let data = fetch(page).await;
        render(data).await
    };
    renderers.run(work).await
}

/// Asks for the permit once everything that the renderer needs is there.
async fn narrow(renderers: Limiter, page: u32) -> Result<String, Rejection> {
    let data = fetch(page).await;
    renderers.run(render(data)).await
}

async fn fetch(page: u32) -> u32 {
    sleep(FETCH).await;
    page
}

async fn render(data: u32) -> String {
    sleep(RENDER).await;
    format!("page {data}")
}

/// Asks for all the pages at once.
async fn throughput<H, F>(handler: H) -> Result<String, Rejection>
where
    H: Fn(Limiter, u32) -> F,
    F: Future<Output = Result<String, Rejection>> + Send + 'static,
{
    let renderers = Limiter::queued(RENDERERS as usize, PAGES as usize);
    let start = Instant::now();
    let mut pages: JoinSet<_> = (0..PAGES)
        .map(|page| handler(renderers.clone(), page))
        .collect();
    while let Some(page) = pages.join_next().await {
        page.expect("no handler panics")?;
    }

    let elapsed = start.elapsed();
    let rate = f64::from(PAGES) / elapsed.as_secs_f64();
    let busy = (PAGES * RENDER).div_duration_f64(RENDERERS * elapsed) * 100.0;
    Ok(format!(
        "{PAGES} pages in {elapsed:?}, {rate:.0} a second, the renderers {busy:.0} % busy"
    ))
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn the_narrow_permit_lets_seven_times_as_much_through() {
    assert_eq!(
        show().await.unwrap(),
        [
            "permit around the whole page: 40 pages in 2s, 20 a second, the renderers 10 % busy",
            "permit around the rendering:  40 pages in 290ms, 138 a second, the renderers 69 % busy",
        ]
    );
}
