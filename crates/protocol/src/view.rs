//! What a client is shown of a table: views for one pair of eyes, made from the state.

use std::collections::BTreeMap;

use quadrex_rules::{AbortCause, Cause, Color, Move, Reason, Request, Square, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::bot::BotView;
use crate::event::Event;
use crate::settings::TableSettings;
use crate::vocabulary::{
    AbortCauseText, CauseText, ColorText, MoveText, ReasonText, RequestText, SquareText,
};
use crate::{MatchId, PieceCode, UserId};

/// Somebody, as others see them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct UserView {
    /// Who.
    pub id: UserId,
    /// The name shown.
    pub name: String,
    /// What kind of bot it is; a person is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bot: Option<BotView>,
}

impl UserView {
    /// Whether it is a bot that the server itself runs.
    #[must_use]
    pub fn is_served(&self) -> bool {
        matches!(self.bot, Some(BotView::BuiltIn { .. } | BotView::Engine { .. }))
    }
}

/// How far a table's match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Seats may be taken.
    Open,
    /// Being played.
    Running,
    /// Over.
    Ended,
}

/// A seat and who holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SeatView {
    /// Its color.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The side of the board it sits at.
    pub side: Side,
    /// Who holds it, or nobody.
    pub user: Option<UserView>,
    /// The bot that plays, or played to the end, in the place of who holds it: somebody who stayed away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub stand_in: Option<UserView>,
}

/// The side of the board a color sits at, seen with Red's (White's) side at the south.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Its pawns move up the ranks.
    South,
    /// Its pawns move along the files, from `a`.
    West,
    /// Its pawns move down the ranks.
    North,
    /// Its pawns move along the files, towards `a`.
    East,
}

impl From<quadrex_rules::Side> for Side {
    fn from(side: quadrex_rules::Side) -> Self {
        match side {
            quadrex_rules::Side::South => Self::South,
            quadrex_rules::Side::West => Self::West,
            quadrex_rules::Side::North => Self::North,
            quadrex_rules::Side::East => Self::East,
        }
    }
}

/// Which squares a board has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BoardView {
    /// Files, from `a`.
    pub files: u8,
    /// Ranks, from 1.
    pub ranks: u8,
    /// Squares within files x ranks that the board does not have.
    #[ts(as = "Vec<SquareText>")]
    #[schemars(with = "Vec<SquareText>")]
    pub holes: Vec<Square>,
}

impl BoardView {
    /// The board of a variant.
    #[must_use]
    pub fn of(variant: Variant) -> Self {
        let shape = variant.board();
        let all = (0..shape.ranks)
            .flat_map(|rank| (0..shape.files).filter_map(move |file| Square::new(file, rank)));
        Self {
            files: shape.files,
            ranks: shape.ranks,
            holes: all.filter(|&square| !shape.contains(square)).collect(),
        }
    }
}

/// The whole of a table for one viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TableView {
    /// What it was opened with.
    pub settings: TableSettings,
    /// Who is host now.
    pub host: UserView,
    /// The squares.
    pub board: BoardView,
    /// The seats in turn order.
    pub seats: Vec<SeatView>,
    /// The pieces at the start of the match.
    #[ts(as = "BTreeMap<SquareText, PieceCode>")]
    #[schemars(with = "BTreeMap<SquareText, PieceCode>")]
    pub start: BTreeMap<Square, PieceCode>,
    /// The pieces now.
    #[ts(as = "BTreeMap<SquareText, PieceCode>")]
    #[schemars(with = "BTreeMap<SquareText, PieceCode>")]
    pub pieces: BTreeMap<Square, PieceCode>,
    /// All events so far that this viewer may see, in order.
    pub history: Vec<Entry>,
    /// Whose turn it is, and so on.
    pub state: StateView,
    /// The viewer's own seats in turn order: one, or several at a hotseat table; none for who only watches.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub yours: Vec<Color>,
    /// The viewer's legal moves, if it is the turn of a seat of the viewer's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<Vec<MoveText>>")]
    #[schemars(with = "Option<Vec<MoveText>>")]
    pub legal: Option<Vec<Move>>,
    /// How those who hold seats are there now, in turn order.
    pub players: Vec<PlayerView>,
    /// How many watch without a seat.
    pub spectators: u32,
}

/// How somebody who holds a seat is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PlayerView {
    /// The seat.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// How.
    pub presence: Presence,
    /// What is left of the reconnect bank of one who is `reconnecting`, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub left_ms: Option<u64>,
    /// Whether the bank runs down: only on the player's own turn.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub counting: bool,
}

/// Whether a player has a line that watches the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// It has.
    Connected,
    /// It has not, and is expected back: something is left of its reconnect bank.
    Reconnecting,
    /// It has not.
    Gone,
}

/// Why no time runs and nobody may move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FrozenView {
    /// Why.
    pub kind: FrozenKind,
    /// Whom the match waits for, or who ended the pause.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub color: Option<Color>,
    /// How long it lasts at most, milliseconds: then a pause runs out, a wait is given up, a countdown is over.
    pub left_ms: u64,
}

/// The kinds of standstill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FrozenKind {
    /// All players still in agreed to a pause.
    Paused,
    /// The match waits for the player to move.
    Waiting,
    /// A pause is about to end.
    Resuming,
}

