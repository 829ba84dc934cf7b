//! What is shown at the end: a table, a verdict, a page, and a file for programs.

mod page;
mod publish;
mod table;
mod text;
mod verdict;

pub(crate) use self::publish::publish;
