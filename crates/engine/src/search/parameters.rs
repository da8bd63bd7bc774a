//! Every constant of the search that was tuned, or could be.
//!
//! Depths are plies, margins are centipawns, history scores have no unit.

/// The length of the longest line that is searched, in plies.
pub(super) const MAX_PLY: usize = 120;

/// The amount by which a paranoid search with more than two players underrates the root player, in
/// centipawns per opponent and ply.
///
/// Scores of such searches were on average 16, 37, 52 and 108 below the static evaluation at depths
/// 2, 4, 5 and 7 with four players (games of 12,000 nodes a move).
pub(super) const PARANOID_BIAS: i32 = 5;

/// The amount by which a draw among more than two players scores below an even position. This
/// amount makes players avoid draws.
pub(super) const CONTEMPT: i32 = 100;

/// The least depth at which a node without a move from the transposition table is searched one ply
/// shallower (internal iterative reduction).
pub(super) const IIR_DEPTH: i32 = 4;

/// Half the width of the first aspiration window.
pub(super) const ASPIRATION_WIDTH: i32 = 22;

/// The depth from which a root search starts with an aspiration window.
pub(super) const ASPIRATION_DEPTH: i32 = 5;

/// The width beyond which a window is opened completely on the side where a search failed.
pub(super) const ASPIRATION_LIMIT: i32 = 600;

/// Reverse futility pruning: the greatest depth, and the margins per ply with two players and with
/// more players.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 7;
pub(super) const REVERSE_FUTILITY_MARGIN: [i32; 2] = [75, 120];

/// Null-move pruning: the least depth and the base reduction. Two amounts are added to the
/// reduction: the depth divided by the first divisor, and the lead of the static evaluation over
/// beta divided by the second divisor. The limit is for the second amount.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
pub(super) const NULL_MOVE_REDUCTION: i32 = 3;
pub(super) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
pub(super) const NULL_MOVE_LEAD_DIVISOR: i32 = 200;
pub(super) const NULL_MOVE_LEAD_LIMIT: i32 = 3;

/// The greatest depth at which single moves are pruned.
pub(super) const MOVE_PRUNING_DEPTH: i32 = 8;

/// Late move pruning: the number of quiet moves that are searched at depth 0 before the rest are
/// pruned. This number grows with the square of the depth, and is halved if the static evaluation
/// does not improve.
pub(super) const LATE_MOVE_BASE: i32 = 3;
/// Late move pruning: the least number of quiet moves that are searched, to which the number of
/// players of the variant is added.
pub(super) const LATE_MOVE_MINIMUM: i32 = 2;

/// Futility pruning of quiet moves: the greatest depth, the base margin, and the margin per ply.
pub(super) const FUTILITY_DEPTH: i32 = 6;
pub(super) const FUTILITY_BASE: i32 = 90;
pub(super) const FUTILITY_MARGIN: i32 = 110;

/// Pruning of losing captures by static exchange evaluation: the greatest depth, and the accepted
/// loss per ply.
pub(super) const SEE_DEPTH: i32 = 5;
pub(super) const SEE_MARGIN: i32 = 90;

/// Late move reductions: the least depth, and the index of the first move that is reduced, below
/// the root and at the root.
pub(super) const REDUCTION_DEPTH: i32 = 3;
pub(super) const REDUCTION_INDEX: usize = 2;
pub(super) const ROOT_REDUCTION_INDEX: usize = 3;
/// The history score that changes a reduction by one ply, and the greatest change by history.
pub(super) const REDUCTION_HISTORY_DIVISOR: i32 = 8_000;
pub(super) const REDUCTION_HISTORY_LIMIT: i32 = 2;
/// The base and the factor of the logarithmic reduction, in 256ths of a ply (see
/// [`late_move_reduction`]).
pub(super) const REDUCTION_BASE: i32 = 180;
pub(super) const REDUCTION_FACTOR: i32 = 53;

/// The number of quiet replies that best-reply search tries at depth 0, and a factor. At greater
/// depths the squared depth times this factor is added to the number.
pub(super) const BEST_REPLY_BASE: i32 = 6;
pub(super) const BEST_REPLY_FACTOR: i32 = 4;

/// The number of plies in which max^n search follows captures beyond its depth.
pub(super) const MAX_N_CAPTURE_PLIES: i32 = 4;

/// The number of plies of quiescence search in which evasions of a check are searched.
pub(super) const QUIESCENCE_EVASION_PLIES: i32 = 3;
/// The number of moves after which quiescence search prunes quiet evasions.
pub(super) const QUIET_EVASION_LIMIT: usize = 3;
/// Delta pruning: the gain of an en-passant capture, the gain of a promotion, and the greatest gain
/// of a capture beyond the value of the captured piece.
pub(super) const EN_PASSANT_GAIN: i32 = 100;
pub(super) const PROMOTION_GAIN: i32 = 800;
pub(super) const DELTA_MARGIN: i32 = 160;

/// The order score of a promotion to a piece other than a queen, in centipawns.
pub(super) const UNDERPROMOTION_GAIN: i32 = -500;
/// The weight of the captured piece relative to the capturing piece (MVV-LVA), and the greatest
/// value of the capturing piece.
pub(super) const VICTIM_WEIGHT: i32 = 16;
pub(super) const ATTACKER_VALUE_LIMIT: i32 = 1_000;

/// The history bonus of a quiet move that causes a cutoff: `QUADRATIC * depth^2 + LINEAR * depth`,
/// at most `BONUS_LIMIT`.
pub(super) const HISTORY_QUADRATIC: i32 = 16;
pub(super) const HISTORY_LINEAR: i32 = 32;
pub(super) const HISTORY_BONUS_LIMIT: i32 = 1_600;
/// The greatest absolute value of a history score.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// The least number of nodes that a mate proof may visit.
pub(super) const MATE_PROOF_NODES: u64 = 20_000;

/// The share of the soft time limit, in percent, after which no deeper iteration starts. The index
/// is the number of iterations without a change of the best move.
pub(super) const TIME_SHARE_BY_STABILITY: [u32; 7] = [140, 110, 90, 75, 75, 75, 60];

/// Returns the reduction of a late move in plies: 0.7 + ln(depth) ln(index) / 2.3. The logarithms
/// are computed to base 2, in sixteenths.
pub(super) fn late_move_reduction(depth: i32, index: usize) -> i32 {
    let log = |value: u32| {
        let integer_part = value.ilog2();
        (integer_part * 16 + ((value << 4 >> integer_part) - 16)) as i32
    };
    let product = log(depth.max(1) as u32) * log(index.max(1) as u32);
    (REDUCTION_BASE + product * REDUCTION_FACTOR / 256) / 256
}
