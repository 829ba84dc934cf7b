use std::collections::VecDeque;

use inflight_test::Task;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tower_inflight::Reason;
use tower_inflight::future::ResponseFuture;

use crate::stack::{Inner, Stack};

const RUNNING: usize = 2;
const WAITING: usize = 2;
const COMMANDS: usize = 35;

type Call = (u32, Task<ResponseFuture<Inner, u32>>);

/// The limited service, and who has to run and wait there.
struct World {
    stack: Stack,
    running: VecDeque<Call>,
    waiting: VecDeque<Call>,
    arrived: u32,
    started: Vec<u32>,
}

impl World {
    fn new() -> Self {
        Self {
            stack: Stack::new(RUNNING, WAITING),
            running: VecDeque::new(),
            waiting: VecDeque::new(),
            arrived: 0,
            started: Vec::new(),
        }
    }

    fn start(&mut self) {
        self.arrived += 1;
        let request = self.arrived;
        if self.running.len() < RUNNING {
            let call = self.stack.call(request);
            self.started.push(request);
            self.running.push_back((request, call));
        } else if self.waiting.len() < WAITING {
            let call = self.stack.call(request);
            self.waiting.push_back((request, call));
        } else {
            assert_eq!(self.stack.rejected(request), Reason::QueueFull);
        }
    }

    fn release_oldest(&mut self) {
        let Some((request, mut call)) = self.running.pop_front() else {
            return;
        };
        let job = self.started.iter().position(|started| *started == request);
        self.stack.finish(job.unwrap(), Ok(request));
        assert_eq!(call.expect_ready().unwrap(), request);
        if let Some((next, mut call)) = self.waiting.pop_front() {
            assert!(call.is_woken(), "{next} is the oldest");
            call.expect_pending();
            self.started.push(next);
            self.running.push_back((next, call));
        }
    }

    fn cancel_first_waiting(&mut self) {
        self.waiting.pop_front();
    }

    fn check(&self) {
        self.stack.expect(self.running.len(), self.waiting.len());
        assert_eq!(self.stack.script.requests(), self.started);
        assert!(self.waiting.iter().all(|(_, call)| !call.is_woken()));
    }
}

// K17
#[test]
fn any_sequence_of_commands_goes_as_the_model_says() {
    for seed in [0, 1, 17, 0x4B45_564C, 0x7FFF_FFFF] {
        let mut chance = StdRng::seed_from_u64(seed);
        let mut world = World::new();
        for _ in 0..COMMANDS {
            match chance.random_range(0..4) {
                0 => world.release_oldest(),
                1 => world.cancel_first_waiting(),
                _ => world.start(),
            }
            world.check();
        }
    }
}
