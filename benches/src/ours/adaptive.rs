//! `AdaptiveAimdLayer`: a limit that AIMD moves, and no line.

use tower::Layer;
use tower_inflight::{Adaptive, AdaptiveAimdLayer};

use crate::inner::Inner;

/// With all its defaults, but for room for `limit` calls.
pub fn service(limit: usize) -> Adaptive<Inner> {
    let settings = AdaptiveAimdLayer::builder()
        .initial_limit(limit)
        .max_limit(limit);
    let layer = settings.build().expect("the settings are valid");
    layer.layer(Inner)
}
