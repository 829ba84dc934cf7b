use std::sync::Arc;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tower_inflight::{ConfigError, Limiter};

use super::crew::Crew;
use super::faults::Faults;
use super::findings::Findings;
use super::gathering::{Loss, gather};
use super::inspection::{inspect, inspect_closed};
use super::invariant::Invariant;
use super::kinds;
use super::options::Options;
use super::progress::Progress;
use super::round::Round;
use super::shares::Shares;
use super::standing::Standing;
use crate::stop::Stop;

/// All rounds, over all subjects in turn.
#[derive(Debug)]
pub(crate) struct Campaign {
    crew: Crew,
    faults: Arc<Faults>,
    standings: Vec<Standing>,
    random: StdRng,
    operations: u64,
    progress: Progress,
}

impl Campaign {
    pub(crate) fn new(options: &Options) -> anyhow::Result<Self> {
        let faults = Arc::new(Faults::default());
        let subjects = kinds::all(&faults)?;
        Ok(Self {
            crew: Crew::start(options.threads)?,
            faults,
            standings: subjects.into_iter().map(Standing::new).collect(),
            random: StdRng::seed_from_u64(options.seed),
            operations: options.operations,
            progress: Progress::of(options.operations),
        })
    }

    /// Goes through the rounds, until Ctrl-C or something does not hold.
    pub(crate) fn run(mut self) -> anyhow::Result<Findings> {
        let stop = self.crew.within(Stop::on_ctrl_c);
        let rounds = self.operations.div_ceil(MOST_A_ROUND).max(LEAST_ROUNDS);
        let rounds = usize::try_from(rounds)?;
        let mut shares = Shares::new(self.operations, rounds);
        for number in 0..rounds {
            if stop.is_requested() || self.faults.any() {
                break;
            }
            // Nobody can open it again, so it is the last of its subject.
            let closes = number + self.standings.len() >= rounds;
            self.run_round(number % self.standings.len(), shares.next_share(), closes)?;
        }
        self.progress.finish();
        Ok(Findings {
            standings: self.standings,
            faults: self.faults,
            elapsed: self.progress.elapsed(),
            interrupted: stop.is_requested(),
        })
    }

    fn run_round(&mut self, turn: usize, operations: u64, closes: bool) -> anyhow::Result<()> {
        let subject = Arc::clone(&self.standings[turn].subject);
        let highest = match subject.own_highest() {
            Some(highest) => highest,
            None => self.set_highest(&subject.limiter)?,
        };
        subject.floor.expect_at_most(highest);
        let round = Round {
            subject,
            highest,
            operations,
            closes,
            seed: self.random.random(),
            runtimes: self.crew.runtimes(),
            faults: Arc::clone(&self.faults),
        };
        let tallies = self.crew.set_out(&round)?;
        match gather(&tallies, self.crew.callers(), || self.look(&round)) {
            Ok(tally) => {
                let standing = &mut self.standings[turn];
                standing.add(tally, highest);
                inspect(&round.subject, &standing.tally, &self.faults);
                if closes {
                    inspect_closed(&round.subject, &self.faults);
                }
            }
            Err(loss) => self.report_loss(loss, &round),
        }
        Ok(())
    }

    fn set_highest(&mut self, limiter: &Limiter) -> Result<usize, ConfigError> {
        let highest = self.random.random_range(1..=HIGHEST_LIMIT);
        limiter.set_limit(highest)?;
        Ok(highest)
    }

    /// Shows how far it is.
    fn look(&self, round: &Round) -> u64 {
        let calls = self
            .standings
            .iter()
            .map(|standing| standing.subject.arrived());
        let calls = calls.sum();
        self.progress.at(calls, round.subject.name);
        calls
    }

    fn report_loss(&self, loss: Loss, round: &Round) {
        let Round { subject, .. } = round;
        self.faults.report(Invariant::NobodyForgotten, || {
            let limiter = &subject.limiter;
            match loss {
                Loss::Hangs => format!("{}: all callers hang at {limiter:?}", subject.name),
                Loss::Panicked => format!("{}: a caller panicked at {limiter:?}", subject.name),
            }
        });
    }
}

/// Small enough for many limits and many looks at what is at rest, and large
/// enough that the looks cost nothing.
const MOST_A_ROUND: u64 = 50_000;

/// So that each subject comes more than once in a short run.
const LEAST_ROUNDS: u64 = 12;

/// So low that the callers, of whom there are two dozen and more, fill it.
const HIGHEST_LIMIT: usize = 16;
