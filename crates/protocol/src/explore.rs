//! Bodies of `POST /api/explore`, which plays moves from any position, independently of a match.

use std::collections::BTreeMap;

use quadrex_rules::{Cause, Color, Move, Square, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::PieceCode;
use crate::view::{AttackView, BoardView, EliminatedView, SeatView, StateView};
use crate::vocabulary::{CauseText, ColorText, MoveText, SquareText, VariantText};

/// The body of `POST /api/explore`: an initial position and the moves to play from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Explore {
    /// The initial position.
    pub setup: ExploreSetup,
    /// The moves to play, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<MoveText>>")]
    #[schemars(with = "Vec<MoveText>")]
    pub moves: Vec<Move>,
}

/// The source of the initial position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ExploreSetup {
    /// The start position of a variant.
    Start {
        /// The variant.
        #[ts(as = "VariantText")]
        #[schemars(with = "VariantText")]
        variant: Variant,
    },
    /// A position or a game as text.
    Text {
        /// A FEN, FEN4, PGN or PGN4. If it contains several games, the first game is used.
        text: String,
        /// The variant, if the text does not specify it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, as = "Option<VariantText>")]
        #[schemars(with = "Option<VariantText>")]
        variant: Option<Variant>,
        /// The maximum number of the text's moves to play; all if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        plies: Option<u32>,
    },
}

/// The answer to `POST /api/explore`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Exploration {
    /// The variant.
    #[ts(as = "VariantText")]
    #[schemars(with = "VariantText")]
    pub variant: Variant,
    /// The shape of the board.
    pub board: BoardView,
    /// The seats in turn order; they have no holders.
    pub seats: Vec<SeatView>,
    /// The pieces before the first move.
    #[ts(as = "BTreeMap<SquareText, PieceCode>")]
    #[schemars(with = "BTreeMap<SquareText, PieceCode>")]
    pub start: BTreeMap<Square, PieceCode>,
    /// The position before the first move, FEN or FEN4.
    pub start_fen: String,
    /// The players eliminated before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<EliminatedView>>")]
    pub start_eliminated: Vec<EliminatedView>,
    /// The moves of the text, then the moves of the request.
    pub line: Vec<ExploredPly>,
    /// The state after the last move.
    pub state: StateView,
    /// The legal moves after the last move; empty if the game is over.
    #[ts(as = "Vec<MoveText>")]
    #[schemars(with = "Vec<MoveText>")]
    pub legal_moves: Vec<Move>,
    /// The position after the last move, FEN or FEN4.
    pub fen: String,
    /// The whole line, PGN or PGN4.
    pub notation: String,
    /// The players' names, if the text contains them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    #[ts(optional, as = "Option<BTreeMap<ColorText, String>>")]
    #[schemars(with = "BTreeMap<ColorText, String>")]
    pub players: BTreeMap<Color, String>,
    /// The result given in the text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub result: Option<String>,
    /// Warnings about parts of the text that were ignored, for people.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub warnings: Vec<String>,
    /// The first illegal move or elimination in the text, if there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[ts(optional)]
    pub stopped: Option<ExploreStop>,
    /// The number of games in the text after the first game.
    #[serde(skip_serializing_if = "is_zero", default)]
    #[ts(optional, as = "Option<u32>")]
    pub more_games: u32,
}

/// A move of a line and the changes that it makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ExploredPly {
    /// The player who makes the move.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The move.
    #[ts(as = "MoveText", rename = "move")]
    #[schemars(with = "MoveText")]
    #[serde(rename = "move")]
    pub mv: Move,
    /// The move in the notation of its variant: SAN in `classic`, PGN4's long form on a
    /// cross-shaped board.
    pub notation: String,
    /// The new contents of all squares that changed. They include the squares of eliminated
    /// players' pieces, which leave the board.
    #[ts(as = "BTreeMap<SquareText, Option<PieceCode>>")]
    #[schemars(with = "BTreeMap<SquareText, Option<PieceCode>>")]
    pub squares: BTreeMap<Square, Option<PieceCode>>,
    /// The colors that are in check after the move (RULES G7).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<ColorText>>")]
    #[schemars(with = "Vec<ColorText>")]
    pub checks: Vec<Color>,
    /// All attacks on the kings that are in check.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<AttackView>>")]
    pub attacks: Vec<AttackView>,
    /// The players who were eliminated between this move and the next, in the order of their
    /// elimination.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<ExploredElimination>>")]
    pub eliminated: Vec<ExploredElimination>,
}

/// The elimination of a player in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ExploredElimination {
    /// The eliminated player.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The cause.
    #[ts(as = "CauseText")]
    #[schemars(with = "CauseText")]
    pub cause: Cause,
    /// The colors whose pieces attacked the king when the mate was determined (RULES D12).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[ts(optional, as = "Option<Vec<ColorText>>")]
    #[schemars(with = "Vec<ColorText>")]
    pub by: Vec<Color>,
}

/// The first illegal move or elimination in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ExploreStop {
    /// The line of the word in the text, from 1.
    pub line: u64,
    /// The column of the word in its line, from 1.
    pub column: u64,
    /// The number of the round in which the word appears.
    pub round: u32,
    /// The player to move.
    #[ts(as = "ColorText")]
    #[schemars(with = "ColorText")]
    pub color: Color,
    /// The word as written.
    pub text: String,
    /// The reason, for people.
    pub reason: String,
}

/// Returns true if there are no further games, for `skip_serializing_if`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}
