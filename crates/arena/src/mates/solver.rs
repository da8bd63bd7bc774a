//! A brute-force mate solver that uses only the rules and shares no code with the engine's search.

use quadrex_rules::{AnyPosition, Color, Move, Verdict};

/// The number of moves that a solver may still try.
#[derive(Clone, Copy, Debug)]
pub struct Budget(pub u64);

/// The error of a budget that is used up before the answer is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the budget of moves is used up")]
pub struct BudgetExceeded;

impl Budget {
    /// Returns the position after a legal move.
    fn play(&mut self, position: &AnyPosition, mv: Move) -> Result<AnyPosition, BudgetExceeded> {
        self.0 = self.0.checked_sub(1).ok_or(BudgetExceeded)?;
        let mut next = position.clone();
        next.play(mv);
        Ok(next)
    }
}

/// Returns true if a player for whom `is_asked` is true has been mated between two positions. With
/// two players the mated player is the player to move. With four players it may also be a player
/// who was eliminated in between.
fn mated(before: &AnyPosition, after: &AnyPosition, is_asked: impl Fn(Color) -> bool) -> bool {
    let is_eliminated = |color: &Color| !after.is_playing(*color);
    let is_any_eliminated = before.active_players().filter(is_eliminated).any(&is_asked);
    is_any_eliminated || (after.verdict() == Verdict::Mated && is_asked(after.turn()))
}

/// Returns true if a move forces an opponent's mate within this number of own moves, including the
/// move itself.
///
/// # Errors
/// Returns [`BudgetExceeded`] if the budget does not suffice.
pub fn forces(
    position: &AnyPosition,
    mv: Move,
    own_moves: u32,
    budget: &mut Budget,
) -> Result<bool, BudgetExceeded> {
    let me = position.turn();
    let next = budget.play(position, mv)?;
    is_forced(position, &next, me, own_moves - 1, budget)
}

/// Returns the moves that force an opponent's mate within this number of own moves.
///
/// # Errors
/// Returns [`BudgetExceeded`] if the budget does not suffice.
pub fn forcing(
    position: &AnyPosition,
    own_moves: u32,
    budget: &mut Budget,
) -> Result<Vec<Move>, BudgetExceeded> {
    let mut found = Vec::new();
    for mv in position.legal_moves() {
        if forces(position, mv, own_moves, budget)? {
            found.push(mv);
        }
    }
    Ok(found)
}

/// Returns true if an opponent of `me` has been mated, or can be mated by force within this number
/// of own moves.
fn is_forced(
    before: &AnyPosition,
    position: &AnyPosition,
    me: Color,
    own_moves: u32,
    budget: &mut Budget,
) -> Result<bool, BudgetExceeded> {
    if mated(before, position, |color| color != me) {
        return Ok(true);
    }
    if !position.is_playing(me) || position.verdict() != Verdict::Plays || position.is_dead() {
        return Ok(false);
    }
    if position.turn() != me {
        for reply in position.legal_moves() {
            let next = budget.play(position, reply)?;
            if !is_forced(position, &next, me, own_moves, budget)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    if own_moves == 0 {
        return Ok(false);
    }
    for mv in position.legal_moves() {
        let next = budget.play(position, mv)?;
        if is_forced(position, &next, me, own_moves - 1, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns true if all opponents together can mate the player of this move before the player's next
/// turn.
///
/// # Errors
/// Returns [`BudgetExceeded`] if the budget does not suffice.
pub fn endangers(position: &AnyPosition, mv: Move, budget: &mut Budget) -> Result<bool, BudgetExceeded> {
    let next = budget.play(position, mv)?;
    can_be_mated(position, &next, position.turn(), budget)
}

fn can_be_mated(
    before: &AnyPosition,
    position: &AnyPosition,
    me: Color,
    budget: &mut Budget,
) -> Result<bool, BudgetExceeded> {
    if mated(before, position, |color| color == me) {
        return Ok(true);
    }
    if position.turn() == me || position.verdict() != Verdict::Plays || position.is_dead() {
        return Ok(false);
    }
    for reply in position.legal_moves() {
        let next = budget.play(position, reply)?;
        if can_be_mated(position, &next, me, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}
