use std::env;
use std::path::PathBuf;
use std::time::Duration;

use crate::overload::contender::Bounds;
use crate::overload::database::Pool;
use crate::overload::options::Options;

/// The options with every default filled in.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) bounds: Bounds,
    pub(crate) connections: usize,
    pub(crate) deadline: Duration,
    pub(crate) folder: PathBuf,
    /// How long the capacity is measured, each time.
    pub(crate) measurement: Duration,
    pub(crate) phase: Duration,
    pub(crate) rate: Option<f64>,
    pub(crate) rows: u32,
    pub(crate) seed: u64,
}

impl From<&Options> for Setting {
    fn from(options: &Options) -> Self {
        let connections = Pool::size();
        let (phase, measurement) = if options.quick { QUICK } else { THOROUGH };
        let folder = || env::temp_dir().join("inflight-lab");
        Self {
            bounds: Bounds {
                // One to run and one that is ready when it ends, so that no
                // connection idles while the next request is on its way to it.
                limit: options.limit.unwrap_or(2 * connections),
                queue: options.queue,
                queue_timeout: options.queue_timeout,
            },
            connections,
            deadline: options.deadline,
            folder: options.folder.clone().unwrap_or_else(folder),
            measurement,
            phase: options.phase.unwrap_or(phase),
            rate: options.rate,
            rows: options.rows,
            seed: options.seed,
        }
    }
}

/// The length of a phase and of each measurement of the capacity.
const THOROUGH: (Duration, Duration) = (Duration::from_millis(1100), Duration::from_millis(600));

const QUICK: (Duration, Duration) = (Duration::from_millis(330), Duration::from_millis(300));
