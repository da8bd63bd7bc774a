//! The publications of a table, and the frames in them.

use std::fmt;

use bytes::Bytes;
use quadrex_protocol::{MatchId, TableId, UserId};
use tokio_tungstenite::tungstenite::protocol::frame::Frame as Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use quadrex_store::SecretHash;
use quadrex_table::Viewer;

/// The first byte of a frame that is a whole text message.
const FINAL_TEXT: u8 = 0x81;

/// A WebSocket text frame as it is written to the socket, with its header (RFC 6455, section 5.2).
/// A frame is encoded once, and all connections share the bytes. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    bytes: Bytes,
    /// The length of the header, in bytes. The text follows after the header.
    header_length: usize,
}

impl Frame {
    /// Returns the bytes to be sent, without copying them.
    pub fn bytes(&self) -> Bytes {
        self.bytes.clone()
    }

    /// Returns the text without the header.
    pub fn text(&self) -> &[u8] {
        &self.bytes[self.header_length..]
    }
}

impl Frame {
    /// Returns the frame with these bytes, which are those of [`bytes`](Self::bytes) at another
    /// server. Returns `None` if they are not a whole text frame.
    pub fn from_bytes(bytes: Bytes) -> Option<Self> {
        let (header_length, text_length) = match *bytes.first_chunk::<2>()? {
            [FINAL_TEXT, length @ 0..=125] => (2, usize::from(length)),
            [FINAL_TEXT, 126] => (4, u16::from_be_bytes(*bytes[2..].first_chunk()?).into()),
            [FINAL_TEXT, 127] => (10, usize::try_from(u64::from_be_bytes(*bytes[2..].first_chunk()?)).ok()?),
            _ => return None,
        };
        let is_whole = bytes.len().checked_sub(header_length) == Some(text_length);
        (is_whole && std::str::from_utf8(&bytes[header_length..]).is_ok())
            .then_some(Self { bytes, header_length })
    }
}

impl From<String> for Frame {
    fn from(text: String) -> Self {
        let text_length = text.len();
        let message = Message::message(text, OpCode::Data(Data::Text), true);
        let mut bytes = Vec::with_capacity(message.len());
        message.format(&mut bytes).expect("writing to a vector does not fail");
        Self { header_length: bytes.len() - text_length, bytes: bytes.into() }
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Frame").field(&String::from_utf8_lossy(self.text())).finish()
    }
}

/// The frames of one publication. Viewers who may see different things receive different frames.
pub type Frames = quadrex_table::frames::Frames<Frame>;

/// A publication of a table to its watchers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// The table that publishes.
    pub table: TableId,
    /// The match that is played there.
    pub match_id: MatchId,
    /// The kind of publication, with its content.
    pub kind: PublicationKind,
}

/// The kinds of publications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublicationKind {
    /// An event that was appended to the match's log.
    Event {
        /// The number of the event in the log.
        seq: u64,
        /// The frames of the event for all viewers.
        frames: Frames,
    },
    /// The start of the table's next match, with a snapshot of the match. This is the first
    /// publication of that match.
    NextMatch {
        /// The match that was played at the table before.
        previous: MatchId,
        /// The number of the last event that the snapshot shows.
        seq: u64,
        /// The snapshot for all viewers.
        frames: Frames,
    },
    /// A snapshot for watchers who may have missed events, because another server owned the table or
    /// was cut off. It replaces all that a watcher has, unless the watcher has later events.
    Snapshot {
        /// The number of the last event that the snapshot shows.
        seq: u64,
        /// The snapshot for all viewers.
        frames: Frames,
    },
    /// A change of presence. It is not in the log.
    Presence {
        /// The frames with the presence for all viewers.
        frames: Frames,
    },
    /// These users have lost their seat or the role of the host. A watcher of such a user loses
    /// access if it could watch only because of that seat or role.
    LeftTable {
        /// The users that have left.
        users: Vec<UserId>,
    },
    /// These links have been revoked or have expired. A watcher that could watch only because of
    /// such a link loses access, unless its user is a member.
    LinksEnded {
        /// The hashes of the links' secrets.
        links: Vec<SecretHash>,
        /// The members of the table: the seated users and the host.
        members: Vec<UserId>,
    },
    /// The host has kicked these users. They lose access to the table even if they have a link.
    Kicked {
        /// The users that were kicked.
        users: Vec<UserId>,
    },
}

impl Publication {
    /// Returns the frame for this viewer, if the publication has frames.
    pub fn frame_of(&self, viewer: Viewer) -> Option<&Frame> {
        match &self.kind {
            PublicationKind::Event { frames, .. }
            | PublicationKind::NextMatch { frames, .. }
            | PublicationKind::Snapshot { frames, .. }
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
    fn a_frame_is_shared_not_copied() {
        let frame = frame("text");
        assert_eq!(frame.bytes().as_ptr(), frame.clone().bytes().as_ptr());
    }

    #[test]
    fn a_frame_of_another_server_is_the_same_frame() {
        for length in [0, 5, 125, 126, 0xFFFF, 0x1_0000] {
            let frame = frame(&"x".repeat(length));
            assert_eq!(Frame::from_bytes(frame.bytes()), Some(frame.clone()), "{length}");
            for cut in
                [0, 1, 2, 3, frame.bytes().len() - 1].into_iter().filter(|cut| *cut < frame.bytes().len())
            {
                assert_eq!(Frame::from_bytes(frame.bytes().slice(..cut)), None, "{length}, cut at {cut}");
            }
        }
        for other in
            [&b"\x81\x01\xff"[..], b"\x82\x01x", b"\x81\xfex", b"\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff"]
        {
            assert_eq!(Frame::from_bytes(Bytes::from_static(other)), None, "{other:?}");
        }
    }

    /// The header marks the final frame of a text message without a mask. The length takes one,
    /// three or nine bytes (RFC 6455, section 5.2).
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
            assert_eq!(frame.bytes()[..header.len()], header);
            assert_eq!(frame.text().len(), length);
            assert_eq!(frame.bytes().len(), header.len() + length);
        }
    }
}
