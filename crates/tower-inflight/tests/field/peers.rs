//! Recipes by which a peer goes wrong, and what has to come of them here.

mod adaptive;
mod bulkhead;
mod tower;
