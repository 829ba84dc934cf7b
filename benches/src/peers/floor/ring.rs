use std::hint::black_box;
use std::task::Waker;

/// The least that keeps callers in the order in which they came and lets any of them leave: one
/// list, linked both ways.
#[derive(Debug)]
pub(super) struct Ring {
    /// The first closes the ring, and is nobody's.
    nodes: Vec<Node>,
    /// The last that was left, linked with those left before; the first node if there is none.
    free: usize,
    callers: usize,
}

#[derive(Debug, Default)]
struct Node {
    previous: usize,
    next: usize,
    waker: Option<Waker>,
    /// Since when and until when it waits, and its priority and weight.
    asked: [u64; 3],
}

impl Ring {
    pub(super) fn new() -> Self {
        Self {
            nodes: vec![Node::default()],
            free: 0,
            callers: 0,
        }
    }

    /// Has a caller join the end.
    pub(super) fn join(&mut self, waker: Waker) -> usize {
        let last = self.nodes[0].previous;
        let node = Node {
            previous: last,
            next: 0,
            waker: Some(waker),
            asked: black_box([0; 3]),
        };
        let place = if self.free == 0 {
            self.nodes.push(node);
            self.nodes.len() - 1
        } else {
            let place = self.free;
            self.free = self.nodes[place].next;
            self.nodes[place] = node;
            place
        };
        self.nodes[last].next = place;
        self.nodes[0].previous = place;
        self.callers += 1;
        place
    }

    /// Has the caller at `place` leave, whatever it asked for.
    pub(super) fn leave(&mut self, place: usize) -> Option<Waker> {
        let node = &mut self.nodes[place];
        let (previous, next) = (node.previous, node.next);
        let waker = node.waker.take();
        black_box(node.asked);
        node.next = self.free;
        self.free = place;
        self.nodes[previous].next = next;
        self.nodes[next].previous = previous;
        self.callers -= 1;
        if self.callers == 0 {
            // Forgets the order in which they left.
            self.nodes.truncate(1);
            self.free = 0;
        }
        waker
    }
}
