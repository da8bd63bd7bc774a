//! Conversions of positions and games of the rules crate to wire types.

use std::collections::BTreeMap;

use crate::PieceCode;
use crate::view::{AttackView, EliminatedView, OutcomeView, ReserveView, TurnHints};
use quadrex_rules::{AnyPosition, Color, Game, Move, Reason, Reserve, Square};

/// Returns the pieces of a position by their squares.
#[must_use]
pub fn pieces(position: &AnyPosition) -> BTreeMap<Square, PieceCode> {
    position.pieces().map(|(square, piece)| (square, piece.into())).collect()
}

/// Returns all attacks on the kings of `checks`, the colors that are in check.
#[must_use]
pub fn attacks(position: &AnyPosition, checks: &[Color]) -> Vec<AttackView> {
    if checks.is_empty() {
        return Vec::new();
    }
    position.attacks_on_kings().into_iter().map(|(from, to)| AttackView { from, to }).collect()
}

/// Returns the squares that differ between two positions of the same variant, with their contents
/// in `after`.
#[must_use]
pub fn changed_squares(before: &AnyPosition, after: &AnyPosition) -> BTreeMap<Square, Option<PieceCode>> {
    let changed = after.changed_since(before).into_iter();
    changed.map(|(square, piece)| (square, piece.map(PieceCode::from))).collect()
}

/// Returns the eliminated players in the order of their elimination.
#[must_use]
pub fn eliminated(game: &Game) -> Vec<EliminatedView> {
    let view = |out: &quadrex_rules::Elimination| EliminatedView { color: out.color, cause: out.cause };
    game.eliminated().iter().map(view).collect()
}

/// Returns the pieces other than a queen that each player may promote to (RULES D5). The result is
/// empty for a two-player variant, because promotion needs no reserve there (RULES C3).
#[must_use]
pub fn reserves(position: &AnyPosition) -> BTreeMap<Color, ReserveView> {
    let view = |color| {
        let Reserve { knights, bishops, rooks } = position.reserve(color);
        (color, ReserveView { rooks, bishops, knights })
    };
    if position.variant().player_count() == 2 {
        return BTreeMap::new();
    }
    position.active_players().map(view).collect()
}

/// Returns the reserves in `after` that differ from those in `before`. Without `before`, returns
/// the reserves that are not empty.
#[must_use]
pub fn changed_reserves(before: Option<&AnyPosition>, after: &AnyPosition) -> BTreeMap<Color, ReserveView> {
    let known_reserves = before.map(reserves).unwrap_or_default();
    let is_new = |color: &Color, reserve: &mut ReserveView| {
        *reserve != known_reserves.get(color).copied().unwrap_or_default()
    };
    let mut changed = reserves(after);
    changed.retain(is_new);
    changed
}

/// Returns the outcome, if the game has ended.
#[must_use]
pub fn outcome(game: &Game) -> Option<OutcomeView> {
    game.outcome()
        .map(|outcome| OutcomeView { reason: outcome.reason, places: outcome.places.iter().collect() })
}

/// Returns the player whose stalemate ended the game; `None` if the game did not end by stalemate.
#[must_use]
pub fn stalemated(game: &Game) -> Option<Color> {
    let is_stalemate = game.outcome().is_some_and(|outcome| outcome.reason == Reason::Stalemate);
    is_stalemate.then(|| game.position().turn())
}

/// Returns the facts that explain the rules to the player to move; `None` if there are none.
/// `legal_moves` are the legal moves of the position.
#[must_use]
pub fn turn_hints(position: &AnyPosition, legal_moves: &[Move]) -> Option<TurnHints> {
    let is_for_four = position.variant().player_count() > 2;
    let hints = TurnHints {
        pinned: position.pinned(),
        stalemating: if is_for_four { position.stalemating_moves(legal_moves) } else { Vec::new() },
        neighbor_en_passant: position.neighbor_en_passant(),
    };
    (hints != TurnHints::default()).then_some(hints)
}
