/// Where a call stood when its caller went away.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Phase {
    Queued,
    Running,
}
