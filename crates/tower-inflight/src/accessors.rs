/// Writes the accessors of the wrapped service, the same for each of ours.
macro_rules! inner_service_accessors {
    ($($path:ident).+) => {
        /// Lends the wrapped service.
        pub fn get_ref(&self) -> &S {
            self.$($path).+.get_ref()
        }

        /// Lends the wrapped service to change it.
        ///
        /// What `poll_ready` found out about it before is kept.
        pub fn get_mut(&mut self) -> &mut S {
            self.$($path).+.get_mut()
        }

        /// Unwraps the service; its limiter lives on in its other handles.
        pub fn into_inner(self) -> S {
            self.$($path).+.into_inner()
        }
    };
}

pub(crate) use inner_service_accessors;
