//! What counts on a cross, for each of four players alike.

use quadrex_rules::bits::Bits;
use quadrex_rules::geometry::{Direction, Geometry};
use quadrex_rules::movegen::reach;
use quadrex_rules::position::BitsOf;
use quadrex_rules::{Position, Role, Side, Square, VariantRules};

use super::{FULL, Tally, Weight};

/// The numbers of the terms.
pub(crate) mod term {
    /// By role without king.
    pub(crate) const MATERIAL: usize = 0;
    /// By role, then by rows from the owner's baseline.
    pub(crate) const DEPTH: usize = MATERIAL + 5;
    pub(crate) const ROWS: usize = 14;
    /// By role, then by columns from the owner's middle.
    pub(crate) const ASIDE: usize = DEPTH + 6 * ROWS;
    pub(crate) const COLUMNS: usize = 7;
    /// Squares in reach that no enemy pawn attacks, by knight, bishop, rook, queen.
    pub(crate) const REACH: usize = ASIDE + 6 * COLUMNS;
    /// Pawns that a pawn guards.
    pub(crate) const GUARDED_PAWN: usize = REACH + 4;
    pub(crate) const BISHOP_PAIR: usize = GUARDED_PAWN + 1;
    /// Own pieces that are attacked and not guarded, by role.
    pub(crate) const HANGING: usize = BISHOP_PAIR + 1;
    /// Own pieces that something of less worth attacks, by role.
    pub(crate) const PRESSED: usize = HANGING + 5;
    /// The same of the player to move.
    pub(crate) const TO_MOVE_HANGING: usize = PRESSED + 5;
    pub(crate) const TO_MOVE_PRESSED: usize = TO_MOVE_HANGING + 5;
    /// How hard the own king is attacked, in units.
    pub(crate) const KING_DANGER: usize = TO_MOVE_PRESSED + 5;
    pub(crate) const MOST_UNITS: usize = 32;
    /// Opponents that attack squares around the own king, by their number.
    pub(crate) const ATTACKERS: usize = KING_DANGER + MOST_UNITS;
    /// Own pawns next to the king.
    pub(crate) const SHIELD: usize = ATTACKERS + 4;
    /// The own king is attacked.
    pub(crate) const CHECKED: usize = SHIELD + 1;
    /// Squares the own king could go to, by their number, three and more alike.
    pub(crate) const ROOM: usize = CHECKED + 1;
    pub(crate) const MOST_ROOM: usize = 3;
    /// By how many others move before.
    pub(crate) const TURN: usize = ROOM + MOST_ROOM + 1;
    /// Squares that a queen in the own king's place would reach, own pieces aside: how open it stands.
    pub(crate) const KING_LINES: usize = TURN + 4;
    /// Squares next to the own king that own pawns, knights, bishops and rooks guard.
    pub(crate) const KING_GUARDS: usize = KING_LINES + 1;
    /// A player who has gone out, to each of the others, beyond what has gone with it. All have it alike, so that it is not
    /// counted but part of the pursuit; there is no early and late.
    pub(crate) const OUT: usize = KING_GUARDS + 1;
    pub(crate) const COUNT: usize = OUT + 1;
    /// Every group, by its first term.
    pub(crate) const GROUPS: &[(&str, usize)] = &[
        ("MATERIAL, pawn", MATERIAL),
        ("MATERIAL, knight", MATERIAL + 1),
        ("MATERIAL, bishop", MATERIAL + 2),
        ("MATERIAL, rook", MATERIAL + 3),
        ("MATERIAL, queen", MATERIAL + 4),
        ("DEPTH, pawn", DEPTH),
        ("DEPTH, knight", DEPTH + ROWS),
        ("DEPTH, bishop", DEPTH + 2 * ROWS),
        ("DEPTH, rook", DEPTH + 3 * ROWS),
        ("DEPTH, queen", DEPTH + 4 * ROWS),
        ("DEPTH, king", DEPTH + 5 * ROWS),
        ("ASIDE, pawn", ASIDE),
        ("ASIDE, knight", ASIDE + COLUMNS),
        ("ASIDE, bishop", ASIDE + 2 * COLUMNS),
        ("ASIDE, rook", ASIDE + 3 * COLUMNS),
        ("ASIDE, queen", ASIDE + 4 * COLUMNS),
        ("ASIDE, king", ASIDE + 5 * COLUMNS),
        ("REACH, knight", REACH),
        ("REACH, bishop", REACH + 1),
        ("REACH, rook", REACH + 2),
        ("REACH, queen", REACH + 3),
        ("GUARDED_PAWN", GUARDED_PAWN),
        ("BISHOP_PAIR", BISHOP_PAIR),
        ("HANGING", HANGING),
        ("PRESSED", PRESSED),
        ("TO_MOVE_HANGING", TO_MOVE_HANGING),
        ("TO_MOVE_PRESSED", TO_MOVE_PRESSED),
        ("KING_DANGER", KING_DANGER),
        ("ATTACKERS", ATTACKERS),
        ("SHIELD", SHIELD),
        ("CHECKED", CHECKED),
        ("ROOM", ROOM),
        ("TURN", TURN),
        ("KING_LINES", KING_LINES),
        ("KING_GUARDS", KING_GUARDS),
        ("OUT", OUT),
    ];
}