/// One event with what follows from it for the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Entry {
    /// Its number in the match, from 1, without gaps.
    pub seq: u64,
    /// When it happened, milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// What happened.
    pub event: Event,
    /// A move as players write it: SAN in `classic`, the long form of PGN4 on a cross board.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub text: Option<String>,
    /// The squares that changed, with what stands there now.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    #[ts(optional, as = "Option<BTreeMap<SquareText, Option<PieceCode>>>")]
    #[schemars(with = "BTreeMap<SquareText, Option<PieceCode>>")]
    pub squares: BTreeMap<Square, Option<PieceCode>>,
    /// The colors whose king is attacked after it (RULES G7).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<ColorText>>")]
    #[schemars(with = "Vec<ColorText>")]
    pub checks: Vec<Color>,
    /// Every attack on those kings.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<AttackView>>")]
    pub attacks: Vec<AttackView>,
    /// The reserves that changed (RULES D5), of players still in, with what is in them now. What was never told is empty.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    #[ts(optional, as = "Option<BTreeMap<ColorText, ReserveView>>")]
    #[schemars(with = "BTreeMap<ColorText, ReserveView>")]
    pub reserves: BTreeMap<Color, ReserveView>,
}

/// A piece that attacks a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AttackView {
    /// Where the attacker stands.
    #[ts(as = "SquareText")]
    #[schemars(with = "SquareText")]
    pub from: Square,
    /// Where the king stands.
    #[ts(as = "SquareText")]
    #[schemars(with = "SquareText")]
    pub to: Square,
}

/// What is true now, beside the pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StateView {
    /// Open, running or ended.
    pub phase: Phase,
    /// Who is to move, while the match runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub turn: Option<Color>,
    /// The players still in, in turn order.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub players_in: Vec<Color>,
    /// The players who are out, in the order they went.
    pub eliminated: Vec<EliminatedView>,
    /// The colors whose king is attacked (RULES G7).
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub checks: Vec<Color>,
    /// What each player may promote to beside a queen (RULES D5); empty in `classic`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    #[ts(optional, as = "Option<BTreeMap<ColorText, ReserveView>>")]
    #[schemars(with = "BTreeMap<ColorText, ReserveView>")]
    pub reserves: BTreeMap<Color, ReserveView>,
    /// The clocks, if the match has any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub clock: Option<ClockView>,
    /// The open requests, one of a kind at most.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<RequestView>>")]
    pub requests: Vec<RequestView>,
    /// Whether the player to move may claim a draw now, before moving.
    pub claimable: bool,
    /// Where moves are limited without clocks: what is left of the time for this move, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub limit_ms: Option<u64>,
    /// Why no time runs just now and nobody may move, if so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub frozen: Option<FrozenView>,
    /// The result, once the match has ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub outcome: Option<OutcomeView>,
    /// Why the match ended without places, if it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<AbortCauseText>")]
    #[schemars(with = "Option<AbortCauseText>")]
    pub aborted: Option<AbortCause>,
    /// The open wish for another match, after the end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub rematch: Option<RematchView>,
    /// Whether the table has closed: nothing can be done there any more.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub closed: bool,
}

/// A player who is out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EliminatedView {
    /// Who.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// Why.
    #[ts(as = "CauseText")]
    #[schemars(with = "CauseText")]
    pub cause: Cause,
}

/// A player's reserve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ReserveView {
    /// Rooks to be had.
    pub rooks: u8,
    /// Bishops to be had.
    pub bishops: u8,
    /// Knights to be had.
    pub knights: u8,
}

/// The clocks at the moment the frame was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ClockView {
    /// Time left, milliseconds.
    #[ts(as = "BTreeMap<ColorText, u64>")]
    #[schemars(with = "BTreeMap<ColorText, u64>")]
    pub left_ms: BTreeMap<Color, u64>,
    /// Whose clock runs, if one does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub running: Option<Color>,
    /// Free time left before the running clock goes down, milliseconds.
    pub free_ms: u64,
    /// Whether the player to move has made no move of its own yet: when the free time is over (in correspondence, the
    /// time left) the match is aborted.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub first_move: bool,
}

/// What all players still in are asked to agree to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RequestView {
    /// To what.
    #[ts(as = "RequestText")]
    #[schemars(with = "RequestText")]
    pub request: Request,
    /// Who asked.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub by: Color,
    /// Who has agreed, the asker included.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub agreed: Vec<Color>,
}

/// An open wish for another match with the same people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RematchView {
    /// Who asked.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub by: Color,
    /// Who has agreed, the asker included.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub agreed: Vec<Color>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OutcomeView {
    /// How.
    #[ts(as = "ReasonText")]
    #[schemars(with = "ReasonText")]
    pub reason: Reason,
    /// The rank of each player, 1 the best; equal numbers are shared places.
    #[ts(as = "BTreeMap<ColorText, u8>")]
    #[schemars(with = "BTreeMap<ColorText, u8>")]
    pub places: BTreeMap<Color, u8>,
}

/// A table's numbers: which match, how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Head {
    /// The table's current match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The number of its last event.
    pub seq: u64,
}
