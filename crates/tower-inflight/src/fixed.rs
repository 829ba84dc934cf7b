/// Writes what a service with a fixed limit does, the same for each; they differ
/// only in how they are made.
macro_rules! fixed_limit_service {
    ($Service:ident) => {
        impl<S, T, H> $Service<S, T, H> {
            crate::accessors::inner_service_accessors!(admission);

            /// The limiter.
            pub fn limiter(&self) -> crate::Limiter {
                crate::Limiter::from_handle(self.admission.door().clone())
            }

            pub(super) fn with_parts(
                inner: S,
                limiter: crate::Limiter,
                ticketing: T,
                hold: H,
            ) -> Self {
                Self {
                    admission: crate::admission::Admission::new(inner, limiter.into_handle()),
                    ticketing,
                    hold,
                }
            }
        }

        impl<S, T, H, Request> crate::limits::Limits<Request> for $Service<S, T, H>
        where
            S: tower_service::Service<Request> + Clone,
            T: crate::ticketing::Asks<Request>,
            H: crate::hold::Hold<Request, crate::Permit> + Clone,
        {
            type Inner = S;
            type Terms = crate::unmeasured::Unmeasured<H>;
            type Permit = crate::Permit;

            #[inline]
            fn poll_ready(
                &mut self,
                cx: &mut std::task::Context<'_>,
            ) -> std::task::Poll<Result<(), crate::Error<S::Error>>> {
                self.admission.poll_ready(cx)
            }

            #[inline]
            fn admit<O: crate::overflow::Overflow<Request>>(
                &mut self,
                request: Request,
                overflow: impl FnOnce() -> O,
            ) -> crate::future::ResponseFuture<S, Request, crate::unmeasured::Unmeasured<H>, O>
            {
                let arrived = self.admission.door().ask(&self.ticketing, &request);
                let terms = crate::unmeasured::Unmeasured(self.hold.clone());
                self.admission.call(request, arrived, terms, overflow)
            }
        }

        impl<S, T, H, Request> tower_service::Service<Request> for $Service<S, T, H>
        where
            S: tower_service::Service<Request> + Clone,
            T: crate::ticketing::Asks<Request>,
            H: crate::hold::Hold<Request, crate::Permit, Held: crate::hold::Keep<S::Response>>
                + Clone,
        {
            type Response = <H::Held as crate::hold::Keep<S::Response>>::Response;
            type Error = crate::Error<S::Error>;
            type Future =
                crate::future::ResponseFuture<S, Request, crate::unmeasured::Unmeasured<H>>;

            #[inline]
            fn poll_ready(
                &mut self,
                cx: &mut std::task::Context<'_>,
            ) -> std::task::Poll<Result<(), Self::Error>> {
                crate::limits::Limits::poll_ready(self, cx)
            }

            #[inline]
            fn call(&mut self, request: Request) -> Self::Future {
                crate::limits::Limits::admit(self, request, || crate::overflow::Reject)
            }
        }

        impl<S: std::fmt::Debug, T, H> std::fmt::Debug for $Service<S, T, H> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Service))
                    .field("admission", &self.admission)
                    .finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use fixed_limit_service;