/// One player, as seen while counting.
struct Army<B> {
    own: B,
    by_pawns: B,
    by_minors: B,
    by_rooks: B,
    all: B,
    ring: B,
}

/// Where each place lies for each player, as the numbers of rows and columns in [`term::DEPTH`] and [`term::ASIDE`].
pub(super) struct Views {
    of: [[[u8; 2]; 256]; 4],
}

impl Views {
    pub(super) fn new<V: VariantRules>() -> Self {
        let mut of = [[[0; 2]; 256]; 4];
        for (player, color) in V::COLORS.iter().enumerate() {
            for square in V::Geometry::SHAPE.squares() {
                of[player][usize::from(V::Geometry::place(square))] = seen_from::<V>(color.side(), square);
            }
        }
        Self { of }
    }

    #[inline(always)]
    fn tally<T: Tally>(&self, player: usize, role: Role, place: u8, tally: &mut T) {
        let [row, column] = self.of[player][usize::from(place)];
        tally.add(player, term::DEPTH + role as usize * term::ROWS + usize::from(row), 1);
        tally.add(player, term::ASIDE + role as usize * term::COLUMNS + usize::from(column), 1);
    }
}

/// Rows from a player's baseline and columns from its middle.
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

/// Counts everything; returns how early it is.
pub(super) fn count<V: VariantRules, T: Tally>(position: &Position<V>, views: &Views, tally: &mut T) -> i32 {
    let occupied = position.occupied();
    let none = BitsOf::<V>::EMPTY;
    let empty = || Army { own: none, by_pawns: none, by_minors: none, by_rooks: none, all: none, ring: none };
    let mut armies: [Army<BitsOf<V>>; 4] = [empty(), empty(), empty(), empty()];
    let players = || (0..V::COLORS.len()).filter(|&player| position.is_in(player));
    let (mut every_pawn, mut every_ring) = (none, none);
    for player in players() {
        let army = &mut armies[player];
        army.own = position.owned(player);
        let pawns = position.role(Role::Pawn) & army.own;
        let [left, right] = Direction::captures(V::COLORS[player].side());
        army.by_pawns =
            (V::Geometry::step(pawns, left) | V::Geometry::step(pawns, right)) & V::Geometry::TABLES.board;
        let king = position.king(player);
        army.ring = V::Geometry::TABLES.king[usize::from(king)];
        army.all = army.by_pawns | army.ring;
        every_pawn |= army.by_pawns;
        every_ring |= army.ring;
        let guarded = (army.by_pawns & pawns).count();
        tally.add(player, term::GUARDED_PAWN, guarded as i32);
        tally.add(player, term::SHIELD, (army.ring & pawns).count() as i32);
        views.tally(player, Role::King, king, tally);
        pawns.for_each(|from| views.tally(player, Role::Pawn, from, tally));
        tally.add(player, term::MATERIAL, pawns.count() as i32);
    }
    let mut pieces = 0;
    let mut units = [[0_usize; 4]; 4];
    for player in players() {
        let own = armies[player].own;
        let free = !own & !(every_pawn & !armies[player].by_pawns);
        for (role, unit, phase) in
            [(Role::Knight, 2, 1), (Role::Bishop, 2, 1), (Role::Rook, 3, 2), (Role::Queen, 5, 4)]
        {
            let set = position.role(role) & own;
            let number = set.count() as i32;
            pieces += phase * number;
            tally.add(player, term::MATERIAL + role as usize, number);
            if role == Role::Bishop && number > 1 {
                tally.add(player, term::BISHOP_PAIR, 1);
            }
            set.for_each(|from| {
                let seen = reach::<V>(role, from, occupied);
                tally.add(player, term::REACH + role as usize - 1, (seen & free).count() as i32);
                views.tally(player, role, from, tally);
                let army = &mut armies[player];
                army.all |= seen;
                match role {
                    Role::Rook => army.by_rooks |= seen,
                    Role::Queen => {}
                    _ => army.by_minors |= seen,
                }
                if (seen & every_ring).is_empty() {
                    return;
                }
                for other in players().filter(|&other| other != player) {
                    let near = (seen & armies[other].ring).count() as usize;
                    if near > 0 {
                        units[other][player] += unit + near;
                    }
                }
            });
        }
    }
    let turn = position.turn_index();
    for (before, player) in
        (0..4).map(|after| (turn + after) % 4).filter(|&seat| position.is_in(seat)).enumerate()
    {
        tally.add(player, term::TURN + before, 1);
        let others = || players().filter(move |&other| other != player);
        let mut union = Army { ..empty() };
        for other in others() {
            union.all |= armies[other].all;
            union.by_pawns |= armies[other].by_pawns;
            union.by_minors |= armies[other].by_minors;
            union.by_rooks |= armies[other].by_rooks;
        }
        let army = &armies[player];
        let (hanging, pressed) = if player == turn {
            (term::TO_MOVE_HANGING, term::TO_MOVE_PRESSED)
        } else {
            (term::HANGING, term::PRESSED)
        };
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let set = position.role(role) & army.own;
            let lesser = match role {
                Role::Pawn => none,
                Role::Knight | Role::Bishop => union.by_pawns,
                Role::Rook => union.by_pawns | union.by_minors,
                _ => union.by_pawns | union.by_minors | union.by_rooks,
            };
            let loose = (set & union.all & !army.all & !lesser).count() as i32;
            tally.add(player, hanging + role as usize, loose);
            tally.add(player, pressed + role as usize, (set & lesser).count() as i32);
        }
        let king = position.king(player);
        let lines = reach::<V>(Role::Queen, king, occupied) & !army.own;
        tally.add(player, term::KING_LINES, lines.count() as i32);
        let guards = army.by_pawns | army.by_minors | army.by_rooks;
        tally.add(player, term::KING_GUARDS, (army.ring & guards).count() as i32);
        let room = (army.ring & !army.own & !union.all).count() as usize;
        tally.add(player, term::ROOM + room.min(term::MOST_ROOM), 1);
        let danger: usize = units[player].iter().sum();
        let attackers = units[player].iter().filter(|&&units| units > 0).count();
        tally.add(player, term::KING_DANGER + danger.min(term::MOST_UNITS - 1), 1);
        tally.add(player, term::ATTACKERS + attackers.min(3), 1);
        if union.all.has(king) {
            tally.add(player, term::CHECKED, 1);
        }
    }
    pieces.min(48) * FULL / 48
}

