//! The evaluation terms of the 8 x 8 board.

pub(crate) mod term;

use quadrex_rules::geometry::{Geometry, Square8};
use quadrex_rules::movegen::reach;
use quadrex_rules::{Classic, Position, Role};

use super::{PHASE_MAX, TermCounter};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;

/// One player's pieces and the squares they attack.
struct Army {
    pawns: u64,
    pieces: u64,
    king: u8,
    pawn_attacks: u64,
    attacks: u64,
    minor_attacks: u64,
    rook_attacks: u64,
    queen_attacks: u64,
    attacks_by_role: [u64; 6],
    twice: u64,
}

/// Returns a set of squares moved one rank forward, from the player's view.
const fn ahead(player: usize, set: u64) -> u64 {
    if player == 0 { set << 8 } else { set >> 8 }
}

/// Returns the squares left and right of a set.
const fn beside(set: u64) -> u64 {
    (set & !(FILE_A << 7)) << 1 | (set & !FILE_A) >> 1
}

/// Returns all squares in front of the squares of a set, on the same files.
const fn span(player: usize, set: u64) -> u64 {
    let mut set = ahead(player, set);
    if player == 0 {
        set |= set << 8;
        set |= set << 16;
        set |= set << 32;
    } else {
        set |= set >> 8;
        set |= set >> 16;
        set |= set >> 32;
    }
    set
}

/// Returns the rank of a square as a player sees it, 0 to 7.
const fn rank_of(player: usize, square: u8) -> usize {
    let rank = (square >> 3) as usize;
    if player == 0 { rank } else { 7 - rank }
}

fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            square
        })
    })
}

fn distance(a: u8, b: u8) -> usize {
    let files = (a & 7).abs_diff(b & 7);
    let ranks = (a >> 3).abs_diff(b >> 3);
    usize::from(files.max(ranks))
}

fn army(position: &Position<Classic>, player: usize) -> Army {
    let own_pieces = position.owned(player);
    let pawns = position.role(Role::Pawn) & own_pieces;
    let pawn_attacks = beside(ahead(player, pawns));
    Army {
        pawns,
        pieces: own_pieces,
        king: position.king(player),
        pawn_attacks,
        attacks: pawn_attacks,
        minor_attacks: 0,
        rook_attacks: 0,
        queen_attacks: 0,
        attacks_by_role: [0; 6],
        twice: 0,
    }
}

/// Counts all terms and returns the game phase.
pub(super) fn count<T: TermCounter>(position: &Position<Classic>, counter: &mut T) -> i32 {
    let occupied = position.occupied();
    let mut armies = [army(position, 0), army(position, 1)];
    let mut units = [0_usize; 2];
    let mut phase = 0;
    for player in 0..2 {
        let enemy = &armies[1 - player];
        let ring = Square8::TABLES.king[usize::from(enemy.king)] | 1 << enemy.king;
        let ring = ring | ahead(1 - player, ring);
        let mobility_area = !(armies[player].pawns | enemy.pawn_attacks | 1 << armies[player].king);
        let (own_pieces, mut attacks, mut twice) = (armies[player].pieces, armies[player].attacks, 0);
        let king_attacks = Square8::TABLES.king[usize::from(armies[player].king)];
        twice |= attacks & king_attacks;
        attacks |= king_attacks;
        let mut attacks_by_role = [0; 6];
        attacks_by_role[Role::Pawn as usize] = armies[player].pawn_attacks;
        attacks_by_role[Role::King as usize] = king_attacks;
        for (role, table, unit) in [
            (Role::Knight, term::KNIGHT_MOBILITY, 2),
            (Role::Bishop, term::BISHOP_MOBILITY, 2),
            (Role::Rook, term::ROOK_MOBILITY, 3),
            (Role::Queen, term::QUEEN_MOBILITY, 5),
        ] {
            for square in squares(position.role(role) & own_pieces) {
                // An attack also goes through an own piece that moves along the same line.
                let through = match role {
                    Role::Bishop => occupied & !(position.role(Role::Queen) & own_pieces),
                    Role::Rook => {
                        occupied & !((position.role(Role::Queen) | position.role(Role::Rook)) & own_pieces)
                    }
                    _ => occupied,
                };
                let attacked = reach::<Classic>(role, square, through);
                counter.add(player, table + (attacked & mobility_area).count_ones() as usize, 1);
                counter.add(player, term::MATERIAL + role as usize, 1);
                counter.add(player, piece_square(role, player, square), 1);
                twice |= attacks & attacked;
                attacks |= attacked;
                attacks_by_role[role as usize] |= attacked;
                let ring_attack_count = (attacked & ring).count_ones() as usize;
                if ring_attack_count > 0 {
                    units[player] += unit + ring_attack_count;
                }
                phase += match role {
                    Role::Rook => 2,
                    Role::Queen => 4,
                    _ => 1,
                };
            }
        }
        let me = &mut armies[player];
        me.minor_attacks = attacks_by_role[Role::Knight as usize] | attacks_by_role[Role::Bishop as usize];
        me.rook_attacks = attacks_by_role[Role::Rook as usize];
        me.queen_attacks = attacks_by_role[Role::Queen as usize];
        (me.attacks, me.twice, me.attacks_by_role) = (attacks, twice, attacks_by_role);
    }
    for player in 0..2 {
        let (me, enemy) = (&armies[player], &armies[1 - player]);
        count_pawns(player, me, enemy, occupied, counter);
        count_rooks_and_minors(position, player, me, enemy, counter);
        count_threats(position, player, me, enemy, counter);
        let checks = safe_checks(position, me, enemy);
        let units = if units[player] == 0 { checks } else { units[player] + checks };
        counter.add(player, term::KING_ATTACK + units.min(term::MAX_UNITS - 1), 1);
        count_king(player, me, counter);
    }
    counter.add(position.turn_index(), term::TEMPO, 1);
    phase.min(24) * PHASE_MAX / 24
}

