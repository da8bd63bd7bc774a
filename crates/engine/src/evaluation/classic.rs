//! What counts on the board of 8 x 8.

use quadrex_rules::geometry::{Geometry, Square8};
use quadrex_rules::movegen::reach;
use quadrex_rules::{Classic, Position, Role};

use super::{FULL, Tally};

/// The numbers of the terms.
pub(crate) mod term {
    /// By role without king.
    pub(crate) const MATERIAL: usize = 0;
    /// By role, then by rank from the own side and file from the edge: 32 each.
    pub(crate) const PLACE: usize = MATERIAL + 5;
    /// By squares within reach that no enemy pawn attacks.
    pub(crate) const KNIGHT_REACH: usize = PLACE + 6 * 32;
    pub(crate) const BISHOP_REACH: usize = KNIGHT_REACH + 9;
    pub(crate) const ROOK_REACH: usize = BISHOP_REACH + 14;
    pub(crate) const QUEEN_REACH: usize = ROOK_REACH + 15;
    pub(crate) const BISHOP_PAIR: usize = QUEEN_REACH + 28;
    pub(crate) const DOUBLED: usize = BISHOP_PAIR + 1;
    pub(crate) const ISOLATED: usize = DOUBLED + 1;
    pub(crate) const BACKWARD: usize = ISOLATED + 1;
    /// A pawn guarded by or beside another, by rank.
    pub(crate) const CONNECTED: usize = BACKWARD + 1;
    /// By rank.
    pub(crate) const PASSED: usize = CONNECTED + 8;
    /// A passed pawn with a piece before it, by rank.
    pub(crate) const PASSED_BLOCKED: usize = PASSED + 8;
    /// A passed pawn's distance from the own and from the enemy king, by distance.
    pub(crate) const PASSED_OWN_KING: usize = PASSED_BLOCKED + 8;
    pub(crate) const PASSED_ENEMY_KING: usize = PASSED_OWN_KING + 8;
    pub(crate) const ROOK_OPEN_FILE: usize = PASSED_ENEMY_KING + 8;
    pub(crate) const ROOK_HALF_OPEN_FILE: usize = ROOK_OPEN_FILE + 1;
    pub(crate) const KNIGHT_OUTPOST: usize = ROOK_HALF_OPEN_FILE + 1;
    pub(crate) const BISHOP_OUTPOST: usize = KNIGHT_OUTPOST + 1;
    /// Enemy pieces that a pawn attacks, by role; the same for minor pieces and rooks.
    pub(crate) const PAWN_THREAT: usize = BISHOP_OUTPOST + 1;
    pub(crate) const MINOR_THREAT: usize = PAWN_THREAT + 6;
    pub(crate) const ROOK_THREAT: usize = MINOR_THREAT + 6;
    /// Enemy pieces attacked and not guarded.
    pub(crate) const HANGING: usize = ROOK_THREAT + 6;
    /// How hard the enemy king is attacked, in units.
    pub(crate) const KING_ATTACK: usize = HANGING + 1;
    pub(crate) const MOST_UNITS: usize = 40;
    /// Pawns before the own king: one and two ranks ahead, by file of three.
    pub(crate) const SHIELD: usize = KING_ATTACK + MOST_UNITS;
    /// No own pawn on the king's file or one beside it.
    pub(crate) const KING_OPEN_FILE: usize = SHIELD + 2;
    pub(crate) const TO_MOVE: usize = KING_OPEN_FILE + 1;
    pub(crate) const COUNT: usize = TO_MOVE + 1;
    /// Every group, by its first term.
    pub(crate) const GROUPS: &[(&str, usize)] = &[
        ("MATERIAL", MATERIAL),
        ("PLACE", PLACE),
        ("KNIGHT_REACH", KNIGHT_REACH),
        ("BISHOP_REACH", BISHOP_REACH),
        ("ROOK_REACH", ROOK_REACH),
        ("QUEEN_REACH", QUEEN_REACH),
        ("BISHOP_PAIR", BISHOP_PAIR),
        ("DOUBLED", DOUBLED),
        ("ISOLATED", ISOLATED),
        ("BACKWARD", BACKWARD),
        ("CONNECTED", CONNECTED),
        ("PASSED", PASSED),
        ("PASSED_BLOCKED", PASSED_BLOCKED),
        ("PASSED_OWN_KING", PASSED_OWN_KING),
        ("PASSED_ENEMY_KING", PASSED_ENEMY_KING),
        ("ROOK_OPEN_FILE", ROOK_OPEN_FILE),
        ("ROOK_HALF_OPEN_FILE", ROOK_HALF_OPEN_FILE),
        ("KNIGHT_OUTPOST", KNIGHT_OUTPOST),
        ("BISHOP_OUTPOST", BISHOP_OUTPOST),
        ("PAWN_THREAT", PAWN_THREAT),
        ("MINOR_THREAT", MINOR_THREAT),
        ("ROOK_THREAT", ROOK_THREAT),
        ("HANGING", HANGING),
        ("KING_ATTACK", KING_ATTACK),
        ("SHIELD", SHIELD),
        ("KING_OPEN_FILE", KING_OPEN_FILE),
        ("TO_MOVE", TO_MOVE),
    ];
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;

/// One side, as seen while counting.
struct Side {
    pawns: u64,
    own: u64,
    king: u8,
    pawn_attacks: u64,
    attacks: u64,
    minor_attacks: u64,
    rook_attacks: u64,
    queen_attacks: u64,
    by_role: [u64; 6],
    twice: u64,
}

/// Shifts a set one rank toward the far side of a player.
const fn ahead(player: usize, set: u64) -> u64 {
    if player == 0 { set << 8 } else { set >> 8 }
}

const fn beside(set: u64) -> u64 {
    (set & !(FILE_A << 7)) << 1 | (set & !FILE_A) >> 1
}

/// Everything ahead on the same files.
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

/// The rank as seen from a player's own side, 0 to 7.
const fn rank_of(player: usize, place: u8) -> usize {
    let rank = (place >> 3) as usize;
    if player == 0 { rank } else { 7 - rank }
}

fn places(mut set: u64) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        (set != 0).then(|| {
            let place = set.trailing_zeros() as u8;
            set &= set - 1;
            place
        })
    })
}

