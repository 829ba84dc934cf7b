mod parse;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// Overload an HTTP service, with and without limits, and show what becomes of it
///
/// An axum server answers each request with a query on an embedded database,
/// through a small pool of connections. A client sends requests on a schedule:
/// at half of what the server can do, at all of it, at three times as much,
/// and at half of it again; then each request asks for four times as much, and
/// at last for what it did before. It does so once for each contender: no
/// limit, tower's own limit, the same with load shedding, two limits with a
/// short line, and one that is found while it runs.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Be done within 20 seconds, with shorter phases and rougher numbers
    #[arg(long)]
    pub(crate) quick: bool,

    /// Write one JSON record for each contender and phase to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Arrivals, priorities and queries follow from this number
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = parse::seed)]
    pub(crate) seed: u64,

    /// Requests that may run at once [default: two for each database connection]
    #[arg(long, value_name = "REQUESTS", value_parser = parse::limit)]
    pub(crate) limit: Option<usize>,

    /// Requests that may wait in line behind them; 0 for none
    #[arg(long, value_name = "REQUESTS", default_value = "16", value_parser = parse::queue)]
    pub(crate) queue: usize,

    /// The longest wait in line, such as 80ms
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = parse::queue_timeout)]
    pub(crate) queue_timeout: Duration,

    /// An answer that takes longer than this counts as missed
    #[arg(long, value_name = "TIME", default_value = "250ms", value_parser = parse::deadline)]
    pub(crate) deadline: Duration,

    /// Requests a second to take for the capacity [default: measured]
    #[arg(long, value_name = "REQUESTS", value_parser = parse::rate)]
    pub(crate) rate: Option<f64>,

    /// How long each of the six phases lasts, about [default: 1.1s, with --quick 330ms]
    #[arg(long, value_name = "TIME", value_parser = parse::phase)]
    pub(crate) phase: Option<Duration>,

    /// Rows in the database; each query reads one in 25
    #[arg(long, value_name = "ROWS", default_value = "200000", value_parser = parse::rows)]
    pub(crate) rows: u32,

    /// Where database and page are kept [default: inflight-lab in the temporary folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(flatten)]
        options: Options,
    }

    #[track_caller]
    fn options(arguments: &[&str]) -> Options {
        let all = ["program"].iter().chain(arguments);
        Program::try_parse_from(all).expect("acceptable").options
    }

    #[track_caller]
    fn refusal(option: &str, value: &str) -> String {
        let refused = Program::try_parse_from(["program", &format!("{option}={value}")]);
        let error = refused.expect_err("out of range");
        assert_eq!(error.exit_code(), 2);
        error.to_string()
    }

    #[test]
    fn the_line_of_the_defaults_is_served_well_before_the_deadline() {
        let defaults = options(&[]);
        assert!(defaults.queue_timeout * 2 < defaults.deadline);
    }

    #[test]
    fn every_option_takes_the_ends_of_its_range() {
        let least = options(&[
            "--limit=1",
            "--queue=0",
            "--queue-timeout=1ms",
            "--deadline=1ms",
            "--rate=1",
            "--phase=50ms",
            "--rows=1000",
        ]);
        assert_eq!((least.limit, least.queue), (Some(1), 0));
        assert_eq!(least.queue_timeout, Duration::from_millis(1));
        let greatest = options(&["--limit=2147483647", "--rate=1000", "--deadline=60s"]);
        assert_eq!(greatest.limit, Some(2_147_483_647));
        assert_eq!(greatest.deadline, Duration::from_mins(1));
    }

    #[test]
    fn a_refusal_names_option_requirement_and_value() {
        assert!(refusal("--rate", "NaN").contains(
            "OverloadOptions.rate must be between 1 and 1000 requests a second (was NaN)"
        ));
        assert!(refusal("--rate", "NaN").contains("--rate"));
        assert!(refusal("--limit", "0").contains("OverloadOptions.limit must be"));
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        for (option, values) in [
            ("--limit", &["0", "-1", "2147483648", "1.5", "NaN"][..]),
            ("--queue", &["-1", "1000001", "inf"]),
            (
                "--queue-timeout",
                &["0", "0ms", "NaNs", "infs", "4294968s", "-5ms", "5"],
            ),
            ("--deadline", &["0s", "NaNms", "infs", "61s", "soon"]),
            ("--rate", &["0", "NaN", "inf", "-inf", "1000.1", "many"]),
            ("--phase", &["0ms", "49ms", "61s", "NaNs"]),
            ("--rows", &["0", "999", "10000001", "NaN"]),
            ("--seed", &["-1", "18446744073709551616", "NaN"]),
        ] {
            for value in values {
                assert!(refusal(option, value).contains(value), "{option}={value}");
            }
        }
    }
}
