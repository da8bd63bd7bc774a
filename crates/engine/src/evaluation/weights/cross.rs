//! What the terms of the crosses count for, early and late, in hundredths of a pawn: set by hand. Weights fitted to 700
//! games of the engine against itself won less than a third as often as these: what players of one kind have in common
//! when they win is not what makes them win.

use super::super::Weight;
use super::super::cross::term as cross;

pub(crate) static WEIGHTS: [Weight; cross::COUNT] = by_hand();

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
    all
}