fn distance(a: u8, b: u8) -> usize {
    let files = (a & 7).abs_diff(b & 7);
    let ranks = (a >> 3).abs_diff(b >> 3);
    usize::from(files.max(ranks))
}

fn side(position: &Position<Classic>, player: usize) -> Side {
    let own = position.owned(player);
    let pawns = position.role(Role::Pawn) & own;
    let pawn_attacks = beside(ahead(player, pawns));
    Side {
        pawns,
        own,
        king: position.king(player),
        pawn_attacks,
        attacks: pawn_attacks,
        minor_attacks: 0,
        rook_attacks: 0,
        queen_attacks: 0,
        by_role: [0; 6],
        twice: 0,
    }
}

/// Counts everything; returns how early it is.
pub(super) fn count<T: Tally>(position: &Position<Classic>, tally: &mut T) -> i32 {
    let occupied = position.occupied();
    let mut sides = [side(position, 0), side(position, 1)];
    let mut units = [0_usize; 2];
    let mut pieces = 0;
    for player in 0..2 {
        let enemy = &sides[1 - player];
        let ring = Square8::TABLES.king[usize::from(enemy.king)] | 1 << enemy.king;
        let ring = ring | ahead(1 - player, ring);
        let free = !(sides[player].pawns | enemy.pawn_attacks | 1 << sides[player].king);
        let (own, mut attacks, mut twice) = (sides[player].own, sides[player].attacks, 0);
        let king_attacks = Square8::TABLES.king[usize::from(sides[player].king)];
        twice |= attacks & king_attacks;
        attacks |= king_attacks;
        let mut by_role = [0; 6];
        by_role[Role::Pawn as usize] = sides[player].pawn_attacks;
        by_role[Role::King as usize] = king_attacks;
        for (role, table, unit) in [
            (Role::Knight, term::KNIGHT_REACH, 2),
            (Role::Bishop, term::BISHOP_REACH, 2),
            (Role::Rook, term::ROOK_REACH, 3),
            (Role::Queen, term::QUEEN_REACH, 5),
        ] {
            for place in places(position.role(role) & own) {
                // What stands behind an own piece of the same line is attacked too.
                let through = match role {
                    Role::Bishop => occupied & !(position.role(Role::Queen) & own),
                    Role::Rook => {
                        occupied & !((position.role(Role::Queen) | position.role(Role::Rook)) & own)
                    }
                    _ => occupied,
                };
                let seen = reach::<Classic>(role, place, through);
                tally.add(player, table + (seen & free).count_ones() as usize, 1);
                tally.add(player, term::MATERIAL + role as usize, 1);
                tally.add(player, placed(role, player, place), 1);
                twice |= attacks & seen;
                attacks |= seen;
                by_role[role as usize] |= seen;
                let near = (seen & ring).count_ones() as usize;
                if near > 0 {
                    units[player] += unit + near;
                }
                pieces += match role {
                    Role::Rook => 2,
                    Role::Queen => 4,
                    _ => 1,
                };
            }
        }
        let me = &mut sides[player];
        me.minor_attacks = by_role[Role::Knight as usize] | by_role[Role::Bishop as usize];
        me.rook_attacks = by_role[Role::Rook as usize];
        me.queen_attacks = by_role[Role::Queen as usize];
        (me.attacks, me.twice, me.by_role) = (attacks, twice, by_role);
    }
    for player in 0..2 {
        let (me, enemy) = (&sides[player], &sides[1 - player]);
        pawns(player, me, enemy, occupied, tally);
        rooks_and_minors(position, player, me, enemy, tally);
        threats(position, player, me, enemy, tally);
        let checks = safe_checks(position, me, enemy);
        let units = if units[player] == 0 { checks } else { units[player] + checks };
        tally.add(player, term::KING_ATTACK + units.min(term::MOST_UNITS - 1), 1);
        king(player, me, tally);
    }
    tally.add(position.turn_index(), term::TO_MOVE, 1);
    pieces.min(24) * FULL / 24
}

