use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use tower_inflight::KeyPlan;
use tower_inflight::algorithm::Limit;

/// Who calls, as the server knows it, and not as the client says: this is what
/// the limits go by.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Tenant {
    Paying(u32),
    Trying(u32),
    /// All whose API key is missing or unknown share one tenant: who invents
    /// keys gets no more for it.
    Unknown,
}

/// The API keys that were given out.
#[derive(Clone)]
pub(crate) struct Directory(Arc<HashMap<&'static str, Tenant>>);

impl Directory {
    pub(crate) fn new(tenants: impl IntoIterator<Item = (&'static str, Tenant)>) -> Self {
        Self(Arc::new(tenants.into_iter().collect()))
    }

    /// Real ones would be looked up by a digest of the key.
    pub(crate) fn tenant(&self, headers: &HeaderMap) -> Tenant {
        let key = headers.get("x-api-key").and_then(|key| key.to_str().ok());
        let known = key.and_then(|key| self.0.get(key));
        known.copied().unwrap_or(Tenant::Unknown)
    }
}

impl Tenant {
    /// How much of it may run at a time.
    pub(crate) fn plan(self) -> KeyPlan {
        let limit = match self {
            Self::Paying(_) => 2,
            Self::Trying(_) | Self::Unknown => 1,
        };
        KeyPlan::new(Limit::new(limit).expect("it is not 0"))
    }
}

/// So that a handler can ask, too.
impl FromRequestParts<Directory> for Tenant {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        directory: &Directory,
    ) -> Result<Self, Self::Rejection> {
        Ok(directory.tenant(&parts.headers))
    }
}
