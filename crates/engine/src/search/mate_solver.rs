//! Exhaustive proof that the root player mates within a number of moves, or cannot.
//!
//! The main search prunes and reduces, and may miss a mate. The proof searches every move: the root
//! player needs one move that wins against every reply. Draws by repetition or move count are
//! ignored.

use quadrex_rules::Position;
use quadrex_rules::bits::Bits as _;
use quadrex_rules::movegen::InternalMove;
use quadrex_rules::variant::DefeatRule;

use super::iterative_deepening::RootMove;
use super::parameters::{MATE_PROOF_NODES, MAX_PLY};
use super::score::WIN;
use super::worker::Worker;
use crate::evaluation::Evaluate;

/// The result of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The root move with index `root` mates, with this score.
    Mate { root: usize, score: i32 },
    /// There is no mate within the limit.
    NoMate,
    /// The proof was stopped, or reached its node limit or the depth limit, before it had a result.
    Unknown,
}

/// The error of a proof that reached its node limit or was stopped.
#[derive(Debug)]
struct Interrupted;

/// The state of the proofs of one search.
#[derive(Debug, Default)]
pub(super) struct MateSolver {
    /// The greatest number of moves within which a mate is proven to be impossible.
    moves_without_mate: u32,
    /// The number of nodes that may still be visited.
    nodes_left: u64,
    /// The last reply that refuted a mating attempt, indexed by the number of moves the root player
    /// had left. This reply is tried first.
    refutations: Vec<Option<InternalMove>>,
}

impl<V: Evaluate> Worker<'_, V> {
    /// Searches for the shortest mate within `limit` moves of the root player. The proof may visit
    /// as many nodes as the main search has visited so far, but at least [`MATE_PROOF_NODES`].
    pub(super) fn prove_mate(&mut self, position: &Position<V>, roots: &[RootMove], limit: u32) -> Proof {
        self.node_counter.flush(self.shared);
        self.mate_solver.nodes_left = self.shared.nodes().max(MATE_PROOF_NODES);
        let players = position.players_left() as i32;
        while self.mate_solver.moves_without_mate < limit {
            let root_moves_left = self.mate_solver.moves_without_mate + 1;
            // The proof has the same depth limit as the main search.
            if root_moves_left as usize * players as usize > MAX_PLY {
                return Proof::Unknown;
            }
            self.mate_solver.refutations.resize(root_moves_left as usize + 1, None);
            for (root, candidate) in roots.iter().enumerate() {
                let mut next = *position;
                next.make_internal(candidate.mv);
                match self.forces_mate(&next, root_moves_left - 1) {
                    Ok(true) => {
                        return Proof::Mate { root, score: WIN - players * (root_moves_left as i32 - 1) - 1 };
                    }
                    Ok(false) => {}
                    Err(Interrupted) => return Proof::Unknown,
                }
            }
            self.mate_solver.moves_without_mate = root_moves_left;
        }
        Proof::NoMate
    }

    /// Returns true if the root player wins with at most `root_moves_left` moves against every
    /// defense.
    fn forces_mate(&mut self, position: &Position<V>, root_moves_left: u32) -> Result<bool, Interrupted> {
        self.node_counter.count_node(self.shared);
        self.mate_solver.nodes_left = self.mate_solver.nodes_left.checked_sub(1).ok_or(Interrupted)?;
        if self.shared.is_stopped() {
            return Err(Interrupted);
        }
        if !position.is_playing(self.root_player) || position.players_left() == 1 {
            return Ok(position.is_playing(self.root_player));
        }
        let is_root_turn = self.is_root_player(position);
        let in_check = !position.checkers(position.turn_index()).is_empty();
        // Once the root player has used up its moves, each opponent in turn must be in check (and
        // then mated). A dead position is no mate.
        if root_moves_left == 0 && (is_root_turn || !in_check) || position.is_dead() {
            return Ok(false);
        }
        let moves = self.legal_moves_in_new_list(position);
        if moves.is_empty() {
            return self.forces_mate_without_moves(position, root_moves_left, is_root_turn, in_check);
        }
        if root_moves_left == 0 {
            return Ok(false);
        }
        self.moves_force_mate(position, moves, root_moves_left, is_root_turn)
    }

    /// The case of [`Self::forces_mate`] in which the player to move has no legal move.
    fn forces_mate_without_moves(
        &mut self,
        position: &Position<V>,
        root_moves_left: u32,
        is_root_turn: bool,
        in_check: bool,
    ) -> Result<bool, Interrupted> {
        if !in_check || is_root_turn {
            return Ok(false);
        }
        if V::DEFEAT == DefeatRule::EndsMatch {
            return Ok(true);
        }
        let mut next = *position;
        next.eliminate(position.turn_index());
        self.forces_mate(&next, root_moves_left)
    }

    /// The case of [`Self::forces_mate`] with legal moves. In the root player's turn, one of the
    /// moves has to win. In an opponent's turn, the root player has to win after each of the moves.
    fn moves_force_mate(
        &mut self,
        position: &Position<V>,
        mut moves: Vec<InternalMove>,
        root_moves_left: u32,
        is_root_turn: bool,
    ) -> Result<bool, Interrupted> {
        let index = root_moves_left as usize;
        let refutation = self.mate_solver.refutations[index].filter(|_| !is_root_turn);
        let refutation_index =
            refutation.and_then(|refutation| moves.iter().position(|mv| *mv == refutation));
        if let Some(refutation_index) = refutation_index {
            moves.swap(0, refutation_index);
        }
        for mv in moves {
            let mut next = *position;
            next.make_internal(mv);
            let wins = self.forces_mate(&next, root_moves_left - u32::from(is_root_turn))?;
            if wins == is_root_turn {
                if !is_root_turn {
                    self.mate_solver.refutations[index] = Some(mv);
                }
                return Ok(is_root_turn);
            }
        }
        Ok(!is_root_turn)
    }
}
