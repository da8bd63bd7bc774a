//! The connection of a server to the other servers (nodes) of its cluster, for the actors, the
//! proxies and the lobby. A server without a cluster has none.
//!
//! A [`ClusterLink`] sends messages, and passes requests about the owners of matches to the task
//! that manages the node's membership.

mod frames;
mod link;

pub use frames::{from_message, to_message};
pub use link::{ClusterLink, LinkParts, OwnMatch, OwnershipRequest};
