//! The publications of a table.

use std::fmt;

use bytes::Bytes;
use quadrex_protocol::{MatchId, UserId};
use quadrex_table::frames::Frames;
use serde::{Deserialize, Serialize};

use super::node::SecretHashBytes;

/// A publication of a table to its watchers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablePublication {
    /// The match that is played at the table.
    pub match_id: MatchId,
    /// The content.
    pub content: PublicationContent,
}

/// The content of a publication.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PublicationContent {
    /// An event that was appended to the match's log.
    Event {
        /// The number of the event in the log.
        seq: u64,
        /// The frames of the event.
        frames: FrameSet,
    },
    /// The start of the table's next match, with a snapshot of the match.
    NextMatch {
        /// The match that was played at the table before.
        previous: MatchId,
        /// The number of the last event that the snapshot shows.
        seq: u64,
        /// The snapshot.
        frames: FrameSet,
    },
    /// A snapshot for a node that has missed too many events. It replaces all that the watchers
    /// have. A watcher that has the event already, by a snapshot of its own, ignores it.
    Snapshot {
        /// The number of the last event that the snapshot shows.
        seq: u64,
        /// The snapshot.
        frames: FrameSet,
    },
    /// A change of presence. It is not in the log.
    Presence {
        /// The frames with the presence.
        frames: FrameSet,
    },
    /// These users have lost their seat or the role of the host.
    LeftTable {
        /// The users that have left.
        users: Vec<UserId>,
    },
    /// These links have been revoked or have expired.
    LinksEnded {
        /// The hashes of the links' secrets.
        links: Vec<SecretHashBytes>,
        /// The members of the table: the seated users and the host.
        members: Vec<UserId>,
    },
    /// The host has kicked these users.
    Kicked {
        /// The users that were kicked.
        users: Vec<UserId>,
    },
}

impl TablePublication {
    /// Returns the publication with only those special frames whose user is among `users`.
    #[must_use]
    pub fn for_users(&self, is_present: impl Fn(UserId) -> bool) -> Self {
        let mut publication = self.clone();
        if let Some(frames) = publication.content.frames_mut() {
            frames.special.retain(|special| is_present(special.user));
        }
        publication
    }
}

impl PublicationContent {
    fn frames_mut(&mut self) -> Option<&mut FrameSet> {
        match self {
            Self::Event { frames, .. }
            | Self::NextMatch { frames, .. }
            | Self::Snapshot { frames, .. }
            | Self::Presence { frames } => Some(frames),
            Self::LeftTable { .. } | Self::LinksEnded { .. } | Self::Kicked { .. } => None,
        }
    }
}

/// The encoded frames of one publication. Nodes pass the bytes on and never decode them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameSet {
    /// The frame for every viewer without a special frame.
    pub general: Bytes,
    /// The frames for users who receive another frame than `general`.
    #[serde(default)]
    pub special: Vec<SpecialFrame>,
}

/// A frame for one user.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecialFrame {
    /// The user.
    pub user: UserId,
    /// The frame.
    pub frame: Bytes,
}

impl FrameSet {
    /// Returns the bytes of these frames.
    pub fn new<F>(frames: &Frames<F>, bytes: impl Fn(&F) -> Bytes) -> Self {
        let special =
            frames.special().iter().map(|(user, frame)| SpecialFrame { user: *user, frame: bytes(frame) });
        Self { general: bytes(frames.general()), special: special.collect() }
    }

    /// Returns the frames with these bytes.
    pub fn into_frames<F>(self, frame: impl Fn(Bytes) -> F) -> Frames<F> {
        let general = Frames::same_for_all(frame(self.general));
        self.special
            .into_iter()
            .fold(general, |frames, special| frames.with_special(special.user, frame(special.frame)))
    }
}

impl fmt::Debug for FrameSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FrameSet({} bytes, {} special)", self.general.len(), self.special.len())
    }
}

impl fmt::Debug for SpecialFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SpecialFrame({}, {} bytes)", self.user, self.frame.len())
    }
}
