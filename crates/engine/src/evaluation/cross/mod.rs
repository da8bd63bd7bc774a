//! The evaluation terms of the cross boards. The terms are the same for each player. Variants
//! without terms of their own use these terms too.

use quadrex_rules::bits::Bits;
use quadrex_rules::geometry::{Direction, Geometry};
use quadrex_rules::movegen::reach;
use quadrex_rules::position::BitsOf;
use quadrex_rules::{Position, Role, Side, Square, VariantRules};

use super::{PHASE_MAX, TermCounter};

mod mop_up;
pub(crate) mod term;

pub(super) use mop_up::mop_up;

/// The pieces of one player and the cells they attack.
#[derive(Clone, Copy)]
struct Army<B> {
    pieces: B,
    pawn_attacks: B,
    minor_attacks: B,
    rook_attacks: B,
    /// Attacks of all pieces.
    attacks: B,
    /// The cells next to the king.
    king_ring: B,
}

impl<B: Bits> Army<B> {
    const EMPTY: Self = Self {
        pieces: B::EMPTY,
        pawn_attacks: B::EMPTY,
        minor_attacks: B::EMPTY,
        rook_attacks: B::EMPTY,
        attacks: B::EMPTY,
        king_ring: B::EMPTY,
    };
}

/// The rank and file of each cell from each player's view. The rank and the file are the indices in
/// the terms [`term::RANK`] and [`term::FILE`].
pub(super) struct Views {
    of: [[[u8; 2]; 256]; 4],
}

impl Views {
    pub(super) fn new<V: VariantRules>() -> Self {
        let mut of = [[[0; 2]; 256]; 4];
        for (player, color) in V::COLORS.iter().enumerate() {
            for square in V::Geometry::SHAPE.squares() {
                of[player][usize::from(V::Geometry::cell(square))] = seen_from::<V>(color.side(), square);
            }
        }
        Self { of }
    }

    /// Counts the piece-square terms of a piece.
    #[inline(always)]
    fn count<T: TermCounter>(&self, player: usize, role: Role, cell: u8, counter: &mut T) {
        let [rank, file] = self.of[player][usize::from(cell)];
        counter.add(player, term::RANK + role as usize * term::RANKS + usize::from(rank), 1);
        counter.add(player, term::FILE + role as usize * term::FILES + usize::from(file), 1);
    }
}

/// Returns the number of ranks from a player's baseline to a square, and the number of files from
/// the middle of the baseline.
fn seen_from<V: VariantRules>(side: Side, square: Square) -> [u8; 2] {
    let shape = V::Geometry::SHAPE;
    let (file, rank) = (square.file(), square.rank());
    let (depth, along, width) = match side {
        Side::South => (rank, file, shape.files),
        Side::West => (file, rank, shape.ranks),
        Side::North => (shape.ranks - 1 - rank, file, shape.files),
        Side::East => (shape.files - 1 - file, rank, shape.ranks),
    };
    [depth, (2 * along).abs_diff(width - 1) / 2]
}

/// Counts all terms and returns the game phase.
pub(super) fn count<V: VariantRules, T: TermCounter>(
    position: &Position<V>,
    views: &Views,
    counter: &mut T,
) -> i32 {
    let mut armies = Armies::new(position);
    armies.count_kings_and_pawns(views, counter);
    let pieces = armies.count_pieces(views, counter);
    let turn = position.turn_index();
    let in_turn_order = (0..V::COLORS.len()).map(|after| (turn + after) % V::COLORS.len());
    let in_turn_order = in_turn_order.filter(|&player| position.is_playing(player));
    for (before, player) in in_turn_order.enumerate() {
        counter.add(player, term::TURN_ORDER + before, 1);
        let opponents = armies.opponents_of(player);
        armies.count_threats(player, &opponents, counter);
        armies.count_king_safety(player, &opponents, counter);
    }
    pieces.min(48) * PHASE_MAX / 48
}

/// The armies of a position while its terms are counted.
struct Armies<'a, V: VariantRules> {
    position: &'a Position<V>,
    armies: [Army<BitsOf<V>>; 4],
    /// Cells that any pawn attacks, and cells next to any king.
    all_pawn_attacks: BitsOf<V>,
    all_king_rings: BitsOf<V>,
    /// The attack units against a king, by the king's player and then by the attacking player.
    king_attacks: [[usize; 4]; 4],
}

impl<'a, V: VariantRules> Armies<'a, V> {
    #[inline(always)]
    fn new(position: &'a Position<V>) -> Self {
        Self {
            position,
            armies: [Army::EMPTY; 4],
            all_pawn_attacks: BitsOf::<V>::EMPTY,
            all_king_rings: BitsOf::<V>::EMPTY,
            king_attacks: [[0; 4]; 4],
        }
    }

