//! Moderation: what users and operators do about other users. Suspensions are in the module `auth`,
//! because they change what an identity may do.
//!
//! - [`Reports`] adds the reports about users, and lists and closes them.
//! - [`Warnings`] lists the warnings of users, until the users have acknowledged them.

mod reports;
mod warnings;

pub use reports::Reports;
pub use warnings::Warnings;
