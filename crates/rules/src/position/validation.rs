//! Validation: from a set-up to a position.

use alloc::format;
use alloc::string::String;
use core::num::{NonZeroU8, NonZeroU32};

use super::{BitsOf, Position};
use crate::bits::Bits;
use crate::castling_side::CastlingSide;
use crate::color::{Color, Side};
use crate::geometry::Geometry;
use crate::reserve::Reserve;
use crate::role::{Piece, Role};
use crate::setup::{DoubleStep, Field, Setup, SetupError};
use crate::square::Square;
use crate::variant::{CastlingRule, DefeatRule, PerColor, PromotionRule, VariantRules, opposite, side};

/// The largest half-move count of a set-up. Counts in games are smaller. A count that starts at
/// this limit cannot overflow.
const MAX_CLOCK: u32 = 1_000_000;

/// The number of pieces that a player sets up (rules C1, D1).
const ARMY: u32 = 16;

impl<V: VariantRules> Position<V> {
    /// The position of the variant's own set-up.
    #[must_use]
    pub fn start() -> Self {
        Self::new(&Setup::start_of::<V>()).expect("a variant's own set-up is a position")
    }

    /// Validates a set-up.
    ///
    /// # Errors
    /// Returns a [`SetupError`] with the invalid field and the reason, if the set-up is not a valid
    /// position (NOTATION of FEN4; RULES S2, S3, D3, D7).
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        if setup.variant != V::VARIANT {
            let reason = format!("the set-up is of {}, not of {}", setup.variant, V::VARIANT);
            return Err(SetupError { field: Field::Text, reason });
        }
        let in_variant = |color: Color| V::COLORS.contains(&color);
        ensure(in_variant(setup.turn), Field::Turn, || format!("{} does not play here", setup.turn))?;
        let mut position = Self {
            roles: [BitsOf::<V>::EMPTY; 6],
            colors: V::PerColor::from_fn(|_| BitsOf::<V>::EMPTY),
            key: 0,
            kings: V::PerColor::from_fn(|_| 0),
            rooks: V::PerColor::from_fn(|_| [0; 2]),
            passed: V::PerColor::from_fn(|_| None),
            reserves: V::PerColor::from_fn(|_| Reserve::EMPTY),
            castling: 0,
            turn: setup.turn.index() as u8,
            active_players: active_players::<V>(setup)?,
            beginner: if V::COLORS.len() == 2 { 0 } else { setup.turn.index() as u8 },
            clock: setup.halfmove_clock,
            number: setup.move_number.and_then(NonZeroU32::new),
        };
        ensure(setup.halfmove_clock <= MAX_CLOCK, Field::Clock, || {
            format!("{} is more than {MAX_CLOCK}", setup.halfmove_clock)
        })?;
        ensure(setup.move_number != Some(0), Field::MoveNumber, || "0 is not a round number".into())?;
        ensure(position.is_playing(setup.turn.index()), Field::Turn, || {
            format!("{} is eliminated", setup.turn)
        })?;
        for (&square, &piece) in &setup.pieces {
            position.put(square, piece)?;
        }
        for &color in V::COLORS {
            position.find_king(color)?;
        }
        position.ensure_last_mover_not_in_check()?;
        for &color in V::COLORS {
            position.grant_castling(setup, color)?;
            position.grant_reserve(setup, color)?;
            if let Some(step) = setup.double_steps[color] {
                position.grant_en_passant(color, step)?;
            }
        }
        position.key = position.key_from_scratch();
        Ok(position)
    }

    /// Places one piece, if the board has the square and the piece may stand there.
    fn put(&mut self, square: Square, piece: Piece) -> Result<(), SetupError> {
        ensure(V::Geometry::SHAPE.contains(square), Field::Board, || format!("the board has no {square}"))?;
        ensure(V::COLORS.contains(&piece.color), Field::Board, || {
            format!("{} on {square} does not play here", piece.color)
        })?;
        let cell = V::Geometry::cell(square);
        let on_baseline = V::COLORS.iter().any(|color| baseline::<V>(*color).has(cell));
        ensure(piece.role != Role::Pawn || !on_baseline, Field::Board, || {
            format!("{}'s pawn on {square} stands on a baseline", piece.color)
        })?;
        ensure(self.is_playing(piece.color.index()), Field::Board, || {
            format!("{} is eliminated but has a {} on {square}", piece.color, piece.role)
        })?;
        self.toggle(piece.color.index(), piece.role, cell);
        Ok(())
    }

    /// Checks that a player still in the match has exactly one king, and stores the king's cell.
    fn find_king(&mut self, color: Color) -> Result<(), SetupError> {
        if self.is_playing(color.index()) {
            let kings = self.role(Role::King) & self.colors[color.index()];
            ensure(kings.count() == 1, Field::Board, || {
                format!("{color} has {} kings instead of one", kings.count())
            })?;
            self.kings[color.index()] = kings.lowest();
        }
        Ok(())
    }

    /// Checks that the king of the player who has just moved is not in check, if there are two
    /// players. With more players this king may be in check, because other players may have moved
    /// in between.
    fn ensure_last_mover_not_in_check(&self) -> Result<(), SetupError> {
        if V::COLORS.len() > 2 {
            return Ok(());
        }
        let last_mover = V::COLORS[1 - self.turn_index()];
        ensure(self.checkers(last_mover.index()).is_empty(), Field::Board, || {
            format!("{last_mover} is in check but it is {}'s turn", self.turn())
        })
    }

    fn grant_castling(&mut self, setup: &Setup, color: Color) -> Result<(), SetupError> {
        let rights = setup.castling[color];
        for (castling, name, wanted, named) in [
            (CastlingSide::Short, "short", rights.short, rights.short_rook),
            (CastlingSide::Long, "long", rights.long, None),
        ] {
            if !wanted && named.is_none() {
                continue;
            }
            let mut rooks = self.castling_rooks(color, castling).filter(|_| wanted);
            let rook = rooks.find(|&rook| named.is_none_or(|square| V::Geometry::square(rook) == square));
            let rook = rook.ok_or_else(|| {
                let named = named.map(|square| format!(" with the rook on {square}")).unwrap_or_default();
                let reason = format!("{color} has no king and rook in place to castle {name}{named}");
                SetupError { field: Field::Castling, reason }
            })?;
            self.rooks[color.index()][castling as usize] = rook;
            self.castling |= castling.bit(color.index());
        }
        Ok(())
    }

    /// Returns the rooks that a castling right may belong to (rule D7): rooks on the king's row
    /// with two or three squares between king and rook. A rook at the end of the row is the default
    /// and comes first.
    pub(super) fn castling_rooks(
        &self,
        color: Color,
        castling: CastlingSide,
    ) -> impl Iterator<Item = u8> + use<V> {
        let index = color.index();
        let cell = move |along| V::Geometry::SHAPE.row(color.side(), 0).nth(along).map(V::Geometry::cell);
        let last_index = V::Geometry::SHAPE.row(color.side(), 0).count() - 1;
        let home = V::BACK_ROWS[index].iter().position(|&role| role == Role::King);
        let (rooks, king) = (self.role(Role::Rook) & self.colors[index], self.kings[index]);
        let king = (0..=last_index).find(|&along| self.is_playing(index) && cell(along) == Some(king));
        let king = king.filter(|_| V::CASTLING == CastlingRule::AnyRow || king == home);
        let distance = usize::from(castling.distance());
        let both = king.map_or([None, None], |king| [king.checked_sub(distance), king.checked_add(distance)]);
        let is_end = move |along: usize| along == 0 || along == last_index;
        let ends = both.into_iter().flatten().filter(move |&along| is_end(along));
        let inner = both.into_iter().flatten().filter(move |&along| !is_end(along));
        let inner = inner.filter(|_| V::CASTLING == CastlingRule::AnyRow);
        ends.chain(inner).filter_map(cell).filter(move |&cell| rooks.has(cell))
    }

    /// Sets the given reserve of a player still in the match (rule S3). For each kind of piece, one
    /// of two numbers must be within its limit: the player's pieces of this kind on the board and
    /// in reserve, or the reserve of this kind plus all the player's pieces on the board. No move
    /// increases either number, so every position of a game that begins with an accepted set-up is
    /// accepted too.
    fn grant_reserve(&mut self, setup: &Setup, color: Color) -> Result<(), SetupError> {
        let (given, index) = (setup.reserves[color], color.index());
        if V::PROMOTION == PromotionRule::Any {
            return ensure(given == Reserve::EMPTY, Field::Reserve, || "there are no reserves here".into());
        }
        if !self.is_playing(index) {
            return Ok(());
        }
        let max_given = u32::from(Reserve::MAX_GIVEN);
        let standing = self.colors[index].count();
        for role in [Role::Knight, Role::Bishop, Role::Rook] {
            let count = u32::from(given.count(role));
            let owned = count + (self.role(role) & self.colors[index]).count();
            ensure(owned <= max_given || count + standing <= max_given + ARMY, Field::Reserve, || {
                let together = max_given + ARMY;
                format!(
                    "{color}'s {count} {role}s there and {standing} pieces on the board are more than {together}"
                )
            })?;
        }
        self.reserves[index] = given;
        Ok(())
    }

    /// Sets a pending en passant right, if a double step can have left it (rules D3, C2).
    fn grant_en_passant(&mut self, color: Color, step: DoubleStep) -> Result<(), SetupError> {
        let DoubleStep { passed, pawn } = step;
        let index = color.index();
        let fail = |reason: &str| SetupError {
            field: Field::EnPassant,
            reason: format!("{color}'s {passed}:{pawn}: {reason}"),
        };
        let has = |square: Square| V::Geometry::SHAPE.contains(square);
        let third_row = V::Geometry::TABLES.third_row[side::<V>(index) as usize];
        if !has(passed) || !has(pawn) || !third_row.has(V::Geometry::cell(passed)) {
            return Err(fail("no double step passes there"));
        }
        let cell = V::Geometry::cell(passed);
        let forward = side::<V>(index);
        if V::Geometry::ahead(forward, cell) != V::Geometry::cell(pawn) {
            return Err(fail("the pawn does not stand in front of the square it passed"));
        }
        let (pawns, occupied) = (self.role(Role::Pawn) & self.colors[index], self.occupied());
        if !pawns.has(V::Geometry::cell(pawn)) {
            return Err(fail("no such pawn stands there"));
        }
        if occupied.has(cell) {
            return Err(fail("the passed square is occupied"));
        }
        if !self.is_playing(index) || !self.is_playing(opposite::<V>(index)) {
            return Err(fail("one of the two is eliminated"));
        }
        if !self.may_answer(index) {
            return Err(fail("it is not near the turn to capture it"));
        }
        let origin = V::Geometry::ahead(back(forward), cell);
        if self.last_mover() == index && occupied.has(origin) {
            return Err(fail("the square it came from is occupied"));
        }
        self.passed[index] = NonZeroU8::new(cell);
        Ok(())
    }

    /// Returns whether the player opposite `color` can still answer a double step of `color`: the
    /// player to move is the opposite player, or sits between `color` and the opposite player.
    fn may_answer(&self, color: usize) -> bool {
        let count = V::COLORS.len();
        let turns_since = (self.turn_index() + count - color) % count;
        (1..=count / 2).contains(&turns_since)
    }

    /// Returns the player still in the match whose turn is before the turn of the player to move.
    fn last_mover(&self) -> usize {
        let count = V::COLORS.len();
        let before = (1..count).map(|back| (self.turn_index() + count - back) % count);
        before.into_iter().find(|&color| self.is_playing(color)).unwrap_or(self.turn_index())
    }
}

