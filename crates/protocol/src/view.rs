//! Views: the state of a table as one viewer may see it.

use std::collections::BTreeMap;

use quadrex_rules::{AbortCause, Cause, Color, Move, Reason, Request, Square, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::event::Event;
use crate::settings::TableSettings;
use crate::user::UserView;
use crate::vocabulary::{
    AbortCauseText, CauseText, ColorText, MoveText, ReasonText, RequestText, SquareText,
};
use crate::{MatchId, PieceCode};

/// The phase of a table's match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Seats may be taken.
    Open,
    /// The match is being played.
    Running,
    /// The match is over.
    Ended,
}

/// A seat and its holder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SeatView {
    /// Its color.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The side of the board it sits at.
    pub side: Side,
    /// The holder, if any.
    pub user: Option<UserView>,
    /// The bot that plays, or played to the end, in place of a holder who stayed away.
    #[serde(default, alias = "stand_in", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub substitute: Option<UserView>,
}

/// The side of the board that a color sits at, with Red's (White's) side in the south.
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

/// The shape of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BoardView {
    /// The number of files, from `a`.
    pub files: u8,
    /// The number of ranks, from 1.
    pub ranks: u8,
    /// The squares within files x ranks that are not part of the board.
    #[ts(as = "Vec<SquareText>")]
    #[schemars(with = "Vec<SquareText>")]
    pub holes: Vec<Square>,
}

impl BoardView {
    /// Returns the board of a variant.
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

/// The full state of a table for one viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TableView {
    /// The table's settings.
    pub settings: TableSettings,
    /// The current host.
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
    /// All events so far that the viewer may see, in order.
    pub history: Vec<Entry>,
    /// The state apart from the pieces.
    pub state: StateView,
    /// The viewer's own seats in turn order: several at a hotseat table, none for a spectator.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub your_seats: Vec<Color>,
    /// The viewer's legal moves, if one of the viewer's seats is to move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<Vec<MoveText>>")]
    #[schemars(with = "Option<Vec<MoveText>>")]
    pub legal_moves: Option<Vec<Move>>,
    /// The presence of the players, in turn order.
    pub players: Vec<PlayerView>,
    /// The number of people who watch without a seat.
    pub spectators: u32,
}

/// The presence of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PlayerView {
    /// The seat.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The connection state.
    pub presence: Presence,
    /// The rest of the player's reconnect bank while `reconnecting`, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub bank_left_ms: Option<u64>,
    /// True if the bank runs down, which happens only on the player's own turn.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub bank_running: bool,
}

/// The connection state of a player: connected if a connection of the player watches the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// A connection watches the table.
    Connected,
    /// No connection, and the player is expected back: some of its reconnect bank is left.
    Reconnecting,
    /// No connection.
    Gone,
}

/// The reason why no time runs and no player may move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SuspensionView {
    /// The kind of interruption.
    pub kind: SuspensionKind,
    /// The player that the match waits for, or who ended the pause.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub color: Option<Color>,
    /// The time left, in milliseconds, until a pause expires, a wait is given up, or a countdown
    /// ends.
    pub left_ms: u64,
}

/// The kinds of interruption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SuspensionKind {
    /// All players still in agreed to a pause.
    Paused,
    /// The match waits for the player to move.
    Waiting,
    /// A pause is about to end.
    Resuming,
}

/// One event with its consequences for the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Entry {
    /// Its number in the match, from 1, without gaps.
    pub seq: u64,
    /// The time of the event, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The event.
    pub event: Event,
    /// A move as players write it: SAN in `classic`, the long form of PGN4 on a cross board.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub notation: Option<String>,
    /// The squares that changed, with their new contents.
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
    /// The reserves that changed (RULES D5), of players still in, with their new contents. A
    /// reserve that no frame has reported is empty.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    #[ts(optional, as = "Option<BTreeMap<ColorText, ReserveView>>")]
    #[schemars(with = "BTreeMap<ColorText, ReserveView>")]
    pub reserves: BTreeMap<Color, ReserveView>,
}

