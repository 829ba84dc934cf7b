use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The bar on the terminal; lines instead, where there is no terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    lines: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::no_length();
        let style = ProgressStyle::with_template("{bar:32.cyan/dim} {percent:>3}%  {msg}");
        bar.set_style(style.expect("the template is a constant and well formed"));
        let lines = bar.is_hidden();
        Self { bar, lines }
    }

    /// Begins something that has `length` steps.
    pub(crate) fn begin(&self, what: &str, length: u64) {
        self.bar.reset();
        self.bar.set_length(length);
        self.tell(what);
    }

    /// Says what comes now, without a new bar.
    pub(crate) fn tell(&self, what: &str) {
        self.bar.set_message(what.to_owned());
        if self.lines {
            eprintln!("{what}");
        }
    }

    pub(crate) fn at(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// Shows what goes on this very moment, on a terminal only.
    pub(crate) fn live(&self, position: Duration, status: String) {
        self.bar.set_position(milliseconds(position));
        self.bar.set_message(status);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    #[cfg(test)]
    pub(crate) fn hidden() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            lines: false,
        }
    }
}

/// The steps of a bar that shows time.
pub(crate) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
