/// Gives a request its priority.
///
/// It is implemented for every `Fn(&Request) -> i32`, and for `()`, by which
/// each request has 0. Nothing else can implement it.
#[expect(
    unnameable_types,
    reason = "sealed: closures and functions are all there is"
)]
pub trait Priority<Request> {
    /// How urgent `request` is; higher goes first.
    fn prioritize(&self, request: &Request) -> i32;
}

impl<Request> Priority<Request> for () {
    #[inline]
    fn prioritize(&self, _: &Request) -> i32 {
        0
    }
}

impl<Request, F> Priority<Request> for F
where
    F: Fn(&Request) -> i32,
{
    #[inline]
    fn prioritize(&self, request: &Request) -> i32 {
        self(request)
    }
}
