use inflight_core::Outcome;

/// Says what the end of a call means for the load.
///
/// It is implemented for every `Fn(&Result<Response, Error>) -> Outcome`, and
/// for `()`, by which each error is an overload. Nothing else can implement it.
#[expect(
    unnameable_types,
    reason = "sealed: closures and functions are all there is"
)]
pub trait Classify<Response, Error> {
    /// What `result` says.
    fn classify(&self, result: &Result<Response, Error>) -> Outcome;
}

impl<Response, Error> Classify<Response, Error> for () {
    #[inline]
    fn classify(&self, result: &Result<Response, Error>) -> Outcome {
        match result {
            Ok(_) => Outcome::Success,
            Err(_) => Outcome::Overload,
        }
    }
}

impl<Response, Error, F> Classify<Response, Error> for F
where
    F: Fn(&Result<Response, Error>) -> Outcome,
{
    #[inline]
    fn classify(&self, result: &Result<Response, Error>) -> Outcome {
        self(result)
    }
}