/// The term of a piece's place.
fn placed(role: Role, player: usize, place: u8) -> usize {
    let file = usize::from(place & 7);
    term::PLACE + role as usize * 32 + rank_of(player, place) * 4 + file.min(7 - file)
}

fn pawns<T: Tally>(player: usize, me: &Side, enemy: &Side, occupied: u64, tally: &mut T) {
    let files = |set: u64| span(0, set) | span(1, set) | set;
    for place in places(me.pawns) {
        let pawn = 1 << place;
        let rank = rank_of(player, place);
        tally.add(player, term::MATERIAL + Role::Pawn as usize, 1);
        tally.add(player, placed(Role::Pawn, player, place), 1);
        if me.pawns & span(player, pawn) != 0 {
            tally.add(player, term::DOUBLED, 1);
        }
        let neighbours = me.pawns & files(beside(pawn));
        let guarded = me.pawn_attacks & pawn != 0;
        if neighbours == 0 {
            tally.add(player, term::ISOLATED, 1);
        } else if guarded || me.pawns & beside(pawn) != 0 {
            tally.add(player, term::CONNECTED + rank, 1);
        } else if enemy.pawn_attacks & ahead(player, pawn) != 0
            && neighbours & (span(1 - player, beside(pawn)) | beside(pawn)) == 0
        {
            tally.add(player, term::BACKWARD, 1);
        }
        let way = span(player, pawn);
        let is_passed = (way | beside(way)) & enemy.pawns == 0 && way & me.pawns == 0;
        if is_passed {
            tally.add(player, term::PASSED + rank, 1);
            if ahead(player, pawn) & occupied != 0 {
                tally.add(player, term::PASSED_BLOCKED + rank, 1);
            }
            if rank >= 3 {
                let stop = (ahead(player, pawn)).trailing_zeros() as u8;
                let weight = rank as i32 - 2;
                tally.add(player, term::PASSED_OWN_KING + distance(me.king, stop), weight);
                tally.add(player, term::PASSED_ENEMY_KING + distance(enemy.king, stop), weight);
            }
        }
    }
}

fn rooks_and_minors<T: Tally>(
    position: &Position<Classic>,
    player: usize,
    me: &Side,
    enemy: &Side,
    tally: &mut T,
) {
    let bishops = position.role(Role::Bishop) & me.own;
    if bishops & LIGHT != 0 && bishops & !LIGHT != 0 {
        tally.add(player, term::BISHOP_PAIR, 1);
    }
    for place in places(position.role(Role::Rook) & me.own) {
        let file = FILE_A << (place & 7);
        if me.pawns & file == 0 {
            let term = if enemy.pawns & file == 0 { term::ROOK_OPEN_FILE } else { term::ROOK_HALF_OPEN_FILE };
            tally.add(player, term, 1);
        }
    }
    // Where no enemy pawn can ever attack, and an own one guards.
    let middle: u64 = if player == 0 { 0x00ff_ffff_0000_0000 >> 8 } else { 0x0000_00ff_ffff_0000 };
    let safe = me.pawn_attacks & middle & !beside(span(1 - player, enemy.pawns));
    let outposts = |role: Role| (position.role(role) & me.own & safe).count_ones() as i32;
    tally.add(player, term::KNIGHT_OUTPOST, outposts(Role::Knight));
    tally.add(player, term::BISHOP_OUTPOST, outposts(Role::Bishop));
}