/// Returns the players still in the match, at least one, as a set of bits.
fn active_players<V: VariantRules>(setup: &Setup) -> Result<u8, SetupError> {
    let mut active_players = (1_u8 << V::COLORS.len()) - 1;
    for &(color, _) in &setup.eliminated {
        ensure(V::COLORS.contains(&color), Field::Out, || format!("{color} does not play here"))?;
        ensure(active_players >> color.index() & 1 != 0, Field::Out, || {
            format!("{color} is eliminated twice")
        })?;
        active_players &= !(1 << color.index());
    }
    ensure(active_players != 0, Field::Dead, || "no player is left".into())?;
    ensure(setup.eliminated.is_empty() || V::DEFEAT == DefeatRule::Eliminates, Field::Out, || {
        "no player is eliminated in this variant".into()
    })?;
    Ok(active_players)
}

fn baseline<V: VariantRules>(color: Color) -> BitsOf<V> {
    V::Geometry::TABLES.baseline[color.side() as usize]
}

/// Returns the opposite side of the board.
fn back(side: Side) -> Side {
    match side {
        Side::South => Side::North,
        Side::West => Side::East,
        Side::North => Side::South,
        Side::East => Side::West,
    }
}

fn ensure(holds: bool, field: Field, reason: impl FnOnce() -> String) -> Result<(), SetupError> {
    if holds { Ok(()) } else { Err(SetupError { field, reason: reason() }) }
}
