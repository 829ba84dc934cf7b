//! The page with the plots: one HTML file that needs nothing else.

mod cards;
mod chart;
mod document;
mod numbers;
mod plots;

pub(crate) use self::document::html;
