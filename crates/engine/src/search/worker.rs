//! One thread's search, and the scores that need no search.

use quadrex_rules::geometry::Geometry;
use quadrex_rules::movegen::{InternalMove, InternalMoveList};
use quadrex_rules::variant::DefeatRule;
use quadrex_rules::{Position, VariantRules};

use super::history::{History, PreviousMove};
use super::mate_solver::MateSolver;
use super::parameters::{CONTEMPT, PARANOID_BIAS};
use super::score::{FORCED_WIN, WIN};
use super::shared_state::{NodeCounter, SharedState};
use super::stack::SearchStack;
use super::window::Window;
use crate::evaluation::{Evaluate, EvaluationSet, Weight, evaluate, even_score};
use crate::request::Strategy;
use crate::transposition::TranspositionTable;

/// One thread's search.
pub(crate) struct Worker<'a, V: Evaluate> {
    pub(super) table: &'a TranspositionTable,
    pub(super) shared: &'a SharedState<'a>,
    /// The player to move at the root, by its index in the turn order.
    pub(super) root_player: usize,
    pub(super) strategy: Strategy,
    weights: &'a [Weight],
    /// The value that is mixed with every table key. The score of a position depends on the root
    /// player and on the evaluation weights, so each combination of player and weights has its own
    /// keys.
    pub(super) key_salt: u64,
    pub(super) node_counter: NodeCounter,
    /// True if the search may be stopped. In the main thread it is false until every root move has
    /// been searched once.
    pub(super) is_stoppable: bool,
    /// The depth of the present iteration.
    pub(super) root_depth: i32,
    pub(super) selective_depth: usize,
    /// Hashes of all earlier positions of the game and of the line, the oldest first.
    pub(super) earlier_hashes: Vec<u64>,
    pub(super) stack: SearchStack,
    pub(super) history: History,
    pub(super) mate_solver: MateSolver,
    move_list: InternalMoveList<V>,
}

/// Returns the score of a draw among `players` players, in a search of `depth` plies.
///
/// With two players it is the score of an even position (rule D12). With more than two players it
/// is reduced by [`CONTEMPT`], and by [`PARANOID_BIAS`] per opponent and ply, because a deeper
/// paranoid search underrates the root player more. Without the second reduction, a deep search
/// would prefer draws to positions that it could win.
fn draw_value(players: u32, depth: i32) -> i32 {
    let opponents = players as i32 - 1;
    even_score(players as usize)
        - if opponents > 1 { CONTEMPT + PARANOID_BIAS * opponents * depth } else { 0 }
}

/// Returns the number of consecutive plies without a capture or a pawn move at which a game is
/// drawn (rule G11).
fn plies_to_draw<V: VariantRules>(position: &Position<V>) -> i32 {
    50 * position.players_left() as i32
}

