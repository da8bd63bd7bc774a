//! The moves since the last elimination, and the repetition of positions.

use alloc::vec::Vec;

use crate::any::AnyPosition;
use crate::color::Color;
use crate::mv::Move;

/// The moves since the start or the last elimination, which can be taken back (rule S4).
///
/// Only the first position is stored. A takeback replays the moves from there: takebacks are rare
/// and replaying is cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MoveHistory {
    start: AnyPosition,
    moves: Vec<Move>,
    /// The hashes of the positions since the last pawn move, capture or elimination, the hash of
    /// the present position last (rule D14).
    keys: Vec<u64>,
}

impl MoveHistory {
    pub(super) fn starting_at(start: AnyPosition) -> Self {
        let keys = Vec::from([start.hash()]);
        Self { start, moves: Vec::new(), keys }
    }

    /// The position before the moves.
    pub(super) fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// The moves, oldest first.
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Adds a move and the position after it.
    pub(super) fn push(&mut self, mv: Move, after: &AnyPosition) {
        self.moves.push(mv);
        if after.halfmove_clock() == 0 {
            self.keys.clear();
        }
        self.keys.push(after.hash());
    }

    /// Returns how often the present position has occurred, including now (rule G10).
    pub(super) fn repetition(&self) -> u32 {
        let occurrences = self.keys.iter().filter(|&key| self.keys.last() == Some(key)).count();
        u32::try_from(occurrences).unwrap_or(u32::MAX)
    }

    /// The hashes of the positions since the last pawn move, capture or elimination, without the
    /// hash of the present position.
    pub(super) fn earlier_keys(&self) -> &[u64] {
        self.keys.split_last().map_or(&[], |(_, earlier)| earlier)
    }

    /// Returns the number of plies to take back until the position before `color`'s last move is
    /// reached; `None` if `color` has not moved.
    ///
    /// A history contains no elimination, so all players in it have moved in turn.
    pub(super) fn plies_to_last_move_of(&self, color: Color, now: &AnyPosition) -> Option<u32> {
        let players: Vec<Color> = now.active_players().collect();
        let turn_index = |color| players.iter().position(|&other| other == color);
        let since = (turn_index(now.turn())? + players.len() - turn_index(color)?) % players.len();
        let plies = if since == 0 { players.len() } else { since };
        (plies <= self.moves.len()).then(|| u32::try_from(plies).unwrap_or(u32::MAX))
    }

    /// Takes back the last moves. Returns the position before them.
    pub(super) fn take_back(&mut self, plies: u32) -> AnyPosition {
        let kept_count = self.moves.len().saturating_sub(usize::try_from(plies).unwrap_or(usize::MAX));
        let moves = core::mem::take(&mut self.moves);
        let mut position = self.start.clone();
        *self = Self::starting_at(position.clone());
        for mv in moves.into_iter().take(kept_count) {
            let is_legal = position.make(mv);
            debug_assert!(is_legal, "{mv} was legal when it was first made");
            self.push(mv, &position);
        }
        position
    }
}
