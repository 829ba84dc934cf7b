/// Gives a request its weight.
///
/// It is implemented for every `Fn(&Request) -> u32`, and for `()`, by which
/// each request weighs 1. Nothing else can implement it.
#[expect(
    unnameable_types,
    reason = "sealed: closures and functions are all there is"
)]
pub trait Weight<Request> {
    /// How many units of the limit `request` takes; 0 counts as 1.
    fn weigh(&self, request: &Request) -> u32;
}

impl<Request> Weight<Request> for () {
    #[inline]
    fn weigh(&self, _: &Request) -> u32 {
        1
    }
}

impl<Request, F> Weight<Request> for F
where
    F: Fn(&Request) -> u32,
{
    #[inline]
    fn weigh(&self, request: &Request) -> u32 {
        self(request)
    }
}
