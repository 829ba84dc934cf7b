use std::task::Waker;
use std::time::Duration;

use inflight_core::{KeyedHost, KeyedOptions};

use crate::asked::Asked;
use crate::gates::{limit, options, ticket, waiting};

/// A lock that is held meanwhile would make it hang.
#[test]
fn the_clock_is_asked_under_no_lock() {
    for queue_timeout in [None, Some(Duration::from_nanos(9))] {
        let options = KeyedOptions {
            queue_timeout,
            ..options(1, 1)
        };
        let host = Asked::meddling(&options, |host| {
            let _ = (host.gate().snapshot(), host.gate().key(&'a'));
            drop(host.arrive('a', ticket()));
            drop(host.arrive('z', waiting(5)));
        });
        let running = host.arrive('a', ticket());
        let mut waiters = ['a', 'b', 'b', 'c'].map(|key| host.queue(key, waiting(10)));
        host.expect_asked();
        drop(waiters[1].poll(Waker::noop()));
        host.expect_asked();
        let [of_a, of_b, gone, of_c] = waiters;
        drop(gone);
        host.expect_asked();
        host.set_limit(limit(1));
        host.expect_asked();
        assert!(host.set_key_limit(&'a', limit(2)));
        host.expect_asked();
        drop(running);
        host.expect_asked();
        drop(of_a);
        host.expect_asked();
        host.close();
        host.expect_asked();
        drop((of_b, of_c));
        assert_eq!(host.gate().keys(), 0);
    }
}
