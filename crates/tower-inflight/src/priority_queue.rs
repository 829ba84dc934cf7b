//! A fixed limit, and a line that goes by priority.

mod builder;
mod layer;
mod service;

pub use self::builder::PriorityQueueBuilder;
pub use self::layer::PriorityQueueLayer;
pub use self::service::PriorityQueue;