fn threats<T: Tally>(position: &Position<Classic>, player: usize, me: &Side, enemy: &Side, tally: &mut T) {
    for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let targets = position.role(role) & enemy.own;
        let attacked = |attacks: u64| (targets & attacks).count_ones() as i32;
        if role != Role::Pawn {
            tally.add(player, term::PAWN_THREAT + role as usize, attacked(me.pawn_attacks));
        }
        let loose = !enemy.pawn_attacks;
        tally.add(player, term::MINOR_THREAT + role as usize, attacked(me.minor_attacks & loose));
        tally.add(player, term::ROOK_THREAT + role as usize, attacked(me.rook_attacks & loose));
    }
    let hanging = enemy.own & me.attacks & !enemy.attacks & !(1 << enemy.king);
    tally.add(player, term::HANGING, hanging.count_ones() as i32);
}

/// Units for squares from which a piece could check without being taken at once.
fn safe_checks(position: &Position<Classic>, me: &Side, enemy: &Side) -> usize {
    let occupied = position.occupied();
    let safe = !me.own & (!enemy.attacks | me.twice & !enemy.twice & !enemy.pawn_attacks);
    let bishop = Square8::bishop(enemy.king, occupied);
    let rook = Square8::rook(enemy.king, occupied);
    let knight = Square8::TABLES.knight[usize::from(enemy.king)];
    let mut units = 0;
    for (from, attacks, unit) in [
        (knight, me.by_role[Role::Knight as usize], 4),
        (bishop, me.by_role[Role::Bishop as usize], 3),
        (rook, me.rook_attacks, 5),
        (bishop | rook, me.queen_attacks, 4),
    ] {
        if from & attacks & safe != 0 {
            units += unit;
        }
    }
    units
}

fn king<T: Tally>(player: usize, me: &Side, tally: &mut T) {
    let king = 1 << me.king;
    let files = king | beside(king);
    let near = ahead(player, files);
    tally.add(player, placed(Role::King, player, me.king), 1);
    tally.add(player, term::SHIELD, (near & me.pawns).count_ones() as i32);
    tally.add(player, term::SHIELD + 1, (ahead(player, near) & me.pawns).count_ones() as i32);
    for place in places(files) {
        if FILE_A << (place & 7) & me.pawns == 0 {
            tally.add(player, term::KING_OPEN_FILE, 1);
        }
    }
}

/// Brings the values nearer to each other where material that looks like an advantage seldom wins, and drives a bare
/// king to the edge.
pub(super) fn scale(position: &Position<Classic>, white: &mut i32, black: &mut i32) {
    let ahead_player = usize::from(*black > *white);
    let lead = (*white - *black).abs();
    let [strong, weak] = [ahead_player, 1 - ahead_player].map(|player| position.owned(player));
    let [pawns, knights, bishops, rooks, queens] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(|role| position.role(role));
    let worth = |set: u64| {
        3 * ((knights | bishops) & set).count_ones()
            + 5 * (rooks & set).count_ones()
            + 9 * (queens & set).count_ones()
    };
    let mut lead_scaled = lead;
    if pawns & strong == 0 {
        let (mine, theirs) = (worth(strong), worth(weak));
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
    if weak & !(1 << position.king(1 - ahead_player)) == 0 && worth(strong) >= 5 {
        let (winner, loser) = (position.king(ahead_player), position.king(1 - ahead_player));
        let (file, rank) = (i32::from(loser & 7), i32::from(loser >> 3));
        let edge = (2 * file - 7).abs().max((2 * rank - 7).abs());
        let corner = (2 * file - 7).abs() + (2 * rank - 7).abs();
        lead_scaled += 10 * edge + 5 * corner + 8 * (14 - distance(winner, loser) as i32);
    }
    let change = lead_scaled - lead;
    if ahead_player == 0 { *white += change } else { *black += change }
}
