//! Mates by trying out everything, with nothing but the rules: it shares no line with the engine's search.

use quadrex_rules::{AnyPosition, Color, Move, Verdict};

/// Moves that may still be tried out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort(pub(crate) u64);

/// The effort was not enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spent;

impl Effort {
    /// The position after a legal move.
    fn play(&mut self, position: &AnyPosition, mv: Move) -> Result<AnyPosition, Spent> {
        self.0 = self.0.checked_sub(1).ok_or(Spent)?;
        let mut next = position.clone();
        next.play(mv);
        Ok(next)
    }
}

/// Whether somebody has been mated on the way from one position to another: in classic the player to move, with more
/// players whoever went out.
fn mated(before: &AnyPosition, after: &AnyPosition, is_asked: impl Fn(Color) -> bool) -> bool {
    let is_out = |color: &Color| !after.is_in(*color);
    let went_out = before.players_in().filter(is_out).any(&is_asked);
    went_out || (after.verdict() == Verdict::Mated && is_asked(after.turn()))
}

/// Whether a move of the player to move leads to an opponent's mate within so many own moves, this one included, however
/// the others play.
pub(crate) fn forces(
    position: &AnyPosition,
    mv: Move,
    own_moves: u32,
    effort: &mut Effort,
) -> Result<bool, Spent> {
    let me = position.turn();
    let next = effort.play(position, mv)?;
    is_forced(position, &next, me, own_moves - 1, effort)
}

/// The moves that do.
pub(crate) fn forcing(
    position: &AnyPosition,
    own_moves: u32,
    effort: &mut Effort,
) -> Result<Vec<Move>, Spent> {
    let mut found = Vec::new();
    for mv in position.legal_moves() {
        if forces(position, mv, own_moves, effort)? {
            found.push(mv);
        }
    }
    Ok(found)
}

/// Whether an opponent of `me` is mated now or will be, with so many own moves left.
fn is_forced(
    before: &AnyPosition,
    position: &AnyPosition,
    me: Color,
    own_moves: u32,
    effort: &mut Effort,
) -> Result<bool, Spent> {
    if mated(before, position, |color| color != me) {
        return Ok(true);
    }
    if !position.is_in(me) || position.verdict() != Verdict::Plays || position.is_dead() {
        return Ok(false);
    }
    if position.turn() != me {
        for reply in position.legal_moves() {
            let next = effort.play(position, reply)?;
            if !is_forced(position, &next, me, own_moves, effort)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    if own_moves == 0 {
        return Ok(false);
    }
    for mv in position.legal_moves() {
        let next = effort.play(position, mv)?;
        if is_forced(position, &next, me, own_moves - 1, effort)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the opponents together can see to it that who makes this move is mated when its next turn comes.
pub(crate) fn endangers(position: &AnyPosition, mv: Move, effort: &mut Effort) -> Result<bool, Spent> {
    let next = effort.play(position, mv)?;
    can_be_mated(position, &next, position.turn(), effort)
}

fn can_be_mated(
    before: &AnyPosition,
    position: &AnyPosition,
    me: Color,
    effort: &mut Effort,
) -> Result<bool, Spent> {
    if mated(before, position, |color| color == me) {
        return Ok(true);
    }
    if position.turn() == me || position.verdict() != Verdict::Plays || position.is_dead() {
        return Ok(false);
    }
    for reply in position.legal_moves() {
        let next = effort.play(position, reply)?;
        if can_be_mated(position, &next, me, effort)? {
            return Ok(true);
        }
    }
    Ok(false)
}
