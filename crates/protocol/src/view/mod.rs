//! Views: the state of a table as one viewer may see it.

mod state;

use std::collections::BTreeMap;

use quadrex_rules::{Color, Move, Square, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use state::{
    ClockView, EliminatedView, OutcomeView, RematchView, RequestView, ReserveView, StateView, VacationView,
};

use crate::event::Event;
use crate::http::LinkKind;
use crate::settings::TableSettings;
use crate::user::UserView;
use crate::vocabulary::{ColorText, MoveText, SquareText};
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
    /// The color of the seat.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The side of the board at which the color sits.
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
    /// The side whose pawns move towards higher ranks.
    South,
    /// The side whose pawns move from file `a` to higher files.
    West,
    /// The side whose pawns move towards lower ranks.
    North,
    /// The side whose pawns move towards file `a`.
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
    /// The squares of the `files` x `ranks` rectangle that are not part of the board.
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
    /// The shape of the board.
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
    /// The state, without the pieces.
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
    /// Facts that explain which moves are legal, such as pins; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub hints: Option<TurnHints>,
    /// The presence of the players, in turn order.
    pub players: Vec<PlayerView>,
    /// The number of people who watch without a seat.
    pub spectators: u32,
    /// For the host: the users who have opened the table by a link since the server started, at
    /// most 20, the latest last.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<LinkVisitor>>")]
    pub link_visitors: Vec<LinkVisitor>,
    /// True if the host has kicked the viewer. A kicked user may not take a seat at the table any
    /// more.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub kicked: bool,
}

/// A user who has opened the table by an invite or a watch link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LinkVisitor {
    /// The user.
    pub user: UserView,
    /// The kind of link.
    pub kind: LinkKind,
    /// The only seat that the invite is for; any seat if not given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub seat: Option<Color>,
    /// The time when the user first opened the table, in milliseconds since the Unix epoch.
    pub opened_at_ms: u64,
}

/// Facts that explain the rules to the player to move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TurnHints {
    /// The player's pinned pieces: they may only move along the line to the attacker, if at all
    /// (RULES G6).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<SquareText>>")]
    #[schemars(with = "Vec<SquareText>")]
    pub pinned: Vec<Square>,
    /// The legal moves that draw the match for all players, because they stalemate the next player
    /// (RULES D9). Only given in variants with four players.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<MoveText>>")]
    #[schemars(with = "Vec<MoveText>")]
    pub stalemating: Vec<Move>,
    /// Captures en passant of a neighbor's pawn, which are not legal (RULES D3).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<MoveText>>")]
    #[schemars(with = "Vec<MoveText>")]
    pub neighbor_en_passant: Vec<Move>,
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
    /// The time left in the player's reconnect bank, in milliseconds. Present while the player is
    /// `reconnecting`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub bank_left_ms: Option<u64>,
    /// True if the time in the reconnect bank runs now. It runs only during the player's turn.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    #[ts(optional, as = "Option<bool>")]
    pub bank_running: bool,
}

/// The connection state of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// A connection of the player watches the table.
    Connected,
    /// No connection of the player watches the table, and the player's reconnect bank has time
    /// left.
    Reconnecting,
    /// No connection of the player watches the table, and the player's reconnect bank is used up.
    Gone,
}

/// The reason why no time runs and no player may move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SuspensionView {
    /// The kind of interruption.
    pub kind: SuspensionKind,
    /// The player that the match waits for, or the player who ended the pause.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional, as = "Option<ColorText>")]
    #[schemars(with = "Option<ColorText>")]
    pub color: Option<Color>,
    /// The time until the pause, the wait or the countdown ends, in milliseconds.
    pub left_ms: u64,
}

/// The kinds of interruption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SuspensionKind {
    /// All active players agreed to a pause.
    Paused,
    /// The match waits for the player to move.
    Waiting,
    /// A pause is about to end.
    Resuming,
}

/// One event of a match and the changes of the board that follow from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Entry {
    /// The number of the event in its match. Numbers start at 1 and have no gaps.
    pub seq: u64,
    /// The time of the event, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The event.
    pub event: Event,
    /// The move in the notation of its variant: SAN in `classic`, PGN4's long form on a
    /// cross-shaped board.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub notation: Option<String>,
    /// The squares that changed, with their new contents.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    #[ts(optional, as = "Option<BTreeMap<SquareText, Option<PieceCode>>>")]
    #[schemars(with = "BTreeMap<SquareText, Option<PieceCode>>")]
    pub squares: BTreeMap<Square, Option<PieceCode>>,
    /// The colors that are in check after the event (RULES G7).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<ColorText>>")]
    #[schemars(with = "Vec<ColorText>")]
    pub checks: Vec<Color>,
    /// All attacks on the kings that are in check.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<AttackView>>")]
    pub attacks: Vec<AttackView>,
    /// The new contents of the reserves that changed (RULES D5), for active players. A reserve that
    /// no event has listed yet is empty.
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

/// The current match of a table and the number of its last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Head {
    /// The table's current match.
    #[serde(rename = "match")]
    #[ts(rename = "match")]
    pub match_id: MatchId,
    /// The number of the match's last event.
    pub seq: u64,
}
