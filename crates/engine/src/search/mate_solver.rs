//! Proof by exhaustion that there is a mate within some moves, or none.
//!
//! The search prunes and reduces, so that a mate it has not found may exist all the same. Here
//! nothing is left out: the root player needs one move that wins against every reply. Draws by
//! repetition or move count are ignored.

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
    /// The root move at this index mates with this score.
    Mate { root: usize, score: i32 },
    /// There is no mate within the moves.
    NoMate,
    /// The nodes did not suffice.
    Unknown,
}

/// The nodes of a proof are spent, or the search was stopped.
#[derive(Debug)]
struct Spent;

/// A proof under way.
#[derive(Debug, Default)]
pub(super) struct MateSolver {
    /// Moves of the root player within which there is no mate for certain.
    refuted: u32,
    /// Nodes that may still be visited.
    nodes_left: u64,
    /// The reply that refuted the last attempt, by the root player's moves left.
    refutations: Vec<Option<InternalMove>>,
}

impl<V: Evaluate> Worker<'_, V> {
    /// Searches for a mate within `limit` moves of the root player, the shortest first, with as
    /// many nodes as the search has visited so far.
    pub(super) fn prove_mate(&mut self, position: &Position<V>, roots: &[RootMove], limit: u32) -> Proof {
        self.counter.flush(self.shared);
        self.mate_solver.nodes_left = self.shared.nodes().max(MATE_PROOF_NODES);
        let players = position.players_left() as i32;
        while self.mate_solver.refuted < limit {
            let own_moves = self.mate_solver.refuted + 1;
            // As deep as the search itself, and no deeper.
            if own_moves as usize * players as usize > MAX_PLY {
                return Proof::Unknown;
            }
            self.mate_solver.refutations.resize(own_moves as usize + 1, None);
            for (root, candidate) in roots.iter().enumerate() {
                let mut next = *position;
                next.make_internal(candidate.mv);
                match self.forces_mate(&next, own_moves - 1) {
                    Ok(true) => {
                        return Proof::Mate { root, score: WIN - players * (own_moves as i32 - 1) - 1 };
                    }
                    Ok(false) => {}
                    Err(Spent) => return Proof::Unknown,
                }
            }
            self.mate_solver.refuted = own_moves;
        }
        Proof::NoMate
    }

    /// Returns whether the root player wins with at most `own_moves` moves, whatever the others do.
    fn forces_mate(&mut self, position: &Position<V>, own_moves: u32) -> Result<bool, Spent> {
        self.counter.add(self.shared);
        self.mate_solver.nodes_left = self.mate_solver.nodes_left.checked_sub(1).ok_or(Spent)?;
        if self.shared.is_stopped() {
            return Err(Spent);
        }
        if !position.is_in(self.root_player) || position.players_left() == 1 {
            return Ok(position.is_in(self.root_player));
        }
        let is_mine = self.is_root_player(position);
        let in_check = !position.checkers(position.turn_index()).is_empty();
        // Without own moves left, every opponent has to be mated on its turn.
        if own_moves == 0 && (is_mine || !in_check) || position.is_dead() {
            return Ok(false);
        }
        let moves = self.all_legal_moves(position);
        if moves.is_empty() {
            return self.forces_mate_without(position, own_moves, is_mine, in_check);
        }
        if own_moves == 0 {
            return Ok(false);
        }
        self.tries_to_mate(position, moves, own_moves, is_mine)
    }

    /// The same where the player to move has no legal move.
    fn forces_mate_without(
        &mut self,
        position: &Position<V>,
        own_moves: u32,
        is_mine: bool,
        in_check: bool,
    ) -> Result<bool, Spent> {
        if !in_check || is_mine {
            return Ok(false);
        }
        if V::DEFEAT == DefeatRule::EndsMatch {
            return Ok(true);
        }
        let mut next = *position;
        next.eliminate(position.turn_index());
        self.forces_mate(&next, own_moves)
    }

    /// Searches all moves: one that wins suffices for the root player, and all have to win for it
    /// at an opponent's turn.
    fn tries_to_mate(
        &mut self,
        position: &Position<V>,
        mut moves: Vec<InternalMove>,
        own_moves: u32,
        is_mine: bool,
    ) -> Result<bool, Spent> {
        let level = own_moves as usize;
        let refutation = self.mate_solver.refutations[level].filter(|_| !is_mine);
        if let Some(known) = refutation.and_then(|known| moves.iter().position(|mv| *mv == known)) {
            moves.swap(0, known);
        }
        for mv in moves {
            let mut next = *position;
            next.make_internal(mv);
            let wins = self.forces_mate(&next, own_moves - u32::from(is_mine))?;
            if wins == is_mine {
                if !is_mine {
                    self.mate_solver.refutations[level] = Some(mv);
                }
                return Ok(is_mine);
            }
        }
        Ok(!is_mine)
    }
}
