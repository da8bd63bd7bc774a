//! The relations of users to each other: users follow, block and mute other users, and form groups.
//! Users also go on vacation.
//!
//! A block is enforced where a seat is taken (`actor::match_log`). The clients of the user hide the
//! messages of blocked and muted users.

mod groups;
mod relations;
mod vacations;

pub(crate) use groups::{GROUP_LIMITS, Groups, MAX_OWN_GROUPS, StandingsPeriod};
pub(crate) use relations::{MAX_RELATIONS, Relations};
pub(crate) use vacations::{VacationChange, Vacations};

/// The stored forms of relations.
pub(crate) use quadrex_store::{RelatedUser, RelationAdded, RelationKind};