/// Returns the piece-square term of a piece.
fn piece_square(role: Role, player: usize, square: u8) -> usize {
    let file = usize::from(square & 7);
    term::PIECE_SQUARE + role as usize * 32 + rank_of(player, square) * 4 + file.min(7 - file)
}

/// Counts the terms of a player's pawns.
fn count_pawns<T: TermCounter>(player: usize, me: &Army, enemy: &Army, occupied: u64, counter: &mut T) {
    let files = |set: u64| span(0, set) | span(1, set) | set;
    for square in squares(me.pawns) {
        let pawn = 1 << square;
        let rank = rank_of(player, square);
        counter.add(player, term::MATERIAL + Role::Pawn as usize, 1);
        counter.add(player, piece_square(Role::Pawn, player, square), 1);
        if me.pawns & span(player, pawn) != 0 {
            counter.add(player, term::DOUBLED, 1);
        }
        let neighbors = me.pawns & files(beside(pawn));
        let guarded = me.pawn_attacks & pawn != 0;
        if neighbors == 0 {
            counter.add(player, term::ISOLATED, 1);
        } else if guarded || me.pawns & beside(pawn) != 0 {
            counter.add(player, term::CONNECTED + rank, 1);
        } else if enemy.pawn_attacks & ahead(player, pawn) != 0
            && neighbors & (span(1 - player, beside(pawn)) | beside(pawn)) == 0
        {
            counter.add(player, term::BACKWARD, 1);
        }
        let way = span(player, pawn);
        let is_passed = (way | beside(way)) & enemy.pawns == 0 && way & me.pawns == 0;
        if is_passed {
            counter.add(player, term::PASSED + rank, 1);
            if ahead(player, pawn) & occupied != 0 {
                counter.add(player, term::PASSED_BLOCKED + rank, 1);
            }
            if rank >= 3 {
                let stop = (ahead(player, pawn)).trailing_zeros() as u8;
                let weight = rank as i32 - 2;
                counter.add(player, term::PASSED_OWN_KING + distance(me.king, stop), weight);
                counter.add(player, term::PASSED_ENEMY_KING + distance(enemy.king, stop), weight);
            }
        }
    }
}

/// Counts rooks on open files, the bishop pair and outposts.
fn count_rooks_and_minors<T: TermCounter>(
    position: &Position<Classic>,
    player: usize,
    me: &Army,
    enemy: &Army,
    counter: &mut T,
) {
    let bishops = position.role(Role::Bishop) & me.pieces;
    if bishops & LIGHT != 0 && bishops & !LIGHT != 0 {
        counter.add(player, term::BISHOP_PAIR, 1);
    }
    for square in squares(position.role(Role::Rook) & me.pieces) {
        let file = FILE_A << (square & 7);
        if me.pawns & file == 0 {
            let term = if enemy.pawns & file == 0 { term::ROOK_OPEN_FILE } else { term::ROOK_HALF_OPEN_FILE };
            counter.add(player, term, 1);
        }
    }
    // The squares that an own pawn protects and that no enemy pawn can ever attack.
    let middle: u64 = if player == 0 { 0x00ff_ffff_0000_0000 >> 8 } else { 0x0000_00ff_ffff_0000 };
    let safe = me.pawn_attacks & middle & !beside(span(1 - player, enemy.pawns));
    let outposts = |role: Role| (position.role(role) & me.pieces & safe).count_ones() as i32;
    counter.add(player, term::KNIGHT_OUTPOST, outposts(Role::Knight));
    counter.add(player, term::BISHOP_OUTPOST, outposts(Role::Bishop));
}

