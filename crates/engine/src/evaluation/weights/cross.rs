//! The weights of the terms of `cross` in the opening and in the end game, in centipawns.
//!
//! [`BASIC`] was set by hand. [`WEIGHTS`] was tuned from it in two rounds of games, in which each
//! group of weights of each player was enlarged or reduced at random (`cargo xtask bench engine --
//! tune`). The first round had 3,000 games with 1,000 and 1,500 nodes a move. The second round had
//! 1,300 games with 1,500 nodes, in which new terms were switched on or off as well. A player with
//! the weights of the first round, against three players with the weights set by hand, reached 36.7
//! +-5.7 % of first places in 250 games. A player with the weights of the second round, against
//! three players with the weights of the first round, reached 34.4 +-7.9 % in 140 games with 3,000
//! nodes a move.
//!
//! Clear improvements were: pawns that stay back, a king that is enclosed and defended, less value
//! for bishops, bishop pairs and mobility, and a smaller bonus for eliminations. With still less
//! value for advanced pawns and pieces, a player would win a little more often, but four such
//! players wait for each other, and their games last 1.5 times as long.
//!
//! Weights that were fitted to game results, like the weights of `classic`, won less than a third
//! as often as the weights set by hand. The features that winners of games between equal players
//! have in common are not the features that make them win.

use super::super::Weight;
use super::super::cross::term as cross;

/// The tuned weights, of full strength.
pub(crate) static WEIGHTS: [Weight; cross::COUNT] = measured();

/// The weights set by hand. All levels below the highest use them.
pub(crate) static BASIC: [Weight; cross::COUNT] = by_hand();

const fn w(opening: i32, endgame: i32) -> Weight {
    Weight { opening, endgame }
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
    while depth < cross::RANKS {
        let rows = depth as i32;
        // Pawns should advance, pieces should be developed, kings should stay.
        all[cross::RANK + depth] = w(rows * rows, 2 * rows * rows);
        let out = if rows == 0 {
            -12
        } else if rows < 7 {
            3 * rows
        } else {
            18
        };
        all[cross::RANK + cross::RANKS + depth] = w(out, out);
        all[cross::RANK + 2 * cross::RANKS + depth] = w(out, out);
        all[cross::RANK + 5 * cross::RANKS + depth] = w(-15 * rows, 0);
        depth += 1;
    }
    let mut aside = 0;
    while aside < cross::FILES {
        let columns = aside as i32;
        all[cross::FILE + cross::FILES + aside] = w(-4 * columns, -2 * columns);
        all[cross::FILE + 2 * cross::FILES + aside] = w(-2 * columns, -columns);
        aside += 1;
    }
    let reach = [w(5, 5), w(5, 5), w(2, 4), w(1, 3)];
    role = 0;
    while role < 4 {
        all[cross::MOBILITY + role] = reach[role];
        role += 1;
    }
    all[cross::PROTECTED_PAWN] = w(8, 8);
    all[cross::BISHOP_PAIR] = w(20, 30);
    let worth = [100, 300, 380, 500, 1000];
    role = 0;
    while role < 5 {
        all[cross::HANGING + role] = w(-worth[role] / 3, -worth[role] / 3);
        all[cross::THREATENED + role] = w(-worth[role] / 5, -worth[role] / 5);
        all[cross::TO_MOVE_HANGING + role] = w(-worth[role] / 20, -worth[role] / 20);
        all[cross::TO_MOVE_THREATENED + role] = w(-worth[role] / 20, -worth[role] / 20);
        role += 1;
    }
    let mut units = 0;
    while units < cross::MAX_UNITS {
        all[cross::KING_DANGER + units] = w(-((units * units) as i32) / 2, -(units as i32) * 2);
        units += 1;
    }
    all[cross::KING_ATTACKERS + 2] = w(-20, -10);
    all[cross::KING_ATTACKERS + 3] = w(-50, -20);
    all[cross::PAWN_SHIELD] = w(14, 2);
    all[cross::IN_CHECK] = w(-40, -30);
    all[cross::TURN_ORDER] = w(15, 10);
    all[cross::ELIMINATION] = w(300, 300);
    all
}

const fn measured() -> [Weight; cross::COUNT] {
    let mut all = by_hand();
    all[cross::MATERIAL + 1] = w(318, 318);
    all[cross::MATERIAL + 2] = w(361, 361);
    all[cross::MATERIAL + 4] = w(1092, 1145);
    let mut depth = 0;
    while depth < cross::RANKS {
        let rows = depth as i32;
        let out = if rows < 7 { rows } else { 7 };
        let minor = if rows == 0 { -10 } else { 5 * if rows < 6 { rows } else { 6 } / 2 };
        // Rooks and queens should stay where opponents do not chase them. Kings advance in the end
        // game.
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
            all[cross::RANK + role * cross::RANKS + depth] = of_role[role];
            role += 1;
        }
        depth += 1;
    }
    let mut aside = 0;
    while aside < cross::FILES {
        let columns = aside as i32;
        let heavy = w(-columns * 5 / 2, -columns);
        let of_role = [w(-8 * columns, -4 * columns), w(-4 * columns, -2 * columns), heavy, heavy];
        let mut role = 0;
        while role < of_role.len() {
            all[cross::FILE + (role + 1) * cross::FILES + aside] = of_role[role];
            role += 1;
        }
        aside += 1;
    }
    let reach = [w(4, 4), w(4, 4), w(2, 3), w(1, 2)];
    let mut role = 0;
    while role < 4 {
        all[cross::MOBILITY + role] = reach[role];
        role += 1;
    }
    all[cross::PROTECTED_PAWN] = w(11, 11);
    all[cross::BISHOP_PAIR] = w(12, 18);
    role = 0;
    while role < 5 {
        let pressed = all[cross::THREATENED + role];
        all[cross::THREATENED + role] = w(pressed.opening * 7 / 5, pressed.endgame * 7 / 5);
        role += 1;
    }
    let mut units = 0;
    while units < cross::MAX_UNITS {
        let danger = units as i32;
        all[cross::KING_DANGER + units] = w(-danger * danger * 7 / 8, -danger * 7 / 2);
        units += 1;
    }
    all[cross::KING_ATTACKERS + 2] = w(-36, -18);
    all[cross::KING_ATTACKERS + 3] = w(-90, -36);
    all[cross::PAWN_SHIELD] = w(22, 3);
    all[cross::IN_CHECK] = w(-97, -73);
    all[cross::KING_MOVES] = w(-44, -44);
    all[cross::KING_MOVES + 1] = w(-16, -16);
    all[cross::KING_MOVES + 2] = w(-5, -5);
    all[cross::TURN_ORDER] = w(21, 14);
    all[cross::KING_EXPOSURE] = w(-4, 0);
    all[cross::KING_DEFENDERS] = w(6, 2);
    all[cross::ELIMINATION] = w(170, 170);
    all
}