    #[inline(always)]
    fn players(&self) -> impl Iterator<Item = usize> + use<'a, V> {
        let position = self.position;
        (0..V::COLORS.len()).filter(move |&player| position.is_playing(player))
    }

    #[inline(always)]
    fn count_kings_and_pawns<T: TermCounter>(&mut self, views: &Views, counter: &mut T) {
        let position = self.position;
        for player in self.players() {
            let army = &mut self.armies[player];
            army.pieces = position.owned(player);
            let pawns = position.role(Role::Pawn) & army.pieces;
            let [left, right] = Direction::captures(V::COLORS[player].side());
            army.pawn_attacks = (V::Geometry::step(pawns, left) | V::Geometry::step(pawns, right))
                & V::Geometry::TABLES.board;
            let king = position.king(player);
            army.king_ring = V::Geometry::TABLES.king[usize::from(king)];
            army.attacks = army.pawn_attacks | army.king_ring;
            self.all_pawn_attacks |= army.pawn_attacks;
            self.all_king_rings |= army.king_ring;
            counter.add(player, term::PROTECTED_PAWN, (army.pawn_attacks & pawns).count() as i32);
            counter.add(player, term::PAWN_SHIELD, (army.king_ring & pawns).count() as i32);
            views.count(player, Role::King, king, counter);
            pawns.for_each(|from| views.count(player, Role::Pawn, from, counter));
            counter.add(player, term::MATERIAL, pawns.count() as i32);
        }
    }

    /// Counts material, mobility and squares of pieces, and returns the count of pieces from which
    /// the game phase is computed.
    #[inline(always)]
    fn count_pieces<T: TermCounter>(&mut self, views: &Views, counter: &mut T) -> i32 {
        let position = self.position;
        let mut pieces = 0;
        for player in self.players() {
            let Army { pieces: own_pieces, pawn_attacks, .. } = self.armies[player];
            let mobility_area = !own_pieces & !(self.all_pawn_attacks & !pawn_attacks);
            for (role, unit, phase) in
                [(Role::Knight, 2, 1), (Role::Bishop, 2, 1), (Role::Rook, 3, 2), (Role::Queen, 5, 4)]
            {
                let set = position.role(role) & own_pieces;
                let number = set.count() as i32;
                pieces += phase * number;
                counter.add(player, term::MATERIAL + role as usize, number);
                if role == Role::Bishop && number > 1 {
                    counter.add(player, term::BISHOP_PAIR, 1);
                }
                set.for_each(|from| {
                    let attacks = reach::<V>(role, from, position.occupied());
                    counter.add(
                        player,
                        term::MOBILITY + role as usize - 1,
                        (attacks & mobility_area).count() as i32,
                    );
                    views.count(player, role, from, counter);
                    self.add_attacks(player, role, attacks, unit);
                });
            }
        }
        pieces
    }

    /// Adds the attacks of one piece to its army. Attacks on cells next to kings are also added to
    /// the attack units.
    #[inline(always)]
    fn add_attacks(&mut self, player: usize, role: Role, attacks: BitsOf<V>, unit: usize) {
        let army = &mut self.armies[player];
        army.attacks |= attacks;
        match role {
            Role::Rook => army.rook_attacks |= attacks,
            Role::Queen => {}
            _ => army.minor_attacks |= attacks,
        }
        if (attacks & self.all_king_rings).is_empty() {
            return;
        }
        for other in self.players().filter(|&other| other != player) {
            let ring_attack_count = (attacks & self.armies[other].king_ring).count() as usize;
            if ring_attack_count > 0 {
                self.king_attacks[other][player] += unit + ring_attack_count;
            }
        }
    }

    /// Returns the attacks of all opponents of a player together.
    #[inline(always)]
    fn opponents_of(&self, player: usize) -> Army<BitsOf<V>> {
        let mut union = Army::EMPTY;
        for other in self.players().filter(|&other| other != player) {
            let army = &self.armies[other];
            union.attacks |= army.attacks;
            union.pawn_attacks |= army.pawn_attacks;
            union.minor_attacks |= army.minor_attacks;
            union.rook_attacks |= army.rook_attacks;
        }
        union
    }

    #[inline(always)]
    fn count_threats<T: TermCounter>(&self, player: usize, opponents: &Army<BitsOf<V>>, counter: &mut T) {
        let (position, army) = (self.position, &self.armies[player]);
        let (hanging, threatened) = if player == position.turn_index() {
            (term::TO_MOVE_HANGING, term::TO_MOVE_THREATENED)
        } else {
            (term::HANGING, term::THREATENED)
        };
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let set = position.role(role) & army.pieces;
            let lesser = match role {
                Role::Pawn => BitsOf::<V>::EMPTY,
                Role::Knight | Role::Bishop => opponents.pawn_attacks,
                Role::Rook => opponents.pawn_attacks | opponents.minor_attacks,
                _ => opponents.pawn_attacks | opponents.minor_attacks | opponents.rook_attacks,
            };
            let loose = (set & opponents.attacks & !army.attacks & !lesser).count() as i32;
            counter.add(player, hanging + role as usize, loose);
            counter.add(player, threatened + role as usize, (set & lesser).count() as i32);
        }
    }

    #[inline(always)]
    fn count_king_safety<T: TermCounter>(&self, player: usize, opponents: &Army<BitsOf<V>>, counter: &mut T) {
        let (position, army) = (self.position, &self.armies[player]);
        let king = position.king(player);
        let lines = reach::<V>(Role::Queen, king, position.occupied()) & !army.pieces;
        counter.add(player, term::KING_EXPOSURE, lines.count() as i32);
        let defenders = army.pawn_attacks | army.minor_attacks | army.rook_attacks;
        counter.add(player, term::KING_DEFENDERS, (army.king_ring & defenders).count() as i32);
        let moves = (army.king_ring & !army.pieces & !opponents.attacks).count() as usize;
        counter.add(player, term::KING_MOVES + moves.min(term::MAX_KING_MOVES), 1);
        let attacks = &self.king_attacks[player];
        let danger: usize = attacks.iter().sum();
        let attackers = attacks.iter().filter(|&&units| units > 0).count();
        counter.add(player, term::KING_DANGER + danger.min(term::MAX_UNITS - 1), 1);
        counter.add(player, term::KING_ATTACKERS + attackers.min(3), 1);
        if opponents.attacks.has(king) {
            counter.add(player, term::IN_CHECK, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{Dilkel, Move};

    use super::*;
    use crate::rng::Rng;

    /// The counts of each player's terms.
    struct Counts([[i32; term::COUNT]; 4]);

    impl TermCounter for Counts {
        fn add(&mut self, player: usize, term: usize, count: i32) {
            self.0[player][term] += count;
        }
    }

    /// Calls `check` with positions of random games, the player to move, and the counts.
    fn walk(mut check: impl FnMut(&Position<Dilkel>, usize, &Counts)) {
        let views = Views::new::<Dilkel>();
        let mut rng = Rng::new(7);
        for _ in 0..4 {
            let mut position = Position::<Dilkel>::start();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut counts = Counts([[0; term::COUNT]; 4]);
                count(&position, &views, &mut counts);
                check(&position, position.turn_index(), &counts);
                position.play(moves[rng.index(moves.len())]);
            }
        }
    }

    #[test]
    fn king_moves_are_those_the_king_has() {
        let mut occurrences = [0; term::MAX_KING_MOVES + 1];
        walk(|position, turn, counts| {
            if !position.checkers(turn).is_empty() {
                return;
            }
            let king = <Dilkel as VariantRules>::Geometry::square(position.king(turn));
            let is_step = |mv: &&Move| {
                let (from, to) = (mv.from, mv.to);
                from == king && from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank())) == 1
            };
            let expected = position.legal_moves().iter().filter(is_step).count().min(term::MAX_KING_MOVES);
            let room = &counts.0[turn][term::KING_MOVES..=term::KING_MOVES + term::MAX_KING_MOVES];
            assert_eq!((room[expected], room.iter().sum::<i32>()), (1, 1), "{}", position.setup());
            occurrences[expected] += 1;
        });
        assert!(occurrences.iter().all(|&times| times > 10), "{occurrences:?}");
    }

    /// The same count from the other end: the cells from which an opponent's queen would check the
    /// king at once.
    #[test]
    fn exposure_is_the_number_of_cells_to_check_the_king_from() {
        let mut highest_exposure = 0;
        walk(|position, turn, counts| {
            let king = BitsOf::<Dilkel>::single(position.king(turn));
            let mut open = 0;
            (<Dilkel as VariantRules>::Geometry::TABLES.board & !position.owned(turn)).for_each(|place| {
                let attacked = reach::<Dilkel>(Role::Queen, place, position.occupied());
                open += i32::from(!(attacked & king).is_empty());
            });
            assert_eq!(counts.0[turn][term::KING_EXPOSURE], open, "{}", position.setup());
            highest_exposure = highest_exposure.max(open);
        });
        assert!(highest_exposure > 10, "{highest_exposure}");
    }

    #[test]
    fn defenders_are_the_cells_next_to_the_king_that_own_pieces_attack() {
        let mut occurrences = [0; 9];
        walk(|position, turn, counts| {
            let own_defenders =
                position.owned(turn) & !position.role(Role::Queen) & !position.role(Role::King);
            let mut guarded = 0;
            <Dilkel as VariantRules>::Geometry::TABLES.king[usize::from(position.king(turn))].for_each(
                |place| {
                    let attackers = position.attackers_of(place, position.occupied());
                    guarded += i32::from(!(attackers & own_defenders).is_empty());
                },
            );
            assert_eq!(counts.0[turn][term::KING_DEFENDERS], guarded, "{}", position.setup());
            occurrences[guarded as usize] += 1;
        });
        assert!(occurrences.iter().filter(|&&times| times > 10).count() > 3, "{occurrences:?}");
    }
}
