//! The messages that nodes send to each other.

mod command;
mod lobby;
mod node;
mod overview;
mod publication;
mod subscription;
mod table;

use quadrex_protocol::TableId;

pub use command::{Command, CommandAnswer, CommandOutcome, SeatOrigin};
pub use lobby::{
    HibernatingTable, LimitAnswer, LimitKey, LimitQuestion, ListChange, ListChanges, ListPart, ListRequest,
    OnlineAnswer, OnlineQuestion, QuickJoinAnswer, QuickJoinOutcome, QuickJoinQuestion, ReviewAnswer,
    ReviewProgress, ReviewQuestion,
};
pub use node::{
    FollowHead, FollowState, Heartbeat, InvitationsChanged, LobbyState, SecretHashBytes, SessionsEnded,
    TableTakeOver, TakeOver, TakeOverAnswer, TakenFollower, Unknown,
};
pub use overview::{OpenTurnView, OverviewUpdate};
pub use publication::{FrameSet, PublicationContent, SpecialFrame, TablePublication};
pub use subscription::{
    Follow, FollowAnswer, NodePresence, NotFollowing, Presence, Published, Unfollow, UserPresence,
};
pub use table::{
    AccessLink, NotOwner, RevokeLink, RevokeLinkAnswer, Watch, WatchAnswer, WatchOutcome, WatchRight,
};

use crate::{Correlation, NodeId};

/// The version of the messages that this crate sends. A newer version may have more kinds of
/// messages and more fields. Nodes ignore unknown fields, and answer unknown kinds with
/// [`Unknown`].
pub const MESSAGE_VERSION: u32 = 1;

/// A message from one node to another, or to all others.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterMessage {
    /// The node that sends the message.
    pub from: NodeId,
    /// The node that the message is for; `None` for all nodes but the sender.
    pub to: Option<NodeId>,
    /// The number of the request that this message is, or that it answers; 0 for all others.
    pub correlation: Correlation,
    /// The content.
    pub body: MessageBody,
}

