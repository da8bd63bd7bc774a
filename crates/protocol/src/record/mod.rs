//! Records: matches and games that are stored outside a server as JSON objects (`docs/RECORD.md`).

mod from_match_log;
mod from_notation;
mod to_notation;
mod verify;

use std::collections::BTreeMap;

use quadrex_rules::{Color, DrawPolicy, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use from_match_log::InvalidMatchLog;
pub use to_notation::RecordError;
pub use verify::{Verified, VerifyError};

use crate::MatchId;
use crate::event::Event;
use crate::settings::TimeSetting;
use crate::vocabulary::{ColorText, DrawPolicyText, VariantText};

/// A match of a server, or a game from another source. It consists of the events and, if it was
/// read from notation, the original text.
///
/// The events alone determine the match. The other contents of a text in notation (comments,
/// annotations, variations, tags) are in `tags` and `written`, so a conversion between PGN or PGN4
/// and a record loses nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct MatchRecord {
    /// The version of the format.
    pub format: RecordFormat,
    /// The match's id on its server; absent for a game that was not played on a server.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    #[ts(optional, rename = "match")]
    pub match_id: Option<MatchId>,
    /// The variant.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The position before the first move (FEN or FEN4), if it is not the variant's start position
    /// with White or Red to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub setup: Option<String>,
    /// The handling of draws by repetition and move count; `claim` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<DrawPolicyText>")]
    #[schemars(with = "Option<DrawPolicyText>")]
    pub draws: Option<DrawPolicy>,
    /// The time control, if it is known and of a supported kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time: Option<TimeSetting>,
    /// The players' names, if known.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<ColorText, String>>")]
    #[schemars(with = "BTreeMap<ColorText, String>")]
    pub players: BTreeMap<Color, String>,
    /// The events, in order.
    pub events: Vec<RecordedEvent>,
    /// The tags of PGN or PGN4, in their order: name and value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<(String, String)>>")]
    pub tags: Vec<(String, String)>,
    /// The original text of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub written: Option<Movetext>,
    /// The first illegal move or elimination in the text. The events end before it.
    #[serde(rename = "stopped", default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rejected: Option<RejectedText>,
}

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub enum RecordFormat {
    /// Format 2. Records of format 1 are also read: their field names are aliases of those of
    /// format 2.
    #[serde(rename = "quadrex-record-2", alias = "quadrex-record-1")]
    V2,
}

/// An event of a record. The first event in the list has number 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RecordedEvent {
    /// The time of the event, in milliseconds since the Unix epoch, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub at_ms: Option<u64>,
    /// The event.
    pub event: Event,
}

/// A game's movetext, as originally written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Movetext {
    /// The moves and eliminations as written, in their order.
    pub line: Vec<MovetextItem>,
    /// The result after the moves of a PGN game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub result: Option<String>,
}

/// A move or an elimination as written, with its annotations. Only the first item of a move
/// sequence may have no `text`; it then holds the comments that precede the first move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct MovetextItem {
    /// The move number before the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub number: Option<u32>,
    /// The number of dots after the move number; one if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dots: Option<u8>,
    /// The move or elimination as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// PGN's numeric annotation glyphs after the move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u8>>")]
    pub nags: Vec<u8>,
    /// Comments after the move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub comments: Vec<String>,
    /// The variations: alternatives to this move, each with the moves that follow it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Vec<MovetextItem>>>")]
    pub variations: Vec<Vec<Self>>,
}

/// The first illegal move or elimination in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RejectedText {
    /// The number of the round in which the move or elimination appears.
    pub round: u32,
    /// The player to move.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The move or elimination as written.
    pub text: String,
    /// The reason, for people.
    #[serde(alias = "why")]
    pub reason: String,
}
