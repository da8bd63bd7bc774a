//! What the terms of the crosses count for, early and late, in hundredths of a pawn.
//!
//! [`BASIC`] is set by hand. [`WEIGHTS`] is moved from there by what games told in which every player had each group of terms
//! larger or smaller by lot (`cargo xtask bench engine -- tune`): first 3,000 games of 1,000 and 1,500 positions a move, then
//! 1,300 of 1,500, in which new terms were there or not. One player with nearly what the first round told, against three with
//! the weights set by hand, had 36.7 +-5.7 % of the first places of 250 games; with nearly what the second told besides,
//! against three with what the first had told, 34.4 +-7.9 % of 140 games of 3,000 positions a move.
//!
//! Clear were: pawns that stay behind, a king that stands closed and guarded, less for bishops, for pairs of them and for what
//! pieces reach, less for others who go out. To give still less for pawns that advance and pieces that come out would win a little
//! more, but four who play so wait for each other, and their games last half as long again.
//!
//! Weights fitted to the outcomes of games, as those of `classic` are, won less than a third as often as those set by hand:
//! what players of one kind have in common when they win is not what makes them win.

use super::super::Weight;
use super::super::cross::term as cross;

/// What plays best.
pub(crate) static WEIGHTS: [Weight; cross::COUNT] = measured();

/// What a lower level goes by.
pub(crate) static BASIC: [Weight; cross::COUNT] = by_hand();

const fn w(early: i32, late: i32) -> Weight {
    Weight { early, late }
}

const fn by_hand() -> [Weight; cross::COUNT] {
    let mut all = [w(0, 0); cross::COUNT];
    let material = [w(100, 110), w(300, 300), w(380, 380), w(500, 540), w(1000, 1050)];
    let mut role = 0;
    while role < 5 {
        all[cross::MATERIAL + role] = material[role];
        role += 1;
    }
    let mut depth = 0;
    while depth < cross::ROWS {
        let rows = depth as i32;
        // Pawns are to promote, pieces to come out, kings to stay.
        all[cross::DEPTH + depth] = w(rows * rows, 2 * rows * rows);
        let out = if rows == 0 {
            -12
        } else if rows < 7 {
            3 * rows
        } else {
            18
        };
        all[cross::DEPTH + cross::ROWS + depth] = w(out, out);
        all[cross::DEPTH + 2 * cross::ROWS + depth] = w(out, out);
        all[cross::DEPTH + 5 * cross::ROWS + depth] = w(-15 * rows, 0);
        depth += 1;
    }
    let mut aside = 0;
    while aside < cross::COLUMNS {
        let columns = aside as i32;
        all[cross::ASIDE + cross::COLUMNS + aside] = w(-4 * columns, -2 * columns);
        all[cross::ASIDE + 2 * cross::COLUMNS + aside] = w(-2 * columns, -columns);
        aside += 1;
    }
    let reach = [w(5, 5), w(5, 5), w(2, 4), w(1, 3)];
    role = 0;
    while role < 4 {
        all[cross::REACH + role] = reach[role];
        role += 1;
    }
    all[cross::GUARDED_PAWN] = w(8, 8);
    all[cross::BISHOP_PAIR] = w(20, 30);
    let worth = [100, 300, 380, 500, 1000];
    role = 0;
    while role < 5 {
        all[cross::HANGING + role] = w(-worth[role] / 3, -worth[role] / 3);
        all[cross::PRESSED + role] = w(-worth[role] / 5, -worth[role] / 5);
        all[cross::TO_MOVE_HANGING + role] = w(-worth[role] / 20, -worth[role] / 20);
        all[cross::TO_MOVE_PRESSED + role] = w(-worth[role] / 20, -worth[role] / 20);
        role += 1;
    }
    let mut units = 0;
    while units < cross::MOST_UNITS {
        all[cross::KING_DANGER + units] = w(-((units * units) as i32) / 2, -(units as i32) * 2);
        units += 1;
    }
    all[cross::ATTACKERS + 2] = w(-20, -10);
    all[cross::ATTACKERS + 3] = w(-50, -20);
    all[cross::SHIELD] = w(14, 2);
    all[cross::CHECKED] = w(-40, -30);
    all[cross::TURN] = w(15, 10);
    all[cross::OUT] = w(300, 300);
    all
}

const fn measured() -> [Weight; cross::COUNT] {
    let mut all = by_hand();
    all[cross::MATERIAL + 1] = w(318, 318);
    all[cross::MATERIAL + 2] = w(361, 361);
    all[cross::MATERIAL + 4] = w(1092, 1145);
    let mut depth = 0;
    while depth < cross::ROWS {
        let rows = depth as i32;
        let out = if rows < 7 { rows } else { 7 };
        let minor = if rows == 0 { -10 } else { 5 * if rows < 6 { rows } else { 6 } / 2 };
        // Rooks and queens are to stay where nobody hunts them; kings come out late.
        let of_role = [
            w(rows * rows * 7 / 10, rows * rows * 8 / 5),
            w(minor, minor),
            w(minor, minor),
            w(-out * 2 / 5, 0),
            w(-out * 9 / 5, 0),
            w(-17 * rows, 3 * out),
        ];
        let mut role = 0;
        while role < of_role.len() {
            all[cross::DEPTH + role * cross::ROWS + depth] = of_role[role];
            role += 1;
        }
        depth += 1;
    }
    let mut aside = 0;
    while aside < cross::COLUMNS {
        let columns = aside as i32;
        let heavy = w(-columns * 5 / 2, -columns);
        let of_role = [w(-8 * columns, -4 * columns), w(-4 * columns, -2 * columns), heavy, heavy];
        let mut role = 0;
        while role < of_role.len() {
            all[cross::ASIDE + (role + 1) * cross::COLUMNS + aside] = of_role[role];
            role += 1;
        }
        aside += 1;
    }
    let reach = [w(4, 4), w(4, 4), w(2, 3), w(1, 2)];
    let mut role = 0;
    while role < 4 {
        all[cross::REACH + role] = reach[role];
        role += 1;
    }
    all[cross::GUARDED_PAWN] = w(11, 11);
    all[cross::BISHOP_PAIR] = w(12, 18);
    role = 0;
    while role < 5 {
        let pressed = all[cross::PRESSED + role];
        all[cross::PRESSED + role] = w(pressed.early * 7 / 5, pressed.late * 7 / 5);
        role += 1;
    }
    let mut units = 0;
    while units < cross::MOST_UNITS {
        let danger = units as i32;
        all[cross::KING_DANGER + units] = w(-danger * danger * 7 / 8, -danger * 7 / 2);
        units += 1;
    }
    all[cross::ATTACKERS + 2] = w(-36, -18);
    all[cross::ATTACKERS + 3] = w(-90, -36);
    all[cross::SHIELD] = w(22, 3);
    all[cross::CHECKED] = w(-97, -73);
    all[cross::ROOM] = w(-44, -44);
    all[cross::ROOM + 1] = w(-16, -16);
    all[cross::ROOM + 2] = w(-5, -5);
    all[cross::TURN] = w(21, 14);
    all[cross::KING_LINES] = w(-4, 0);
    all[cross::KING_GUARDS] = w(6, 2);
    all[cross::OUT] = w(170, 170);
    all
}
