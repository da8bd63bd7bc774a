//! Looking ahead: alpha-beta for one player against all others.
//!
//! The player who asks stands against everybody else, as if they were one side (paranoid search; Sturtevant and Korf,
//! "On pruning techniques for multi-player games", 2000), except that none of several gives up material for the others. With
//! two players that is the ordinary search, so one code serves both. Scores are those of the side to move; where the same
//! side moves again they keep their sign.

mod best_reply;
mod control;
mod exchange;
mod history;
mod mate;
mod max_n;
mod order;
mod pruning;
mod quiescence;
mod root;
mod score;

use quadrex_rules::bits::Bits;
use quadrex_rules::geometry::Geometry;
use quadrex_rules::movegen::{Deed, PlacedList, PlacedMove};
use quadrex_rules::variant::DefeatRule;
use quadrex_rules::{Position, VariantRules};

use crate::evaluation::{Knowledge, Valued, Weight, even_odds, worth};
use crate::table::{Bound, Entry, MoveKey, Table};
use crate::task::Strategy;
use control::Count;
use history::{Before, History};
use pruning::PassingOver;
use score::{FORCED, INFINITY, WIN, from_root, to_root};

pub(crate) use control::Control;
pub(crate) use exchange::takes;
pub(crate) use root::{Asked, Root};

/// The longest line that is looked at.
const MOST_PLIES: usize = 120;

/// How much less than it is worth a position of more than two seems to one player against all, in hundredths of a pawn:
/// by each opponent for each ply that is looked ahead. Such a player's scores were on the average 16, 37, 52 and 108 below
/// what stood on the board at 2, 4, 5 and 7 plies with four in (games of 12,000 positions a move).
const DARKENING: i32 = 5;

/// How much less than an even position a draw of more than two is worth to each, so that who could go on does.
const CONTEMPT: i32 = 100;

/// What a draw of so many is worth to each who shares it, looked at `depth` plies ahead: as much as an even position
/// (D12), less what every score there lacks, lest one who looks far draws where it could win.
fn shared(players: u32, depth: i32) -> i32 {
    let opponents = players as i32 - 1;
    even_odds(players as usize) - if opponents > 1 { CONTEMPT + DARKENING * opponents * depth } else { 0 }
}

/// Plies without a capture or a pawn's move after which a game is drawn (G11).
fn plies_to_draw<V: VariantRules>(position: &Position<V>) -> i32 {
    50 * position.players_left() as i32
}

/// What sets the keys of one player among several apart from those of the others, by what it knows. Between two, scores are
/// the same for all.
fn salt<V: VariantRules>(player: usize, knowledge: Knowledge) -> u64 {
    if V::COLORS.len() == 2 {
        return 0;
    }
    let number = player + 1 + if knowledge == Knowledge::Whole { V::COLORS.len() } else { 0 };
    (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// What belongs to one ply of the line that is looked at.
#[derive(Debug)]
struct Frame {
    moves: Vec<PlacedMove>,
    ranks: Vec<i32>,
    /// Quiet moves that refuted others here.
    killers: [MoveKey; 2],
    /// The best line from here.
    best_line: Vec<PlacedMove>,
    /// The move that led on from here; none where the turn was passed.
    made: Option<PlacedMove>,
    /// What the position is worth to the side to move, unless it is in check.
    worth: Option<i32>,
}

/// One thread's search.
pub(crate) struct Worker<'a, V: Valued> {
    table: &'a Table,
    control: &'a Control<'a>,
    /// The player who asks, by its place in the turn order.
    me: usize,
    strategy: Strategy,
    weights: &'a [Weight],
    /// Mixed with every key: what is found out for one player holds for it alone, and while it knows as much.
    salt: u64,
    count: Count,
    /// Whether the search may be broken off: not before every root move has been looked at once.
    is_breakable: bool,
    /// Plies that are looked ahead in full at the root.
    depth: i32,
    selective_depth: usize,
    /// Keys of the positions before the present one, those before the root first.
    keys: Vec<u64>,
    frames: Vec<Frame>,
    history: History,
    prover: mate::Prover,
    list: PlacedList<V>,
}

/// A window of scores: what the side to move is sure of, and what the other is.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    const FULL: Self = Self { alpha: -INFINITY, beta: INFINITY };

    const fn new(alpha: i32, beta: i32) -> Self {
        Self { alpha, beta }
    }

    /// The smallest above a score.
    const fn just_above(alpha: i32) -> Self {
        Self::new(alpha, alpha + 1)
    }

    const fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }

    /// How a score found with this window stands to the true one.
    const fn bound(self, score: i32) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// The score that is known of a position `ply` plies below the root, if no more than that need be known. With an
    /// open window the line is wanted too.
    fn settled_by(self, known: Entry, ply: usize) -> Option<i32> {
        let score = to_root(known.score, ply);
        let settles = match known.bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        };
        (settles && !self.is_open()).then_some(score)
    }
}