/// Counts the enemy pieces that are attacked.
fn count_threats<T: TermCounter>(
    position: &Position<Classic>,
    player: usize,
    me: &Army,
    enemy: &Army,
    counter: &mut T,
) {
    for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let targets = position.role(role) & enemy.pieces;
        let attacked = |attacks: u64| (targets & attacks).count_ones() as i32;
        if role != Role::Pawn {
            counter.add(player, term::PAWN_THREAT + role as usize, attacked(me.pawn_attacks));
        }
        let not_pawn_defended = !enemy.pawn_attacks;
        counter.add(
            player,
            term::MINOR_THREAT + role as usize,
            attacked(me.minor_attacks & not_pawn_defended),
        );
        counter.add(player, term::ROOK_THREAT + role as usize, attacked(me.rook_attacks & not_pawn_defended));
    }
    let hanging = enemy.pieces & me.attacks & !enemy.attacks & !(1 << enemy.king);
    counter.add(player, term::HANGING, hanging.count_ones() as i32);
}

/// Returns the attack units for squares from which a piece could check without being captured at
/// once.
fn safe_checks(position: &Position<Classic>, me: &Army, enemy: &Army) -> usize {
    let occupied = position.occupied();
    let safe = !me.pieces & (!enemy.attacks | me.twice & !enemy.twice & !enemy.pawn_attacks);
    let bishop = Square8::bishop(enemy.king, occupied);
    let rook = Square8::rook(enemy.king, occupied);
    let knight = Square8::TABLES.knight[usize::from(enemy.king)];
    let mut units = 0;
    for (from, attacks, unit) in [
        (knight, me.attacks_by_role[Role::Knight as usize], 4),
        (bishop, me.attacks_by_role[Role::Bishop as usize], 3),
        (rook, me.rook_attacks, 5),
        (bishop | rook, me.queen_attacks, 4),
    ] {
        if from & attacks & safe != 0 {
            units += unit;
        }
    }
    units
}

/// Counts the terms of a player's king.
fn count_king<T: TermCounter>(player: usize, me: &Army, counter: &mut T) {
    let king = 1 << me.king;
    let king_and_sides = king | beside(king);
    let shield_squares = ahead(player, king_and_sides);
    counter.add(player, piece_square(Role::King, player, me.king), 1);
    counter.add(player, term::PAWN_SHIELD, (shield_squares & me.pawns).count_ones() as i32);
    counter.add(
        player,
        term::PAWN_SHIELD + 1,
        (ahead(player, shield_squares) & me.pawns).count_ones() as i32,
    );
    for square in squares(king_and_sides) {
        if FILE_A << (square & 7) & me.pawns == 0 {
            counter.add(player, term::KING_OPEN_FILE, 1);
        }
    }
}

/// Adjusts the values of end games. In an end game that the player who is ahead can seldom win, the
/// difference of the two players' values is reduced. A bonus is added for driving a bare king to
/// the edge.
pub(super) fn scale(position: &Position<Classic>, white: &mut i32, black: &mut i32) {
    let ahead_player = usize::from(*black > *white);
    let lead = (*white - *black).abs();
    let [strong, weak] = [ahead_player, 1 - ahead_player].map(|player| position.owned(player));
    let [pawns, knights, bishops, rooks, queens] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(|role| position.role(role));
    let material = |set: u64| {
        3 * ((knights | bishops) & set).count_ones()
            + 5 * (rooks & set).count_ones()
            + 9 * (queens & set).count_ones()
    };
    let mut lead_scaled = lead;
    if pawns & strong == 0 {
        let (mine, theirs) = (material(strong), material(weak));
        if mine <= 3 || knights & strong == strong & !(1 << position.king(ahead_player)) && mine <= 6 {
            lead_scaled = lead / 16;
        } else if mine <= theirs + 3 {
            lead_scaled = lead / 4;
        }
    } else if knights | rooks | queens == 0
        && (bishops & strong).count_ones() == 1
        && (bishops & weak).count_ones() == 1
        && (bishops & LIGHT).count_ones() == 1
    {
        lead_scaled = lead / 2;
    }
    if weak & !(1 << position.king(1 - ahead_player)) == 0 && material(strong) >= 5 {
        let (winner, loser) = (position.king(ahead_player), position.king(1 - ahead_player));
        let (file, rank) = (i32::from(loser & 7), i32::from(loser >> 3));
        let edge = (2 * file - 7).abs().max((2 * rank - 7).abs());
        let corner = (2 * file - 7).abs() + (2 * rank - 7).abs();
        lead_scaled += 10 * edge + 5 * corner + 8 * (14 - distance(winner, loser) as i32);
    }
    let change = lead_scaled - lead;
    if ahead_player == 0 { *white += change } else { *black += change }
}
