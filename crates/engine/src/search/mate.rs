//! Proving that there is no mate within some moves, or finding it, by trying out everything.
//!
//! The search prunes and reduces, so that a mate it has not found may yet be there. Here nothing is left out: the player who
//! asks needs one move that wins against every reply. Draws by repetition or move count are not looked at.

use quadrex_rules::Position;
use quadrex_rules::bits::Bits as _;
use quadrex_rules::geometry::Geometry as _;
use quadrex_rules::movegen::PlacedMove;
use quadrex_rules::variant::DefeatRule;

use super::root::Root;
use super::score::WIN;
use super::{MOST_PLIES, Worker};
use crate::evaluation::Valued;

/// Positions that a proof may look at, however few the search has looked at so far.
const LEAST_EFFORT: u64 = 20_000;

/// What is known of a mate within some moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// There is one: the root at this place wins with this score.
    Mate { root: usize, score: i32 },
    /// There is none.
    NoMate,
    /// The effort did not suffice to tell.
    Unknown,
}

/// The effort is spent, or the search is over.
#[derive(Debug)]
struct Spent;

/// A proof under way.
#[derive(Debug, Default)]
pub(super) struct Prover {
    /// Own moves within which there is no mate for certain.
    refuted: u32,
    /// Positions that may still be looked at.
    effort: u64,
    /// The reply that refuted the last try, by the own moves left.
    refutations: Vec<Option<PlacedMove>>,
}

impl<V: Valued> Worker<'_, V> {
    /// Looks for a mate within `most` own moves, the shortest first, with as much effort as the search has spent so far.
    pub(super) fn prove_mate(&mut self, position: &Position<V>, roots: &[Root], most: u32) -> Proof {
        self.count.tell(self.control);
        self.prover.effort = self.control.nodes().max(LEAST_EFFORT);
        let players = position.players_left() as i32;
        while self.prover.refuted < most {
            let own_moves = self.prover.refuted + 1;
            // As deep as the search itself goes, and no deeper.
            if own_moves as usize * players as usize > MOST_PLIES {
                return Proof::Unknown;
            }
            self.prover.refutations.resize(own_moves as usize + 1, None);
            for (root, candidate) in roots.iter().enumerate() {
                let mut next = *position;
                next.make_placed(candidate.mv);
                match self.wins(&next, own_moves - 1) {
                    Ok(true) => {
                        return Proof::Mate { root, score: WIN - players * (own_moves as i32 - 1) - 1 };
                    }
                    Ok(false) => {}
                    Err(Spent) => return Proof::Unknown,
                }
            }
            self.prover.refuted = own_moves;
        }
        Proof::NoMate
    }

    /// Returns whether the player who asks wins with at most so many own moves, whatever the others do.
    fn wins(&mut self, position: &Position<V>, own_moves: u32) -> Result<bool, Spent> {
        self.count.add(self.control);
        self.prover.effort = self.prover.effort.checked_sub(1).ok_or(Spent)?;
        if self.control.is_over() {
            return Err(Spent);
        }
        if !position.is_in(self.me) || position.players_left() == 1 {
            return Ok(position.is_in(self.me));
        }
        let (is_mine, in_check) =
            (self.is_mine(position), !position.checkers(position.turn_index()).is_empty());
        // Without own moves left, every opponent has to be mated where its turn comes.
        if own_moves == 0 && (is_mine || !in_check) || position.is_dead() {
            return Ok(false);
        }
        let mut moves = self.all_moves(position);
        if moves.is_empty() {
            return if !in_check || is_mine {
                Ok(false)
            } else if V::DEFEAT == DefeatRule::EndsMatch {
                Ok(true)
            } else {
                let mut next = *position;
                next.put_out(position.turn_index());
                self.wins(&next, own_moves)
            };
        }
        if own_moves == 0 {
            return Ok(false);
        }
        let level = own_moves as usize;
        let refutation = self.prover.refutations[level].filter(|_| !is_mine);
        if let Some(known) = refutation.and_then(|known| moves.iter().position(|mv| *mv == known)) {
            moves.swap(0, known);
        }
        for mv in moves {
            let mut next = *position;
            next.make_placed(mv);
            let wins = self.wins(&next, own_moves - u32::from(is_mine))?;
            if wins == is_mine {
                if !is_mine {
                    self.prover.refutations[level] = Some(mv);
                }
                return Ok(is_mine);
            }
        }
        Ok(!is_mine)
    }

    fn all_moves(&mut self, position: &Position<V>) -> Vec<PlacedMove> {
        self.list.moves = Vec::new();
        self.list.within = V::Geometry::TABLES.board;
        position.generate(&mut self.list);
        std::mem::take(&mut self.list.moves)
    }
}