impl<'a, V: Valued> Worker<'a, V> {
    pub(crate) fn new(
        table: &'a Table,
        control: &'a Control<'a>,
        me: usize,
        strategy: Strategy,
        (knowledge, weights): (Knowledge, &'a [Weight]),
        earlier: &[u64],
    ) -> Self {
        let frame = || Frame {
            moves: Vec::new(),
            ranks: Vec::new(),
            killers: [MoveKey::NONE; 2],
            best_line: Vec::new(),
            made: None,
            worth: None,
        };
        Self {
            table,
            control,
            me,
            strategy,
            weights,
            salt: salt::<V>(me, knowledge),
            count: Count::default(),
            is_breakable: false,
            depth: 0,
            selective_depth: 0,
            keys: earlier.to_vec(),
            frames: (0..MOST_PLIES + 2).map(|_| frame()).collect(),
            history: History::new::<V>(),
            prover: mate::Prover::default(),
            list: PlacedList::default(),
        }
    }

    /// Lets the search be broken off from the first.
    pub(crate) fn make_breakable(&mut self) {
        self.is_breakable = true;
    }

    /// The side of the player to move: mine or the others'.
    fn is_mine(&self, position: &Position<V>) -> bool {
        position.turn_index() == self.me
    }

    fn is_broken_off(&self) -> bool {
        self.is_breakable && self.control.is_over()
    }

    /// What a position is worth to the side to move, by what stands there.
    fn worth(&self, position: &Position<V>) -> i32 {
        let worth = worth(position, self.me, self.weights).clamp(-FORCED + 1, FORCED - 1);
        let worth = if V::COLORS.len() > 2 { self.faded(position, worth) } else { worth };
        if self.is_mine(position) { worth } else { -worth }
    }

    /// What is left of what a position is worth beyond a draw, by how long nothing has happened (G11): who stands well has to
    /// make headway. The first quarter of the way to the draw costs nothing.
    fn faded(&self, position: &Position<V>, worth: i32) -> i32 {
        let most = plies_to_draw(position);
        let idle = (position.halfmove_clock() as i32 - most / 4).clamp(0, most);
        let drawn = shared(position.players_left(), self.depth);
        worth - (worth - drawn).max(0) * idle / most
    }

    /// The score of a position after a move of `from`, as `from`'s side sees it.
    fn follow(
        &mut self,
        from: &Position<V>,
        next: &Position<V>,
        window: Window,
        look: impl FnOnce(&mut Self, Window) -> i32,
    ) -> i32 {
        if self.is_mine(from) == self.is_mine(next) {
            look(self, window)
        } else {
            -look(self, Window::new(-window.beta, -window.alpha))
        }
    }

    /// Whether the position came before, or nothing has happened for so long that it is a draw (G10, G11). The first
    /// repetition counts: who could repeat once can do so again.
    fn is_drawn(&self, position: &Position<V>, key: u64) -> bool {
        let since = position.halfmove_clock() as usize;
        if since >= plies_to_draw(position) as usize || position.is_dead() {
            return true;
        }
        let seen = self.keys.len();
        self.keys[seen.saturating_sub(since)..].contains(&key)
    }

    /// What a draw is worth to the side to move.
    fn draw(&self, position: &Position<V>) -> i32 {
        let mine = shared(position.players_left(), self.depth);
        if self.is_mine(position) { mine } else { -mine }
    }

    /// A game that is over for the player who asks, seen by the side to move; `None` if it goes on.
    fn settled(&self, position: &Position<V>, ply: usize) -> Option<i32> {
        let ply = ply as i32;
        let mine = if !position.is_in(self.me) {
            ply - WIN
        } else if position.players_left() == 1 {
            WIN - ply
        } else {
            return None;
        };
        Some(if self.is_mine(position) { mine } else { -mine })
    }

    /// The legal moves, in a list that is to be given back to the frame. Without any the player to move is mated or
    /// stalemated.
    fn generate(&mut self, position: &Position<V>, ply: usize) -> Vec<PlacedMove> {
        self.list.moves = std::mem::take(&mut self.frames[ply].moves);
        self.list.moves.clear();
        self.list.within = V::Geometry::TABLES.board;
        position.generate(&mut self.list);
        std::mem::take(&mut self.list.moves)
    }

    /// What comes of a player without a legal move: a draw, the end, or, with more players, the rest of the game
    /// without it (C4, D8, D9).
    fn stuck(
        &mut self,
        position: &Position<V>,
        in_check: bool,
        ply: usize,
        window: Window,
        look: impl FnOnce(&mut Self, &Position<V>, Window) -> i32,
    ) -> i32 {
        if !in_check {
            return self.draw(position);
        }
        if V::DEFEAT == DefeatRule::EndsMatch {
            return ply as i32 - WIN;
        }
        let mut next = *position;
        next.put_out(position.turn_index());
        self.follow(position, &next, window, |worker, window| look(worker, &next, window))
    }

    /// The score of a position, looked at `depth` plies ahead.
    fn look(&mut self, position: &Position<V>, window: Window, depth: i32, ply: usize) -> i32 {
        self.frames[ply].best_line.clear();
        if let Some(score) = self.settled(position, ply) {
            return score;
        }
        if self.strategy == Strategy::MaxN && V::COLORS.len() > 2 {
            let mine = self.each_for_itself(position, depth, ply)[self.me];
            return if self.is_mine(position) { mine } else { -mine };
        }
        let hash = position.hash();
        if self.is_drawn(position, hash) {
            return self.draw(position);
        }
        if depth <= 0 {
            return self.calm(position, window, 0, ply);
        }
        self.count.add(self.control);
        if self.is_broken_off() || ply >= MOST_PLIES {
            return self.worth(position);
        }
        self.selective_depth = self.selective_depth.max(ply);
        // A shorter mate than one that is known cannot be found below.
        let alpha = window.alpha.max(ply as i32 - WIN);
        let beta = window.beta.min(WIN - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }
        let window = Window::new(alpha, beta);

        let key = hash ^ self.salt;
        let known = self.table.get(key);
        if let Some(known) = known
            && known.depth >= depth
            && let Some(score) = window.settled_by(known, ply)
        {
            return score;
        }
        let known_move = known.map_or(MoveKey::NONE, |known| known.mv);

        let in_check = !position.checkers(position.turn_index()).is_empty();
        let worth = (!in_check).then(|| self.worth(position));
        self.frames[ply].worth = worth;
        if let Some(worth) = worth
            && !window.is_open()
            && beta.abs() < FORCED
            && let Some(score) = self.prune(position, hash, window, depth, ply, worth)
        {
            return score;
        }
        // Two plies ago the same player of two stood worse: things improve.
        let improves = V::COLORS.len() == 2
            && worth.is_some_and(|worth| {
                ply >= 2 && self.frames[ply - 2].worth.is_some_and(|earlier| worth > earlier)
            });
        let depth = if known_move == MoveKey::NONE && depth >= 4 { depth - 1 } else { depth };
        if self.strategy == Strategy::BestReply && !self.is_mine(position) && position.players_left() > 2 {
            return self.best_reply(position, hash, known_move, window, depth, ply);
        }

        let mut moves = self.generate(position, ply);
        if moves.is_empty() {
            self.frames[ply].moves = moves;
            return self.stuck(position, in_check, ply, window, |worker, next, window| {
                worker.look(next, window, depth, ply)
            });
        }
        let mut ranks = std::mem::take(&mut self.frames[ply].ranks);
        self.rank(position, &moves, &mut ranks, known_move, ply);
        self.frames[ply + 1].killers = [MoveKey::NONE; 2];
        self.keys.push(hash);
        let found = self.look_at_moves(
            position,
            window,
            Node { depth, ply, in_check, worth, improves },
            &mut moves,
            &mut ranks,
        );
        self.keys.pop();
        self.frames[ply].moves = moves;
        self.frames[ply].ranks = ranks;
        if self.is_broken_off() {
            return found.score;
        }
        let bound = window.bound(found.score);
        self.table.put(key, Entry { mv: found.key(), score: from_root(found.score, ply), depth, bound });
        found.score
    }

    /// Looks at one move after the other, the best first.
    fn look_at_moves(
        &mut self,
        position: &Position<V>,
        window: Window,
        node: Node,
        moves: &mut [PlacedMove],
        ranks: &mut [i32],
    ) -> Best {
        let Node { depth, ply, in_check, improves, .. } = node;
        let mut best = Best::new(window.alpha);
        let mut passing_over = PassingOver::default();
        for index in 0..moves.len() {
            order::bring_best(moves, ranks, index);
            let (mv, rank) = (moves[index], ranks[index]);
            let is_quiet = order::is_quiet(position, mv);
            if self.passes_over(position, window, &node, &best, (mv, rank, is_quiet), &mut passing_over) {
                continue;
            }
            let mut next = *position;
            next.make_placed(mv);
            self.frames[ply].made = Some(mv);
            let gives_check = next.is_in(next.turn_index()) && !next.checkers(next.turn_index()).is_empty();
            let extension =
                i32::from(gives_check && (rank >= order::GOOD || exchange::gains(position, mv, 0)));
            let new_depth = depth - 1 + extension;
            let score = if index == 0 {
                self.follow(position, &next, Window::new(best.alpha, window.beta), |worker, window| {
                    worker.look(&next, window, new_depth, ply + 1)
                })
            } else {
                let mut reduction = 0;
                if depth >= 3 && index >= 2 && (is_quiet || rank < order::GOOD) {
                    reduction = order::reduction(depth, index);
                    reduction += i32::from(!window.is_open());
                    reduction -= i32::from(improves) + i32::from(in_check);
                    if is_quiet {
                        reduction -= (rank / 8_000).clamp(-2, 2);
                    }
                    reduction = reduction.clamp(0, new_depth - 1).max(0);
                }
                let mut score =
                    self.follow(position, &next, Window::just_above(best.alpha), |worker, window| {
                        worker.look(&next, window, new_depth - reduction, ply + 1)
                    });
                if score > best.alpha && reduction > 0 {
                    score = self.follow(position, &next, Window::just_above(best.alpha), |worker, window| {
                        worker.look(&next, window, new_depth, ply + 1)
                    });
                }
                if score > best.alpha && score < window.beta {
                    score = self.follow(
                        position,
                        &next,
                        Window::new(best.alpha, window.beta),
                        |worker, window| worker.look(&next, window, new_depth, ply + 1),
                    );
                }
                score
            };
            passing_over.quiet_tried += i32::from(is_quiet);
            if self.is_broken_off() {
                return best;
            }
            if best.takes(mv, score) {
                self.take_line(mv, ply);
            }
            if score >= window.beta {
                if is_quiet {
                    self.reward(position, &moves[..=index], depth, ply);
                }
                break;
            }
        }
        best
    }

    /// The best line from a ply is a move and the best line from the next.
    fn take_line(&mut self, mv: PlacedMove, ply: usize) {
        let (here, below) = self.frames.split_at_mut(ply + 1);
        let line = &mut here[ply].best_line;
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0].best_line);
    }

    /// A quiet move refuted what led here: it comes earlier elsewhere, those tried before it later.
    fn reward(&mut self, position: &Position<V>, tried: &[PlacedMove], depth: i32, ply: usize) {
        let Some((&good, rest)) = tried.split_last() else { return };
        let key = MoveKey::from(good);
        let killers = &mut self.frames[ply].killers;
        if killers[0] != key {
            *killers = [key, killers[0]];
        }
        let bonus = (depth * depth * 16 + 32 * depth).min(1_600);
        let color = position.turn_index();
        let before = self.before(ply);
        self.history.learn(color, before, good, bonus);
        for &mv in rest {
            if order::is_quiet(position, mv) {
                self.history.learn(color, before, mv, -bonus);
            }
        }
    }

    /// The move that led to a ply.
    fn before(&self, ply: usize) -> Option<Before> {
        let made = ply.checked_sub(1).and_then(|ply| self.frames[ply].made)?;
        Some(Before::of(made, self.history.places()))
    }
}

/// What is known of a position before its moves are looked at.
#[derive(Clone, Copy)]
struct Node {
    depth: i32,
    ply: usize,
    in_check: bool,
    worth: Option<i32>,
    improves: bool,
}

/// The best of the moves looked at so far.
struct Best {
    score: i32,
    /// What the side to move is sure of.
    alpha: i32,
    /// The move, if any was better than what was sure before.
    mv: Option<PlacedMove>,
}

impl Best {
    const fn new(alpha: i32) -> Self {
        Self { score: -INFINITY, alpha, mv: None }
    }

    /// Takes in a move's score; returns whether more is sure now, so that its line is the best one.
    fn takes(&mut self, mv: PlacedMove, score: i32) -> bool {
        self.score = self.score.max(score);
        let is_surer = score > self.alpha;
        if is_surer {
            self.alpha = score;
            self.mv = Some(mv);
        }
        is_surer
    }

    fn key(&self) -> MoveKey {
        self.mv.map_or(MoveKey::NONE, MoveKey::from)
    }
}

/// Whether a move changes material.
const fn is_promotion(mv: PlacedMove) -> bool {
    matches!(mv.deed, Deed::Promotion(_))
}
