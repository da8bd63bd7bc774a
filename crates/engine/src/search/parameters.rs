//! Every constant of the search that was tuned, or could be.
//!
//! Depths are plies, margins are centipawns, history scores have no unit.

/// The longest line that is searched.
pub(super) const MAX_PLY: usize = 120;

/// Pessimism of a paranoid search with more than two players, in centipawns per opponent and ply.
///
/// Scores of such searches were on average 16, 37, 52 and 108 below the static evaluation at depths
/// 2, 4, 5 and 7 with four players (games of 12,000 nodes a move).
pub(super) const PARANOID_BIAS: i32 = 5;

/// The amount by which a draw among more than two players scores below an even position, so that a
/// player who can go on does.
pub(super) const CONTEMPT: i32 = 100;

/// Transposition-table entries without a move make a node of at least this depth one ply shallower
/// (internal iterative reduction).
pub(super) const IIR_DEPTH: i32 = 4;

/// Half the width of the first aspiration window.
pub(super) const ASPIRATION_WIDTH: i32 = 22;

/// The depth from which a root search starts with an aspiration window.
pub(super) const ASPIRATION_DEPTH: i32 = 5;

/// An aspiration window wider than this is opened on the side on which it failed.
pub(super) const ASPIRATION_LIMIT: i32 = 600;

/// Reverse futility pruning: the greatest depth, and the margin per ply with two players and with
/// more.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 7;
pub(super) const REVERSE_FUTILITY_MARGIN: [i32; 2] = [75, 120];

/// Null-move pruning: the least depth, the base reduction, and the divisors of what depth and lead
/// add to it.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
pub(super) const NULL_MOVE_REDUCTION: i32 = 3;
pub(super) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
pub(super) const NULL_MOVE_LEAD_DIVISOR: i32 = 200;
pub(super) const NULL_MOVE_LEAD_LIMIT: i32 = 3;

/// The greatest depth at which moves are pruned one by one.
pub(super) const MOVE_PRUNING_DEPTH: i32 = 8;

/// Late move pruning: quiet moves that are always searched, in addition to the square of the depth.
pub(super) const LATE_MOVE_BASE: i32 = 3;
/// The fewest quiet moves searched before the rest are pruned, in addition to one per player of the
/// variant.
pub(super) const LATE_MOVE_LEAST: i32 = 2;

/// Futility pruning of quiet moves: the greatest depth, the base margin, and the margin per ply.
pub(super) const FUTILITY_DEPTH: i32 = 6;
pub(super) const FUTILITY_BASE: i32 = 90;
pub(super) const FUTILITY_MARGIN: i32 = 110;

/// Pruning of losing captures by static exchange evaluation: the greatest depth, and the loss per
/// ply that is still searched.
pub(super) const SEE_DEPTH: i32 = 5;
pub(super) const SEE_MARGIN: i32 = 90;

/// Late move reductions: the least depth, and the index of the first move that may be reduced,
/// inside the tree and at the root.
pub(super) const REDUCTION_DEPTH: i32 = 3;
pub(super) const REDUCTION_INDEX: usize = 2;
pub(super) const ROOT_REDUCTION_INDEX: usize = 3;
/// History score that is worth one ply of reduction, and the most plies that history adds or saves.
pub(super) const REDUCTION_HISTORY: i32 = 8_000;
pub(super) const REDUCTION_HISTORY_LIMIT: i32 = 2;
/// The base and the factor of the logarithmic reduction, in 256ths of a ply (see
/// [`late_move_reduction`]).
pub(super) const REDUCTION_BASE: i32 = 180;
pub(super) const REDUCTION_FACTOR: i32 = 53;

/// Quiet replies that best-reply search tries at depth zero, and per squared ply.
pub(super) const BEST_REPLY_BASE: i32 = 6;
pub(super) const BEST_REPLY_FACTOR: i32 = 4;

/// Plies of max^n search in which captures are followed beyond the depth.
pub(super) const MAX_N_CAPTURE_PLIES: i32 = 4;

/// Plies of quiescence search in which every evasion of a check is searched.
pub(super) const EVASION_PLIES: i32 = 3;
/// Quiet evasions searched there before the rest are pruned.
pub(super) const QUIET_EVASIONS: usize = 3;
/// Delta pruning: the value assumed for a capture of no piece on its square (en passant), for a
/// promotion, and what a capture may gain beyond the captured piece.
pub(super) const EN_PASSANT_GAIN: i32 = 100;
pub(super) const PROMOTION_GAIN: i32 = 800;
pub(super) const DELTA_MARGIN: i32 = 160;

/// The rank of a promotion to a piece other than a queen, in centipawns.
pub(super) const UNDERPROMOTION_GAIN: i32 = -500;
/// Weight of the captured piece against the capturing one (MVV-LVA), and the most that the
/// capturing piece counts.
pub(super) const VICTIM_WEIGHT: i32 = 16;
pub(super) const ATTACKER_LIMIT: i32 = 1_000;

/// The bonus that a quiet move gets for a cutoff, `QUADRATIC * depth^2 + LINEAR * depth`, at most
/// `LIMIT`.
pub(super) const HISTORY_QUADRATIC: i32 = 16;
pub(super) const HISTORY_LINEAR: i32 = 32;
pub(super) const HISTORY_BONUS_LIMIT: i32 = 1_600;
/// The greatest absolute value of a history score.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// Nodes that a mate proof may visit, however few the search has visited so far.
pub(super) const MATE_PROOF_NODES: u64 = 20_000;

/// The share of the soft time limit, in percent, after which no deeper iteration starts, by the
/// number of iterations for which the best move has not changed.
pub(super) const TIME_SHARE: [u32; 7] = [140, 110, 90, 75, 75, 75, 60];

/// Returns by how many plies a late move is reduced: 0.7 + ln(depth) ln(index) / 2.3, by binary
/// logarithms in sixteenths.
pub(super) fn late_move_reduction(depth: i32, index: usize) -> i32 {
    let log = |value: u32| {
        let whole = value.ilog2();
        (whole * 16 + ((value << 4 >> whole) - 16)) as i32
    };
    let product = log(depth.max(1) as u32) * log(index.max(1) as u32);
    (REDUCTION_BASE + product * REDUCTION_FACTOR / 256) / 256
}
