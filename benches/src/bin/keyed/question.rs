use inflight_benches::Subject;
use inflight_benches::keyed::{self, Crowd};
use inflight_benches::ours::keyed::Keyed;
use inflight_benches::peers::semaphores_by_key::{Dashed, Locked, Semaphores};

/// What everybody is asked, and how the subjects are made: ours, the map behind
/// a lock, and the `DashMap`.
pub(crate) struct Question {
    pub(crate) text: String,
    contenders: [Make; 3],
}

impl Question {
    /// Everybody's, made anew.
    pub(crate) fn subjects(&self) -> Vec<Subject> {
        self.contenders.iter().map(|make| make()).collect()
    }
}

type Make = Box<dyn Fn() -> Subject>;

/// Everybody's way to do the same, for a crowd or a number of keys.
type Makes<P> = [fn(P) -> Subject; 3];

/// All questions, with no more than `most` keys.
pub(crate) fn questions(most: usize) -> Vec<Question> {
    let most = most as u64;
    let mut questions = Vec::new();
    for (what, contenders) in CALLS {
        for Crowd { live, threads } in Crowd::ALL {
            let live = live.min(most);
            questions.push(calls(what, Crowd { live, threads }, contenders));
        }
    }
    for (what, contenders) in LINES {
        for keys in [2, 100, 100_000] {
            questions.push(lines(what, keys.min(most), contenders));
        }
    }
    questions
}

fn calls(what: &str, crowd: Crowd, contenders: Makes<Crowd>) -> Question {
    Question {
        text: format!("{what}, {crowd}"),
        contenders: contenders.map(|make| Box::new(move || make(crowd)) as Make),
    }
}

fn lines(what: &str, keys: u64, contenders: Makes<u64>) -> Question {
    Question {
        text: format!("{what}, {keys} keys"),
        contenders: contenders.map(|make| Box::new(move || make(keys)) as Make),
    }
}

const CALLS: [(&str, Makes<Crowd>); 3] = [
    (
        "admitted",
        [
            keyed::admitted::<Keyed>,
            keyed::admitted::<Map>,
            keyed::admitted::<Dash>,
        ],
    ),
    (
        "admitted under a new key",
        [
            keyed::newcomers::<Keyed>,
            keyed::newcomers::<Map>,
            keyed::newcomers::<Dash>,
        ],
    ),
    (
        "refused, key full",
        [
            keyed::refused::<Keyed>,
            keyed::refused::<Map>,
            keyed::refused::<Dash>,
        ],
    ),
];

const LINES: [(&str, Makes<u64>); 2] = [
    (
        "hand-over under a key",
        [
            keyed::handed_over_of_key::<Keyed>,
            keyed::handed_over_of_key::<Map>,
            keyed::handed_over_of_key::<Dash>,
        ],
    ),
    (
        "hand-over of the total",
        [
            keyed::handed_over_of_total::<Keyed>,
            keyed::handed_over_of_total::<Map>,
            keyed::handed_over_of_total::<Dash>,
        ],
    ),
];

type Map = Semaphores<Locked>;
type Dash = Semaphores<Dashed>;
