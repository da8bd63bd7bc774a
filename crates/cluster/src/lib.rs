#![doc = include_str!("../README.md")]

mod codec;
mod heartbeats;
mod key;
#[cfg(feature = "faults")]
mod later_version;
pub mod limits;
pub mod membership;
pub mod message;
mod messenger;
mod metrics;
mod node_subscription;
mod numbers;
mod table_list;
mod table_proxy;
mod unknown_kinds;

pub use codec::{DecodeError, decode, encode};
pub use heartbeats::Heartbeats;
pub use key::ClusterKey;
#[cfg(feature = "faults")]
pub use later_version::LATER_MESSAGES;
pub use message::{ClusterMessage, MessageBody};
pub use messenger::{
    Chaos, ChaosMessenger, ChaosNetwork, ClusterMessenger, ConnectError, Credentials, Inbox, InboxEvent,
    LinkEvent, NatsMessenger, NatsOptions, SendError, TlsOptions,
};
pub use metrics::write_metrics;
pub use node_subscription::{
    FollowRequest, FollowerEffect, NodeSubscription, Outgoing, PublishedState, TableFollowers,
};
pub use numbers::{Correlation, FollowId, Numbers};
pub use quadrex_store::NodeId;
pub use table_list::{ListEffect, ListedTable, MergedTableList, OwnTableList};
pub use table_proxy::{ProxyEffect, RequestAnswer, TableProxy, TableRequest};
pub use unknown_kinds::UnknownKinds;
