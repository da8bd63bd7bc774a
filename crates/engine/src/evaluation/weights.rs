//! What the terms count for.

use super::Weight;
use super::classic::term as classic;
use super::cross::term as cross;

/// Of `classic`.
pub(crate) static CLASSIC: [Weight; classic::COUNT] = first_classic();

/// Of the crosses.
pub(crate) static CROSS: [Weight; cross::COUNT] = first_cross();

const fn w(early: i32, late: i32) -> Weight {
    Weight::new(early, late)
}

const fn first_classic() -> [Weight; classic::COUNT] {
    let mut all = [w(0, 0); classic::COUNT];
    let material = [w(85, 105), w(330, 310), w(345, 325), w(470, 540), w(980, 1000)];
    let mut role = 0;
    while role < 5 {
        all[classic::MATERIAL + role] = material[role];
        role += 1;
    }
    // Nearer the middle is better; pawns are better far ahead; the king hides early and comes out late.
    let pull = [w(3, 0), w(10, 6), w(5, 4), w(3, 1), w(1, 6), w(-12, 12)];
    role = 0;
    while role < 6 {
        let mut rank = 0;
        while rank < 8 {
            let mut file = 0;
            while file < 4 {
                let from_middle = if rank < 4 { 3 - rank } else { rank - 4 };
                let center = file as i32 - 2 + 2 - from_middle as i32;
                let mut weight = w(pull[role].early * center, pull[role].late * center);
                if role == 0 {
                    weight = w(3 * file as i32 + 2 * rank as i32 - 6, 5 * rank as i32 - 10);
                }
                if role == 5 {
                    weight = w(weight.early - 14 * rank as i32 + 12, weight.late);
                }
                all[classic::PLACE + role * 32 + rank * 4 + file] = weight;
                file += 1;
            }
            rank += 1;
        }
        role += 1;
    }
    let reaches = [
        (classic::KNIGHT_REACH, 9, 4, w(5, 5)),
        (classic::BISHOP_REACH, 14, 6, w(5, 5)),
        (classic::ROOK_REACH, 15, 7, w(3, 5)),
        (classic::QUEEN_REACH, 28, 12, w(1, 3)),
    ];
    let mut index = 0;
    while index < 4 {
        let (first, count, usual, weight) = reaches[index];
        let mut seen = 0;
        while seen < count {
            let more = seen as i32 - usual;
            all[first + seen] = w(weight.early * more, weight.late * more);
            seen += 1;
        }
        index += 1;
    }
    all[classic::BISHOP_PAIR] = w(30, 50);
    all[classic::DOUBLED] = w(-8, -20);
    all[classic::ISOLATED] = w(-10, -14);
    all[classic::BACKWARD] = w(-8, -10);
    let mut rank = 1;
    while rank < 7 {
        let rows = rank as i32;
        all[classic::CONNECTED + rank] = w(3 + rows * rows, 2 + rows * rows);
        all[classic::PASSED + rank] = w(2 * rows * rows, 10 + 4 * rows * rows);
        all[classic::PASSED_BLOCKED + rank] = w(-rows, -2 * rows * rows);
        rank += 1;
    }
    let mut far = 0;
    while far < 8 {
        all[classic::PASSED_OWN_KING + far] = w(0, -3 * far as i32);
        all[classic::PASSED_ENEMY_KING + far] = w(0, 5 * far as i32);
        far += 1;
    }
    all[classic::ROOK_OPEN_FILE] = w(28, 8);
    all[classic::ROOK_HALF_OPEN_FILE] = w(12, 8);
    all[classic::KNIGHT_OUTPOST] = w(25, 14);
    all[classic::BISHOP_OUTPOST] = w(15, 6);
    let mut role = 1;
    while role < 5 {
        all[classic::PAWN_THREAT + role] = w(50, 35);
        role += 1;
    }
    let minor = [w(4, 8), w(25, 20), w(25, 20), w(45, 35), w(40, 40)];
    let rook = [w(2, 8), w(15, 15), w(15, 15), w(5, 10), w(40, 30)];
    role = 0;
    while role < 5 {
        all[classic::MINOR_THREAT + role] = minor[role];
        all[classic::ROOK_THREAT + role] = rook[role];
        role += 1;
    }
    all[classic::HANGING] = w(25, 15);
    let mut units = 0;
    while units < classic::MOST_UNITS {
        let danger = (units * units) as i32 / 3;
        all[classic::KING_ATTACK + units] = w(if danger > 300 { 300 } else { danger }, units as i32);
        units += 1;
    }
    all[classic::SHIELD] = w(14, 0);
    all[classic::SHIELD + 1] = w(8, 0);
    all[classic::KING_OPEN_FILE] = w(-14, 0);
    all[classic::TO_MOVE] = w(18, 12);
    all
}

const fn first_cross() -> [Weight; cross::COUNT] {
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
