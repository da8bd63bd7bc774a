//! Matches and games as they are kept outside a server: one JSON object each (`docs/RECORD.md`).

mod from_written;
mod of_match;
mod to_written;
mod verify;

use std::collections::BTreeMap;

use quadrex_rules::{Color, DrawPolicy, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use of_match::NoMatch;
pub use to_written::RecordError;
pub use verify::{Verified, VerifyError};

use crate::MatchId;
use crate::event::Event;
use crate::http::TimeSetting;
use crate::vocabulary::{ColorText, DrawPolicyText, VariantText};

/// A match, or a game from anywhere: what happened in it, and beside that how it stood written, if it did.
///
/// The events alone tell the match. What notation holds beyond them (comments, judgements, other lines, tags) is in
/// `tags` and `written`, so that nothing is lost between PGN or PGN4 and a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct MatchRecord {
    /// Which format this is.
    pub format: RecordFormat,
    /// Which match of a server it is; a game from elsewhere has none.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    #[ts(optional, rename = "match")]
    pub match_id: Option<MatchId>,
    /// By which rules it is told.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The position of the first move (FEN or FEN4), if it is not the variant's own with White or Red to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub setup: Option<String>,
    /// How repetition and the move count draw; `claim` if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<DrawPolicyText>")]
    #[schemars(with = "Option<DrawPolicyText>")]
    pub draws: Option<DrawPolicy>,
    /// The time control, if it is known and of a kind that we have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time: Option<TimeSetting>,
    /// The players' names, where known.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<ColorText, String>>")]
    #[schemars(with = "BTreeMap<ColorText, String>")]
    pub players: BTreeMap<Color, String>,
    /// What happened, in order.
    pub events: Vec<RecordedEvent>,
    /// The tags of PGN or PGN4, in their order: name and value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<(String, String)>>")]
    pub tags: Vec<(String, String)>,
    /// The game as it stood written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub written: Option<Movetext>,
    /// Where the events end because our rules cannot follow what is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub stopped: Option<RecordStop>,
}

/// The version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub enum RecordFormat {
    /// The first.
    #[serde(rename = "quadrex-record-1")]
    V1,
}

/// An event of a record. Its number is its place among them, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RecordedEvent {
    /// When it happened, milliseconds since the Unix epoch, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub at_ms: Option<u64>,
    /// What happened.
    pub event: Event,
}

/// A game's words as they stood written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Movetext {
    /// The words in their order.
    pub line: Vec<WrittenWord>,
    /// The result behind the moves of a PGN game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub result: Option<String>,
}

/// A move or an exit as written, with what stands around it. A word without `text` comes first in its line only and
/// holds the comments before the first move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct WrittenWord {
    /// The number before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub number: Option<u32>,
    /// How many dots follow the number; one if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dots: Option<u8>,
    /// The word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// Judgements by their PGN numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u8>>")]
    pub nags: Vec<u8>,
    /// Comments behind it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub comments: Vec<String>,
    /// Other lines from before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Vec<WrittenWord>>>")]
    pub variations: Vec<Vec<Self>>,
}

/// The first word that our rules cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RecordStop {
    /// The round.
    pub round: u32,
    /// Whose turn it is.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The word.
    pub text: String,
    /// Why, for people.
    pub why: String,
}
