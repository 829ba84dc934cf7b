use inflight_benches::Subject;
use inflight_benches::keyed::{self, Crowd};
use inflight_benches::ours::keyed::Keyed;
use inflight_benches::peers::semaphores_by_key::{Dashed, Locked, Semaphores};

/// What everybody is asked, and how the subjects are made: ours, the map behind
/// a lock, and the `DashMap`.
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) contenders: [Make; 3],
}

type Make = Box<dyn Fn() -> Subject>;

/// All questions, with no more than `most` keys.
pub(crate) fn questions(most: u64) -> Vec<Question> {
    let mut questions = Vec::new();
    for crowd in Crowd::ALL {
        let crowd = Crowd {
            live: crowd.live.min(most),
            ..crowd
        };
        questions.push(calls("admitted", crowd, ADMITTED));
        questions.push(calls("admitted, a new key", crowd, NEWCOMERS));
        questions.push(calls("refused, key full", crowd, REFUSED));
    }
    for keys in [1, 100, 100_000] {
        let keys = keys.min(most);
        questions.push(lines("hand-over under a key", keys, OF_KEY));
        questions.push(lines("hand-over of the total", keys.max(2), OF_TOTAL));
    }
    // Each question stands with its like, in the order in which it came up.
    questions.sort_by(|a, b| kind(&a.text).cmp(kind(&b.text)));
    questions
}

fn calls(what: &str, crowd: Crowd, contenders: [fn(Crowd) -> Subject; 3]) -> Question {
    Question {
        text: format!("{what}; {crowd}"),
        contenders: contenders.map(|make| Box::new(move || make(crowd)) as Make),
    }
}

fn lines(what: &str, keys: u64, contenders: [fn(u64) -> Subject; 3]) -> Question {
    Question {
        text: format!("{what}; {keys} keys"),
        contenders: contenders.map(|make| Box::new(move || make(keys)) as Make),
    }
}

fn kind(text: &str) -> &str {
    text.split(';').next().unwrap_or(text)
}

const ADMITTED: [fn(Crowd) -> Subject; 3] = [
    keyed::admitted::<Keyed>,
    keyed::admitted::<Map>,
    keyed::admitted::<Dash>,
];
const NEWCOMERS: [fn(Crowd) -> Subject; 3] = [
    keyed::newcomers::<Keyed>,
    keyed::newcomers::<Map>,
    keyed::newcomers::<Dash>,
];
const REFUSED: [fn(Crowd) -> Subject; 3] = [
    keyed::refused::<Keyed>,
    keyed::refused::<Map>,
    keyed::refused::<Dash>,
];
const OF_KEY: [fn(u64) -> Subject; 3] = [
    keyed::handed_over_of_key::<Keyed>,
    keyed::handed_over_of_key::<Map>,
    keyed::handed_over_of_key::<Dash>,
];
const OF_TOTAL: [fn(u64) -> Subject; 3] = [
    keyed::handed_over_of_total::<Keyed>,
    keyed::handed_over_of_total::<Map>,
    keyed::handed_over_of_total::<Dash>,
];

type Map = Semaphores<Locked>;
type Dash = Semaphores<Dashed>;
