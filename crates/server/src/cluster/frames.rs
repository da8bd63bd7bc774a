//! The publications of a table as messages between nodes. The encoded frames are carried unchanged.

use bytes::Bytes;
use quadrex_cluster::message::{FrameSet, PublicationContent, SecretHashBytes, TablePublication};
use quadrex_protocol::TableId;
use quadrex_store::SecretHash;

use crate::bus::{Frame, Frames, Publication, PublicationKind};

/// Returns a publication as a message.
pub fn to_message(publication: &Publication) -> TablePublication {
    let set = |frames: &Frames| FrameSet::new(frames, Frame::bytes);
    let content = match &publication.kind {
        PublicationKind::Event { seq, frames } => {
            PublicationContent::Event { seq: *seq, frames: set(frames) }
        }
        PublicationKind::NextMatch { previous, seq, frames } => {
            PublicationContent::NextMatch { previous: *previous, seq: *seq, frames: set(frames) }
        }
        PublicationKind::Snapshot { seq, frames } => {
            PublicationContent::Snapshot { seq: *seq, frames: set(frames) }
        }
        PublicationKind::Presence { frames } => PublicationContent::Presence { frames: set(frames) },
        PublicationKind::LeftTable { users } => PublicationContent::LeftTable { users: users.clone() },
        PublicationKind::LinksEnded { links, members } => PublicationContent::LinksEnded {
            links: links.iter().map(|link| SecretHashBytes(link.0)).collect(),
            members: members.clone(),
        },
        PublicationKind::Kicked { users } => PublicationContent::Kicked { users: users.clone() },
    };
    TablePublication { match_id: publication.match_id, content }
}

/// Returns the publication of a message. Returns `None` if a frame in it is malformed.
pub fn from_message(table: TableId, message: TablePublication) -> Option<Publication> {
    let kind = match message.content {
        PublicationContent::Event { seq, frames } => {
            PublicationKind::Event { seq, frames: whole_frames(frames)? }
        }
        PublicationContent::NextMatch { previous, seq, frames } => {
            PublicationKind::NextMatch { previous, seq, frames: whole_frames(frames)? }
        }
        PublicationContent::Snapshot { seq, frames } => {
            PublicationKind::Snapshot { seq, frames: whole_frames(frames)? }
        }
        PublicationContent::Presence { frames } => {
            PublicationKind::Presence { frames: whole_frames(frames)? }
        }
        PublicationContent::LeftTable { users } => PublicationKind::LeftTable { users },
        PublicationContent::LinksEnded { links, members } => PublicationKind::LinksEnded {
            links: links.into_iter().map(|link| SecretHash(link.0)).collect(),
            members,
        },
        PublicationContent::Kicked { users } => PublicationKind::Kicked { users },
    };
    Some(Publication { table, match_id: message.match_id, kind })
}

fn whole_frames(set: FrameSet) -> Option<Frames> {
    let frame = |bytes: Bytes| Frame::from_bytes(bytes);
    let general = Frames::same_for_all(frame(set.general)?);
    set.special
        .into_iter()
        .try_fold(general, |frames, special| Some(frames.with_special(special.user, frame(special.frame)?)))
}

#[cfg(test)]
mod tests {
    use quadrex_protocol::{MatchId, UserId};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_publication_is_the_same_at_another_node() {
        let (table, match_id) = (TableId(Uuid::from_u128(1)), MatchId(Uuid::from_u128(2)));
        let user = UserId(Uuid::from_u128(3));
        let frames = || {
            let frame = |text: &str| Frame::from(text.to_owned());
            Frames::same_for_all(frame("general")).with_special(user, frame("special"))
        };
        let kinds = [
            PublicationKind::Event { seq: 4, frames: frames() },
            PublicationKind::NextMatch { previous: MatchId(Uuid::from_u128(9)), seq: 1, frames: frames() },
            PublicationKind::Snapshot { seq: 4, frames: frames() },
            PublicationKind::Presence { frames: frames() },
            PublicationKind::LeftTable { users: vec![user] },
            PublicationKind::LinksEnded { links: vec![SecretHash([7; 32])], members: vec![user] },
            PublicationKind::Kicked { users: vec![user] },
        ];
        for kind in kinds {
            let publication = Publication { table, match_id, kind };
            assert_eq!(from_message(table, to_message(&publication)), Some(publication));
        }
    }

    #[test]
    fn a_malformed_frame_is_no_publication() {
        let set = FrameSet { general: Bytes::from_static(b"no frame"), special: Vec::new() };
        let content = PublicationContent::Presence { frames: set };
        let message = TablePublication { match_id: MatchId(Uuid::from_u128(2)), content };
        assert_eq!(from_message(TableId(Uuid::from_u128(1)), message), None);
    }
}
