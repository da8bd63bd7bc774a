//! The publications that the bus carries, and their frames.

use std::fmt;

use bytes::Bytes;
use quadrex_protocol::{MatchId, TableId, UserId};
use tokio_tungstenite::tungstenite::protocol::frame::Frame as Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use quadrex_store::SecretHash;
use quadrex_table::Viewer;

/// A text frame as it crosses the wire, with its header (RFC 6455, section 5.2): encoded once and
/// shared by all recipients. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    wire: Bytes,
    /// The offset of the text.
    text_at: usize,
}

impl Frame {
    /// The bytes to be sent, shared and not copied.
    pub fn wire(&self) -> Bytes {
        self.wire.clone()
    }

    /// The text without the header.
    pub fn text(&self) -> &[u8] {
        &self.wire[self.text_at..]
    }
}

impl From<String> for Frame {
    fn from(text: String) -> Self {
        let length = text.len();
        let message = Message::message(text, OpCode::Data(Data::Text), true);
        let mut wire = Vec::with_capacity(message.len());
        message.format(&mut wire).expect("writing to a vector does not fail");
        Self { text_at: wire.len() - length, wire: wire.into() }
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Frame").field(&String::from_utf8_lossy(self.text())).finish()
    }
}

/// The frames of one publication, by viewer.
pub type Frames = quadrex_table::frames::Frames<Frame>;

/// A publication of a table to its watchers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// The table.
    pub table: TableId,
    /// Its match.
    pub match_id: MatchId,
    /// Its kind and content.
    pub kind: PublicationKind,
}

/// The kinds of publications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicationKind {
    /// An event of the match's log.
    Event {
        /// Its number.
        seq: u64,
        /// The frames, by viewer.
        frames: Frames,
    },
    /// The start of this match: its first publication, which shows all of it up to an event.
    Next {
        /// The match before it.
        previous: MatchId,
        /// The number of the last event shown.
        seq: u64,
        /// The frames, by viewer.
        frames: Frames,
    },
    /// Presence, which no log has.
    Presence {
        /// The frames, by viewer.
        frames: Frames,
    },
    /// These users no longer hold a seat or host the table; watchers admitted only on that basis
    /// are dropped.
    LeftTable {
        /// The users.
        users: Vec<UserId>,
    },
    /// These links have ended: so do the rights of watchers that rest on one, except for the seated
    /// and the host.
    LinksEnded {
        /// The links.
        links: Vec<SecretHash>,
        /// The seated users and the host.
        members: Vec<UserId>,
    },
    /// The host has kicked these users; their rights by a link end too.
    Kicked {
        /// The users.
        users: Vec<UserId>,
    },
}

impl Publication {
    /// Returns the viewer's frame, if the publication has frames.
    pub fn frame_of(&self, viewer: Viewer) -> Option<&Frame> {
        match &self.kind {
            PublicationKind::Event { frames, .. }
            | PublicationKind::Next { frames, .. }
            | PublicationKind::Presence { frames } => Some(frames.of(viewer)),
            PublicationKind::LeftTable { .. }
            | PublicationKind::Kicked { .. }
            | PublicationKind::LinksEnded { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Frame {
        Frame::from(text.to_owned())
    }

    #[test]
    fn a_frame_is_shared_and_not_copied() {
        let frame = frame("text");
        assert_eq!(frame.wire().as_ptr(), frame.clone().wire().as_ptr());
    }

    /// RFC 6455, section 5.2: final, text, not masked, and the length in one, three or nine bytes.
    #[test]
    fn a_frame_has_its_header_before_its_text() {
        for (length, header) in [
            (0, vec![0x81, 0]),
            (125, vec![0x81, 125]),
            (126, vec![0x81, 126, 0, 126]),
            (0xFFFF, vec![0x81, 126, 0xFF, 0xFF]),
            (0x1_0000, vec![0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            let frame = frame(&"x".repeat(length));
            assert_eq!(frame.wire()[..header.len()], header);
            assert_eq!(frame.text().len(), length);
            assert_eq!(frame.wire().len(), header.len() + length);
        }
    }
}
