//! One thread's search, and the scores that need no search.

use quadrex_rules::geometry::Geometry;
use quadrex_rules::movegen::{InternalMove, InternalMoveList};
use quadrex_rules::variant::DefeatRule;
use quadrex_rules::{Position, VariantRules};

use super::history::{History, PreviousMove};
use super::mate_solver::MateSolver;
use super::parameters::{CONTEMPT, PARANOID_BIAS};
use super::score::{FORCED, WIN};
use super::shared_state::{NodeCounter, SharedState};
use super::stack::SearchStack;
use super::window::Window;
use crate::evaluation::{Evaluate, Knowledge, Weight, evaluate, even_odds};
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
    /// Mixed with every table key, since the score of a position depends on the root player and on
    /// its knowledge.
    pub(super) key_salt: u64,
    pub(super) counter: NodeCounter,
    /// True if the search may be stopped, which it may not before every root move has been
    /// searched.
    pub(super) is_stoppable: bool,
    /// The depth of the present iteration.
    pub(super) root_depth: i32,
    pub(super) selective_depth: usize,
    /// Hashes of the positions before the present one, those before the root first.
    pub(super) keys: Vec<u64>,
    pub(super) stack: SearchStack,
    pub(super) history: History,
    pub(super) mate_solver: MateSolver,
    list: InternalMoveList<V>,
}

/// Returns the score of a draw for each of its players, in a search of `depth` plies: that of an
/// even position (D12), less the bias that every score of the search has, lest a deep search draw
/// where it could win.
fn draw_value(players: u32, depth: i32) -> i32 {
    let opponents = players as i32 - 1;
    even_odds(players as usize) - if opponents > 1 { CONTEMPT + PARANOID_BIAS * opponents * depth } else { 0 }
}

/// Returns the plies without a capture or a pawn move after which a game is drawn (G11).
fn plies_to_draw<V: VariantRules>(position: &Position<V>) -> i32 {
    50 * position.players_left() as i32
}

/// Returns what is mixed with the table keys of a root player. Between two players scores are the
/// same for both.
fn key_salt<V: VariantRules>(player: usize, knowledge: Knowledge) -> u64 {
    if V::COLORS.len() == 2 {
        return 0;
    }
    let number = player + 1 + if knowledge == Knowledge::Full { V::COLORS.len() } else { 0 };
    (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<'a, V: Evaluate> Worker<'a, V> {
    pub(crate) fn new(
        table: &'a TranspositionTable,
        shared: &'a SharedState<'a>,
        root_player: usize,
        strategy: Strategy,
        (knowledge, weights): (Knowledge, &'a [Weight]),
        earlier: &[u64],
    ) -> Self {
        Self {
            table,
            shared,
            root_player,
            strategy,
            weights,
            key_salt: key_salt::<V>(root_player, knowledge),
            counter: NodeCounter::default(),
            is_stoppable: false,
            root_depth: 0,
            selective_depth: 0,
            keys: earlier.to_vec(),
            stack: SearchStack::new(),
            history: History::new::<V>(),
            mate_solver: MateSolver::default(),
            list: InternalMoveList::default(),
        }
    }

    /// Lets the search be stopped from the first node on.
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

    /// Returns a score of the root player as one of the side to move.
    #[inline(always)]
    pub(super) fn for_side_to_move(&self, position: &Position<V>, score: i32) -> i32 {
        if self.is_root_player(position) { score } else { -score }
    }

    /// Returns the static evaluation for the side to move.
    #[inline(always)]
    pub(super) fn static_eval(&self, position: &Position<V>) -> i32 {
        let eval = evaluate(position, self.root_player, self.weights).clamp(-FORCED + 1, FORCED - 1);
        let eval = if V::COLORS.len() > 2 { self.fifty_move_scaled(position, eval) } else { eval };
        self.for_side_to_move(position, eval)
    }

    /// Scales an evaluation down to a draw as the fifty-move rule comes nearer (G11). The first
    /// quarter of the way costs nothing.
    fn fifty_move_scaled(&self, position: &Position<V>, eval: i32) -> i32 {
        let limit = plies_to_draw(position);
        let idle = (position.halfmove_clock() as i32 - limit / 4).clamp(0, limit);
        let draw = draw_value(position.players_left(), self.root_depth);
        eval - (eval - draw).max(0) * idle / limit
    }

    /// Returns the score of a child for the side to move in its parent, by a search from the child
    /// with the window turned accordingly.
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

    /// Returns whether a position is drawn by repetition, the fifty-move rule or dead material
    /// (G10, G11). The first repetition counts, since a player who could repeat once can do so
    /// again.
    #[inline(always)]
    pub(super) fn is_drawn(&self, position: &Position<V>, hash: u64) -> bool {
        let since = position.halfmove_clock() as usize;
        if since >= plies_to_draw(position) as usize || position.is_dead() {
            return true;
        }
        let seen = self.keys.len();
        self.keys[seen.saturating_sub(since)..].contains(&hash)
    }

    /// Returns the score of a draw for the side to move.
    pub(super) fn draw_score(&self, position: &Position<V>) -> i32 {
        self.for_side_to_move(position, draw_value(position.players_left(), self.root_depth))
    }

    /// Returns the score of a game that is over for the root player; `None` if it goes on.
    #[inline(always)]
    pub(super) fn terminal_score(&self, position: &Position<V>, ply: usize) -> Option<i32> {
        let ply = ply as i32;
        let score = if !position.is_in(self.root_player) {
            ply - WIN
        } else if position.players_left() == 1 {
            WIN - ply
        } else {
            return None;
        };
        Some(self.for_side_to_move(position, score))
    }

    /// Returns the score of a position without a legal move: a draw, the end, or, with more
    /// players, the rest of the game without the mated player (C4, D8, D9), searched by `search`.
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

    /// Returns the legal moves, in the list of the ply, to be given back to it.
    #[inline(always)]
    pub(super) fn legal_moves(&mut self, position: &Position<V>, ply: usize) -> Vec<InternalMove> {
        self.moves_within(position, V::Geometry::TABLES.board, ply)
    }

    /// Returns the legal moves in a list of their own.
    pub(super) fn all_legal_moves(&mut self, position: &Position<V>) -> Vec<InternalMove> {
        self.list.moves = Vec::new();
        self.list.within = V::Geometry::TABLES.board;
        position.generate(&mut self.list);
        std::mem::take(&mut self.list.moves)
    }

    /// Returns the legal moves to these cells, in the list of the ply, to be given back to it.
    #[inline(always)]
    pub(super) fn moves_within(
        &mut self,
        position: &Position<V>,
        within: quadrex_rules::position::BitsOf<V>,
        ply: usize,
    ) -> Vec<InternalMove> {
        self.list.moves = std::mem::take(&mut self.stack[ply].moves);
        self.list.moves.clear();
        self.list.within = within;
        position.generate(&mut self.list);
        std::mem::take(&mut self.list.moves)
    }

    /// Returns the move that led to a ply, as continuation history sees it.
    #[inline(always)]
    pub(super) fn previous_move(&self, ply: usize) -> Option<PreviousMove> {
        Some(PreviousMove::new(self.stack.previous_move(ply)?, self.history.cells()))
    }
}
