use std::cell::Cell;
use std::fmt::Write;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

/// The bar on the terminal; a line for each tenth, where there is no terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    operations: u64,
    /// The next tenth to tell, where there is no terminal.
    tenth: Option<Cell<u64>>,
}

impl Progress {
    pub(crate) fn of(operations: u64) -> Self {
        let bar = ProgressBar::new(operations);
        let style = ProgressStyle::with_template(TEMPLATE);
        let style = style.expect("the template is a constant and well formed");
        bar.set_style(style.with_key("rate", rate));
        let tenth = bar.is_hidden().then(|| Cell::new(1));
        Self {
            bar,
            operations,
            tenth,
        }
    }

    /// Shows how many calls were made, and what is called now.
    pub(crate) fn at(&self, calls: u64, subject: &'static str) {
        self.bar.set_message(subject);
        self.bar.set_position(calls);
        if let Some(tenth) = &self.tenth {
            self.tell(calls, tenth);
        }
    }

    fn tell(&self, calls: u64, tenth: &Cell<u64>) {
        while tenth.get() < 10 && calls >= self.operations / 10 * tenth.get() {
            eprintln!("{} %: {} calls", tenth.get() * 10, HumanCount(calls));
            tenth.set(tenth.get() + 1);
        }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.bar.elapsed()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate is no less than nothing and no more than fits"
)]
fn rate(state: &ProgressState, to: &mut dyn Write) {
    // Where it cannot be shown, nobody looks.
    let _ = write!(to, "{}", HumanCount(state.per_sec() as u64));
}

const TEMPLATE: &str = "{bar:32.cyan/dim} {percent:>3}%  {human_pos} of {human_len} calls · \
    {rate} a second · {eta} left · {msg}";