/// What a player who could mate has gained on the bare kings of others, beyond what stands on the board: how near they
/// are to the edge and to its own king, and how little room they have. Without it nobody would know how to go on when
/// all that is left is a queen against kings on a wide board. The king nearest to its end counts most: hunting all at
/// once mated fewer (of 200 such endings at 600 nodes a move 190 were won so).
pub(super) fn pursuit<V: VariantRules>(position: &Position<V>, player: usize, weights: &[Weight]) -> i32 {
    let gone = weights[term::OUT].late * (V::COLORS.len() as i32 - position.players_left() as i32);
    let heavy = position.role(Role::Pawn) | position.role(Role::Rook) | position.role(Role::Queen);
    if (heavy & position.owned(player)).is_empty() {
        return gone;
    }
    let bare =
        |other: &usize| *other != player && position.is_in(*other) && !position.owned(*other).has_two();
    let (mut nearest, mut all) = (0, 0);
    for other in (0..V::COLORS.len()).filter(bare) {
        let driven = driven(position, player, other);
        nearest = nearest.max(driven);
        all += driven;
    }
    gone + nearest + all / 4
}

/// How near a bare king is to being mated by a player.
fn driven<V: VariantRules>(position: &Position<V>, player: usize, other: usize) -> i32 {
    let king = position.king(other);
    let square = V::Geometry::square(king);
    let shape = V::Geometry::SHAPE;
    let off = |at: u8, size: u8| i32::from((2 * at).abs_diff(size - 1) / 2);
    let edge = off(square.file(), shape.files).max(off(square.rank(), shape.ranks));
    let hunter = V::Geometry::square(position.king(player));
    let apart = square.file().abs_diff(hunter.file()).max(square.rank().abs_diff(hunter.rank()));
    let occupied = position.occupied() & !position.owned(other);
    let mut room = 0;
    (V::Geometry::TABLES.king[usize::from(king)] & !position.role(Role::King)).for_each(|place| {
        let taken = occupied & !BitsOf::<V>::single(place);
        let attackers = position.attackers_of(place, occupied) & !position.owned(other) & taken;
        room += i32::from(attackers.is_empty());
    });
    // Without room and not in check it would be stalemated on its turn, which draws the whole game (D9).
    if room == 0 && position.checkers(other).is_empty() {
        room = 4;
    }
    20 * edge + 10 * (13 - i32::from(apart)) + 10 * (8 - room)
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{Dilkel, Move};

    use super::*;
    use crate::level::Chance;

    /// How often each player has each term.
    struct Counts([[i32; term::COUNT]; 4]);

    impl Tally for Counts {
        fn add(&mut self, player: usize, term: usize, count: i32) {
            self.0[player][term] += count;
        }
    }

    /// What is counted in positions of games by chance, each with the player to move.
    fn walk(mut look: impl FnMut(&Position<Dilkel>, usize, &Counts)) {
        let views = Views::new::<Dilkel>();
        let mut chance = Chance(7);
        for _ in 0..4 {
            let mut position = Position::<Dilkel>::start();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut counts = Counts([[0; term::COUNT]; 4]);
                count(&position, &views, &mut counts);
                look(&position, position.turn_index(), &counts);
                position.play(moves[chance.below(moves.len() as u64) as usize]);
            }
        }
    }

    #[test]
    fn the_room_of_a_king_is_how_many_squares_it_may_go_to() {
        let mut seen = [0; term::MOST_ROOM + 1];
        walk(|position, turn, counts| {
            if !position.checkers(turn).is_empty() {
                return;
            }
            let king = <Dilkel as VariantRules>::Geometry::square(position.king(turn));
            let is_step = |mv: &&Move| {
                let (from, to) = (mv.from, mv.to);
                from == king && from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank())) == 1
            };
            let expected = position.legal_moves().iter().filter(is_step).count().min(term::MOST_ROOM);
            let room = &counts.0[turn][term::ROOM..=term::ROOM + term::MOST_ROOM];
            assert_eq!((room[expected], room.iter().sum::<i32>()), (1, 1), "{}", position.setup());
            seen[expected] += 1;
        });
        assert!(seen.iter().all(|&times| times > 10), "{seen:?}");
    }

    /// Seen from the squares: those from which a queen of another would check the king at once.
    #[test]
    fn a_king_stands_as_open_as_there_are_squares_to_check_it_from() {
        let mut most = 0;
        walk(|position, turn, counts| {
            let king = BitsOf::<Dilkel>::single(position.king(turn));
            let mut open = 0;
            (<Dilkel as VariantRules>::Geometry::TABLES.board & !position.owned(turn)).for_each(|place| {
                let seen = reach::<Dilkel>(Role::Queen, place, position.occupied());
                open += i32::from(!(seen & king).is_empty());
            });
            assert_eq!(counts.0[turn][term::KING_LINES], open, "{}", position.setup());
            most = most.max(open);
        });
        assert!(most > 10, "{most}");
    }

    #[test]
    fn a_king_is_guarded_by_what_could_take_next_to_it() {
        let mut seen = [0; 9];
        walk(|position, turn, counts| {
            let own = position.owned(turn) & !position.role(Role::Queen) & !position.role(Role::King);
            let mut guarded = 0;
            <Dilkel as VariantRules>::Geometry::TABLES.king[usize::from(position.king(turn))].for_each(
                |place| {
                    let attackers = position.attackers_of(place, position.occupied());
                    guarded += i32::from(!(attackers & own).is_empty());
                },
            );
            assert_eq!(counts.0[turn][term::KING_GUARDS], guarded, "{}", position.setup());
            seen[guarded as usize] += 1;
        });
        assert!(seen.iter().filter(|&&times| times > 10).count() > 3, "{seen:?}");
    }
}
