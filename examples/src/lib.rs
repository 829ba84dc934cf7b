//! One file for each question that a user has.
//!
//! Each file (`retry` and `tenants` are folders) is whole, to be read and copied
//! by itself. It runs in a moment, prints what it shows, and ends with a test of
//! what it prints.
//!
//! ```sh
//! cargo run -p inflight-examples --example placement
//! ```
//!
//! | question | `examples/` |
//! |---|---|
//! | How does an axum server tell a client that it is full? | `axum_server.rs` |
//! | How long does a response that is streamed hold its permit? | `axum_streaming.rs` |
//! | How are connections and requests bounded in a server on hyper alone? | `hyper_server.rs` |
//! | How does a gRPC server say that it is full, and how is one service limited? | `tonic_server.rs` |
//! | How does a client bound what it has in flight at each host, and retry? | `reqwest_client.rs` |
//! | How much work should one permit cover? | `narrow_scope.rs` |
//! | In which order should a timeout, a retry and a limit stand? | `placement.rs` |
//! | How does a client try again without making an overload worse? | `retry/` |
//! | How do the important calls go first, and which ones give way? | `priorities.rs` |
//! | What if one tenant takes all the places? | `tenants/` |
//! | What can a full service give instead of an error? | `degrade.rs` |
//! | What if one call costs sixteen times as much as another? | `weights.rs` |
//! | What does a server tell Prometheus of its limits? | `metrics.rs` |
//! | How does a limit come from a file, and follow it? | `configuration.rs` |
//! | What becomes of the calls that wait when a server shuts down? | `shutdown.rs` |

// The README's code runs here, so that the published crates need neither axum
// nor tower for it.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
