//! Rows about places: tables, their links, and how far their match is.

use quadrex_protocol::http::Uses;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, MatchId, TableId, UserId};
use quadrex_rules::{Color, Timestamp};
use uuid::Uuid;

use super::column;
use super::error::{StoreError, read_seq, unreadable};
use super::identity::SecretHash;
use super::lot_key::LotKey;

/// A table about to be made, with the first events of its match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTable {
    /// Its id, made by the caller, so that a caller who lost the answer can ask for it.
    pub table: TableId,
    /// The id of its first match.
    pub match_id: MatchId,
    /// Who makes it.
    pub host: UserId,
    /// Who may find it.
    pub privacy: Privacy,
    /// What its matches' lots are drawn with.
    pub lot_key: LotKey,
    /// When.
    pub at: Timestamp,
    /// The first events: `opened`, and the host's own `seated`. At least one.
    pub events: Vec<Event>,
}

/// A table and its current match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Which table.
    pub table: TableId,
    /// Who made it.
    pub host: UserId,
    /// Who may find it.
    pub privacy: Privacy,
    /// When it was made.
    pub created_at: Timestamp,
    /// Its newest match.
    pub match_id: MatchId,
    /// The number of that match's last event.
    pub head_seq: u64,
    /// How far that match is.
    pub phase: Phase,
}

/// What a link's secret opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A seat.
    Invite {
        /// The one seat it opens; any if `None`.
        seat: Option<Color>,
        /// How often.
        uses: Uses,
    },
    /// The sight of the table.
    Watch,
}

/// A secret that lets its holder in at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The secret's hash.
    pub secret: SecretHash,
    /// Where it leads.
    pub table: TableId,
    /// What it opens there.
    pub purpose: Purpose,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// Who used it last; a single-use invite then belongs to that user.
    pub used_by: Option<UserId>,
}

/// A row of a table and its match as either database gives it, before its words are read.
pub(super) struct RawTable {
    pub(super) table: Uuid,
    pub(super) host: Uuid,
    pub(super) privacy: String,
    pub(super) created_at: Timestamp,
    pub(super) match_id: Uuid,
    pub(super) head_seq: i64,
    pub(super) status: String,
}

/// A table's key as it was kept.
pub(super) fn read_lot_key(kept: Option<Vec<u8>>) -> Result<LotKey, StoreError> {
    let size = kept.as_ref().map_or(0, Vec::len);
    let bytes = kept.and_then(|kept| kept.try_into().ok());
    bytes.map(LotKey).ok_or_else(|| unreadable("tables.lot_key", format!("{size} bytes")))
}

impl RawTable {
    pub(super) fn read(self) -> Result<TableRow, StoreError> {
        Ok(TableRow {
            table: TableId(self.table),
            host: UserId(self.host),
            privacy: column::read_privacy(&self.privacy).ok_or(unreadable("tables.privacy", self.privacy))?,
            created_at: self.created_at,
            match_id: MatchId(self.match_id),
            head_seq: read_seq("matches.head_seq", self.head_seq)?,
            phase: column::read_phase(&self.status).ok_or(unreadable("matches.status", self.status))?,
        })
    }
}

/// The hash of a link's secret as it was kept.
pub(super) fn read_secret(kept: Vec<u8>) -> Result<SecretHash, StoreError> {
    let size = kept.len();
    kept.try_into().map(SecretHash).map_err(|_| unreadable("links.secret_hash", format!("{size} bytes")))
}

/// A row of a link as either database gives it.
pub(super) struct RawLink {
    pub(super) table: Uuid,
    pub(super) purpose: String,
    pub(super) seat: Option<String>,
    pub(super) uses: String,
    pub(super) created_at: Timestamp,
    pub(super) expires_at: Timestamp,
    pub(super) used_by: Option<Uuid>,
}

impl RawLink {
    pub(super) fn read(self, secret: SecretHash) -> Result<Link, StoreError> {
        let purpose = match self.purpose.as_str() {
            "watch" => Purpose::Watch,
            "invite" => Purpose::Invite {
                seat: self
                    .seat
                    .map(|seat| seat.parse().map_err(|_| unreadable("links.seat", seat)))
                    .transpose()?,
                uses: column::read_uses(&self.uses).ok_or(unreadable("links.uses", self.uses))?,
            },
            _ => return Err(unreadable("links.purpose", self.purpose)),
        };
        Ok(Link {
            secret,
            table: TableId(self.table),
            purpose,
            created_at: self.created_at,
            expires_at: self.expires_at,
            used_by: self.used_by.map(UserId),
        })
    }
}

impl Purpose {
    /// The values of the columns purpose, seat, uses.
    pub(super) fn columns(self) -> (&'static str, Option<String>, &'static str) {
        match self {
            Self::Invite { seat, uses } => ("invite", seat.map(|seat| seat.to_string()), column::uses(uses)),
            Self::Watch => ("watch", None, column::uses(Uses::Open)),
        }
    }
}