/// Returns the value that is mixed with the table keys of a root player. The value is 0 with two
/// players, because the score of one player is the negative of the other player's score.
fn key_salt<V: VariantRules>(player: usize, evaluation_set: EvaluationSet) -> u64 {
    if V::COLORS.len() == 2 {
        return 0;
    }
    let number = player + 1 + if evaluation_set == EvaluationSet::Full { V::COLORS.len() } else { 0 };
    (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<'a, V: Evaluate> Worker<'a, V> {
    pub(crate) fn new(
        table: &'a TranspositionTable,
        shared: &'a SharedState<'a>,
        root_player: usize,
        strategy: Strategy,
        (evaluation_set, weights): (EvaluationSet, &'a [Weight]),
        earlier: &[u64],
    ) -> Self {
        Self {
            table,
            shared,
            root_player,
            strategy,
            weights,
            key_salt: key_salt::<V>(root_player, evaluation_set),
            node_counter: NodeCounter::default(),
            is_stoppable: false,
            root_depth: 0,
            selective_depth: 0,
            earlier_hashes: earlier.to_vec(),
            stack: SearchStack::new(),
            history: History::new::<V>(),
            mate_solver: MateSolver::default(),
            move_list: InternalMoveList::default(),
        }
    }

    /// Allows stopping from the first node on.
    pub(crate) fn make_stoppable(&mut self) {
        self.is_stoppable = true;
    }

    #[inline(always)]
    pub(super) fn is_root_player(&self, position: &Position<V>) -> bool {
        position.turn_index() == self.root_player
    }

    #[inline(always)]
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stoppable && self.shared.is_stopped()
    }

    /// Converts a score of the root player to a score of the side to move.
    #[inline(always)]
    pub(super) fn for_side_to_move(&self, position: &Position<V>, score: i32) -> i32 {
        if self.is_root_player(position) { score } else { -score }
    }

    /// Returns the static evaluation for the side to move.
    #[inline(always)]
    pub(super) fn static_eval(&self, position: &Position<V>) -> i32 {
        let eval = evaluate(position, self.root_player, self.weights).clamp(-FORCED_WIN + 1, FORCED_WIN - 1);
        let eval = if V::COLORS.len() > 2 { self.fifty_move_scaled(position, eval) } else { eval };
        self.for_side_to_move(position, eval)
    }

    /// Scales an evaluation toward a draw as the fifty-move rule approaches (rule G11). The first
    /// quarter of the plies has no effect.
    fn fifty_move_scaled(&self, position: &Position<V>, eval: i32) -> i32 {
        let limit = plies_to_draw(position);
        let excess = (position.halfmove_clock() as i32 - limit / 4).clamp(0, limit);
        let draw = draw_value(position.players_left(), self.root_depth);
        eval - (eval - draw).max(0) * excess / limit
    }

    /// Searches a child and returns its score for the side to move in the parent. `window` is the
    /// parent's window. `search` gets this window reversed if exactly one of parent and child has
    /// the root player to move.
    #[inline(always)]
    pub(super) fn child_score(
        &mut self,
        parent: &Position<V>,
        child: &Position<V>,
        window: Window,
        search: impl FnOnce(&mut Self, Window) -> i32,
    ) -> i32 {
        if self.is_root_player(parent) == self.is_root_player(child) {
            search(self, window)
        } else {
            -search(self, window.reversed())
        }
    }

    /// Returns true if a position is drawn by repetition, the fifty-move rule or dead material
    /// (rules G10, G11). One repetition is enough: players who repeat once can repeat again.
    #[inline(always)]
    pub(super) fn is_drawn(&self, position: &Position<V>, hash: u64) -> bool {
        let reversible_plies = position.halfmove_clock() as usize;
        if reversible_plies >= plies_to_draw(position) as usize || position.is_dead() {
            return true;
        }
        let count = self.earlier_hashes.len();
        self.earlier_hashes[count.saturating_sub(reversible_plies)..].contains(&hash)
    }

    /// Returns the score of a draw for the side to move.
    pub(super) fn draw_score(&self, position: &Position<V>) -> i32 {
        self.for_side_to_move(position, draw_value(position.players_left(), self.root_depth))
    }

    /// Returns the score if the root player has won or is eliminated; `None` if the root player's
    /// game goes on.
    #[inline(always)]
    pub(super) fn terminal_score(&self, position: &Position<V>, ply: usize) -> Option<i32> {
        let ply = ply as i32;
        let score = if !position.is_playing(self.root_player) {
            ply - WIN
        } else if position.players_left() == 1 {
            WIN - ply
        } else {
            return None;
        };
        Some(self.for_side_to_move(position, score))
    }

    /// Returns the score of a position without a legal move.
    ///
    /// A stalemate is a draw (rule D9). A mate ends a match of two players (rule C4). With more
    /// players the mated player is eliminated (rule D8), and `search` searches the position without
    /// this player.
    pub(super) fn score_without_moves(
        &mut self,
        position: &Position<V>,
        in_check: bool,
        ply: usize,
        window: Window,
        search: impl FnOnce(&mut Self, &Position<V>, Window) -> i32,
    ) -> i32 {
        if !in_check {
            return self.draw_score(position);
        }
        if V::DEFEAT == DefeatRule::EndsMatch {
            return ply as i32 - WIN;
        }
        let mut next = *position;
        next.eliminate(position.turn_index());
        self.child_score(position, &next, window, |worker, window| search(worker, &next, window))
    }

    /// Returns the legal moves in the reusable list of the ply. The caller returns the list to the
    /// stack.
    #[inline(always)]
    pub(super) fn legal_moves(&mut self, position: &Position<V>, ply: usize) -> Vec<InternalMove> {
        self.legal_moves_to(position, V::Geometry::TABLES.board, ply)
    }

    /// Returns the legal moves in a new list.
    pub(super) fn legal_moves_in_new_list(&mut self, position: &Position<V>) -> Vec<InternalMove> {
        self.move_list.moves = Vec::new();
        self.move_list.within = V::Geometry::TABLES.board;
        position.generate(&mut self.move_list);
        std::mem::take(&mut self.move_list.moves)
    }

    /// Returns the legal moves to these cells in the reusable list of the ply. The caller returns
    /// the list to the stack.
    #[inline(always)]
    pub(super) fn legal_moves_to(
        &mut self,
        position: &Position<V>,
        within: quadrex_rules::position::BitsOf<V>,
        ply: usize,
    ) -> Vec<InternalMove> {
        self.move_list.moves = std::mem::take(&mut self.stack[ply].moves);
        self.move_list.moves.clear();
        self.move_list.within = within;
        position.generate(&mut self.move_list);
        std::mem::take(&mut self.move_list.moves)
    }

    /// Returns the move that led to a ply, as an index of continuation history.
    #[inline(always)]
    pub(super) fn previous_move(&self, ply: usize) -> Option<PreviousMove> {
        Some(PreviousMove::new(self.stack.previous_move(ply)?, self.history.cell_count()))
    }
}