/// A piece that attacks a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AttackView {
    /// The attacker's square.
    #[ts(as = "SquareText")]
    #[schemars(with = "SquareText")]
    pub from: Square,
    /// The king's square.
    #[ts(as = "SquareText")]
    #[schemars(with = "SquareText")]
    pub to: Square,
}

/// The current state, apart from the pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StateView {
    /// Open, running or ended.
    pub phase: Phase,
    /// The player to move, while the match runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub turn: Option<Color>,
    /// The players still in, in turn order.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub active_players: Vec<Color>,
    /// The eliminated players, in the order of their elimination.
    pub eliminated: Vec<EliminatedView>,
    /// The colors whose king is attacked (RULES G7).
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub checks: Vec<Color>,
    /// The pieces that each player may promote to beside a queen (RULES D5); empty in `classic`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    #[ts(optional, as = "Option<BTreeMap<ColorText, ReserveView>>")]
    #[schemars(with = "BTreeMap<ColorText, ReserveView>")]
    pub reserves: BTreeMap<Color, ReserveView>,
    /// The clocks, if the match has any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub clock: Option<ClockView>,
    /// The open requests, at most one of each kind.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<RequestView>>")]
    pub requests: Vec<RequestView>,
    /// True if the player to move may claim a draw now, before moving.
    pub can_claim_draw: bool,
    /// The time left for this move in a match with limited moves and no clocks, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub move_left_ms: Option<u64>,
    /// The current suspension, if no time runs and no player may move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub suspension: Option<SuspensionView>,
    /// The result, once the match has ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub outcome: Option<OutcomeView>,
    /// The reason why the match ended without places, if it did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<AbortCauseText>")]
    #[schemars(with = "Option<AbortCauseText>")]
    pub aborted: Option<AbortCause>,
    /// The open request for a rematch, after the end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub rematch: Option<RematchView>,
    /// True if the table has closed; it accepts no further commands.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub closed: bool,
}

/// An eliminated player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct EliminatedView {
    /// The player.
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
    /// Available rooks.
    pub rooks: u8,
    /// Available bishops.
    pub bishops: u8,
    /// Available knights.
    pub knights: u8,
}

/// The clocks at the moment the frame was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ClockView {
    /// Time left, milliseconds.
    #[ts(as = "BTreeMap<ColorText, u64>")]
    #[schemars(with = "BTreeMap<ColorText, u64>")]
    pub left_ms: BTreeMap<Color, u64>,
    /// The player whose clock runs, if one does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub running: Option<Color>,
    /// Free time left before the running clock goes down, milliseconds.
    pub delay_left_ms: u64,
    /// True if the player to move has not made its first move yet: when the free time expires (in
    /// correspondence, the time left) the match is aborted.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub first_move: bool,
}

/// An open request for the consent of all players still in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RequestView {
    /// The kind of request.
    #[ts(as = "RequestText")]
    #[schemars(with = "RequestText")]
    pub request: Request,
    /// The player who asked.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub by: Color,
    /// The players who have agreed, including the one who asked.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub agreed: Vec<Color>,
}

/// An open request for a rematch with the same people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RematchView {
    /// The player who asked.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub by: Color,
    /// The players who have agreed, including the one who asked.
    #[ts(as = "Vec<ColorText>")]
    #[schemars(with = "Vec<ColorText>")]
    pub agreed: Vec<Color>,
}

/// The result of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OutcomeView {
    /// The reason.
    #[ts(as = "ReasonText")]
    #[schemars(with = "ReasonText")]
    pub reason: Reason,
    /// The rank of each player, 1 the best; equal numbers are shared places.
    #[ts(as = "BTreeMap<ColorText, u8>")]
    #[schemars(with = "BTreeMap<ColorText, u8>")]
    pub places: BTreeMap<Color, u8>,
}

/// The position of a table in its log: the match and its last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Head {
    /// The table's current match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The number of its last event.
    pub seq: u64,
}