macro_rules! bodies {
    ($($(#[$doc:meta])* $variant:ident($type:ty) = $kind:literal,)+) => {
        /// The content of a message.
        #[derive(Clone, Debug, PartialEq)]
        pub enum MessageBody {
            $($(#[$doc])* $variant($type),)+
        }

        impl MessageBody {
            /// All kinds, by their names on the wire.
            pub const KINDS: &[&str] = &[$($kind),+];

            /// Returns the name of the kind on the wire.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $kind,)+
                }
            }

            /// Encodes the content without its kind.
            pub(crate) fn encode(&self) -> Result<Vec<u8>, rmp_serde::encode::Error> {
                match self {
                    $(Self::$variant(content) => rmp_serde::to_vec_named(content),)+
                }
            }

            /// Decodes the content of this kind. Returns `None` if the kind is unknown.
            pub(crate) fn decode(kind: &str, content: &[u8]) -> Option<Result<Self, rmp_serde::decode::Error>> {
                match kind {
                    $($kind => Some(rmp_serde::from_slice(content).map(Self::$variant)),)+
                    _ => None,
                }
            }
        }

        $(impl From<$type> for MessageBody {
            fn from(content: $type) -> Self {
                Self::$variant(content)
            }
        })+
    };
}

bodies! {
    /// A user's command, for the owner of a table.
    Command(Command) = "command",
    /// The answer to a command.
    CommandAnswer(CommandAnswer) = "command_answer",
    /// A request for the first frames of a connection that watches a table.
    Watch(Watch) = "watch",
    /// The answer to [`Watch`].
    WatchAnswer(WatchAnswer) = "watch_answer",
    /// The request to revoke the access of the watchers that use a link.
    RevokeLink(RevokeLink) = "revoke_link",
    /// The answer to [`RevokeLink`].
    RevokeLinkAnswer(RevokeLinkAnswer) = "revoke_link_answer",
    /// The answer of a node that does not own the table of a request.
    NotOwner(NotOwner) = "not_owner",
    /// The request to send all publications of a table from now on.
    Follow(Follow) = "follow",
    /// The answer to [`Follow`].
    FollowAnswer(FollowAnswer) = "follow_answer",
    /// The end of a follow, from the following node.
    Unfollow(Unfollow) = "unfollow",
    /// The end of a follow, from the owner.
    NotFollowing(NotFollowing) = "not_following",
    /// A publication of a table or a change of its overview, for a following node.
    Published(Published) = "published",
    /// The users who watch a table at the following node.
    Presence(Presence) = "presence",
    /// The sign of life that each node sends to each other node once a second.
    Heartbeat(Heartbeat) = "heartbeat",
    /// The changes of the sender's tables.
    ListChanges(ListChanges) = "list_changes",
    /// The request for all tables of a node.
    ListRequest(ListRequest) = "list_request",
    /// A part of all tables of the sender.
    ListPart(ListPart) = "list_part",
    /// The question whether a limit allows something, for the owner of the limit's key.
    LimitQuestion(LimitQuestion) = "limit_question",
    /// The answer to [`LimitQuestion`].
    LimitAnswer(LimitAnswer) = "limit_answer",
    /// A quick join, for the owner of the variant's key.
    QuickJoinQuestion(QuickJoinQuestion) = "quick_join_question",
    /// The answer to [`QuickJoinQuestion`].
    QuickJoinAnswer(QuickJoinAnswer) = "quick_join_answer",
    /// The question which users are connected to a node.
    OnlineQuestion(OnlineQuestion) = "online_question",
    /// The answer to [`OnlineQuestion`].
    OnlineAnswer(OnlineAnswer) = "online_answer",
    /// The question how far a review is, for the owner of the review's key.
    ReviewQuestion(ReviewQuestion) = "review_question",
    /// The answer to [`ReviewQuestion`].
    ReviewAnswer(ReviewAnswer) = "review_answer",
    /// The request to take tables over from a node that stops.
    TakeOver(TakeOver) = "take_over",
    /// The answer to [`TakeOver`].
    TakeOverAnswer(TakeOverAnswer) = "take_over_answer",
    /// Sessions that have ended.
    SessionsEnded(SessionsEnded) = "sessions_ended",
    /// The invitations of a user have changed.
    InvitationsChanged(InvitationsChanged) = "invitations_changed",
    /// The answer to a message that the receiver cannot decode.
    Unknown(Unknown) = "unknown",
}

impl MessageBody {
    /// Returns whether only the owner of a table can handle the message.
    #[must_use]
    pub const fn is_for_owner(&self) -> bool {
        matches!(
            self,
            Self::Command(_)
                | Self::Watch(_)
                | Self::RevokeLink(_)
                | Self::Follow(_)
                | Self::Unfollow(_)
                | Self::Presence(_)
        )
    }

    /// Returns the table of the message, if the message is about exactly one table.
    #[must_use]
    pub const fn table(&self) -> Option<TableId> {
        match self {
            Self::Command(Command { table, .. })
            | Self::CommandAnswer(CommandAnswer { table, .. })
            | Self::Watch(Watch { table, .. })
            | Self::WatchAnswer(WatchAnswer { table, .. })
            | Self::RevokeLink(RevokeLink { table, .. })
            | Self::RevokeLinkAnswer(RevokeLinkAnswer { table })
            | Self::NotOwner(NotOwner { table, .. })
            | Self::Follow(Follow { table, .. })
            | Self::FollowAnswer(FollowAnswer { table, .. })
            | Self::Unfollow(Unfollow { table, .. })
            | Self::NotFollowing(NotFollowing { table, .. })
            | Self::Published(Published { table, .. })
            | Self::Presence(Presence { table, .. }) => Some(*table),
            Self::Heartbeat(_)
            | Self::ListChanges(_)
            | Self::ListRequest(_)
            | Self::ListPart(_)
            | Self::LimitQuestion(_)
            | Self::LimitAnswer(_)
            | Self::QuickJoinQuestion(_)
            | Self::QuickJoinAnswer(_)
            | Self::OnlineQuestion(_)
            | Self::OnlineAnswer(_)
            | Self::ReviewQuestion(_)
            | Self::ReviewAnswer(_)
            | Self::TakeOver(_)
            | Self::TakeOverAnswer(_)
            | Self::SessionsEnded(_)
            | Self::InvitationsChanged(_)
            | Self::Unknown(_) => None,
        }
    }
}
