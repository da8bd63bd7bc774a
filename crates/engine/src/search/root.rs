//! The moves to choose among, looked at deeper and deeper.

use quadrex_rules::movegen::PlacedMove;
use quadrex_rules::{Color, Move, Position};

use super::mate::Proof;
use super::score::{FORCED, INFINITY, WIN, told};
use super::{MOST_PLIES, Window, Worker, order};
use crate::evaluation::{Valued, even_odds, worth_to_each};
use crate::report::{Line, Report};
use crate::table::MoveKey;

/// A move to choose.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) mv: PlacedMove,
    /// What it leads to, by the last look that said so.
    pub(crate) score: i32,
    /// The line that is expected, itself first.
    pub(crate) line: Vec<PlacedMove>,
}

impl Root {
    pub(crate) fn new(mv: PlacedMove) -> Self {
        Self { mv, score: -INFINITY, line: vec![mv] }
    }

    /// Whether it was looked at well enough to have a score.
    pub(crate) fn is_looked_at(&self) -> bool {
        self.score > -INFINITY
    }
}

/// What one thread is asked.
pub(crate) struct Asked<'a, V: Valued> {
    pub(crate) position: &'a Position<V>,
    /// How many of the best moves are wanted.
    pub(crate) lines: usize,
    /// The deepest look.
    pub(crate) depth: i32,
    /// Its number among the threads; the first one reports and watches the time.
    pub(crate) thread: usize,
}

/// How a first look's window is widened when the score falls outside.
const FIRST_WINDOW: i32 = 22;

impl<V: Valued> Worker<'_, V> {
    /// Looks deeper and deeper until something ends it. `roots` is put in order, the best first.
    pub(crate) fn deepen(
        &mut self,
        asked: &Asked<'_, V>,
        roots: &mut [Root],
        report: &mut dyn FnMut(&Report),
    ) -> Report {
        let lines = asked.lines.clamp(1, roots.len());
        let mut last = Report::default();
        let mut steady = 0;
        let mut best_before = None;
        for depth in 1..=asked.depth.min(MOST_PLIES as i32) {
            // Every second thread goes one ply ahead, so that they do not all do the same.
            let depth_here = depth + (asked.thread % 2) as i32;
            self.depth = depth_here;
            self.selective_depth = 0;
            let mut whole = true;
            for first in 0..lines {
                whole &= self.aspire(asked.position, roots, first, depth_here);
                if !whole {
                    break;
                }
            }
            roots[..lines].sort_by_key(|root| std::cmp::Reverse(root.score));
            if asked.thread > 0 {
                if self.is_broken_off() {
                    break;
                }
                continue;
            }
            self.count.tell(self.control);
            if whole {
                last = self.report(asked, roots, lines, depth);
                report(&last);
            }
            self.is_breakable = true;
            steady = if best_before == Some(roots[0].mv) { steady + 1 } else { 0 };
            best_before = Some(roots[0].mv);
            let is_enough = self.is_enough(asked.position, roots, depth, lines, steady);
            if !whole || self.control.is_over() || is_enough || self.settles_mate(asked.position, roots) {
                break;
            }
        }
        if asked.thread == 0 {
            self.control.end();
            last = self.report(asked, roots, lines, last.depth.max(1) as i32);
        }
        last
    }

    /// Returns whether it is known that the mate asked for is there, which is then the first root, or that it is not.
    fn settles_mate(&mut self, position: &Position<V>, roots: &mut [Root]) -> bool {
        let Some(moves) = self.control.limits.mate else { return false };
        match self.prove_mate(position, roots, moves) {
            Proof::Mate { root, score } => {
                roots[..=root].rotate_right(1);
                let mv = roots[0].mv;
                roots[0] = Root { score, ..Root::new(mv) };
                true
            }
            Proof::NoMate => true,
            Proof::Unknown => false,
        }
    }

    /// Whether going on would be of no use, or there is no time for it.
    fn is_enough(
        &self,
        position: &Position<V>,
        roots: &[Root],
        depth: i32,
        lines: usize,
        steady: u32,
    ) -> bool {
        let limits = &self.control.limits;
        let best = roots[0].score;
        if let Some(moves) = limits.mate {
            let plies = i64::from(position.players_left()) * i64::from(moves);
            return best >= FORCED && i64::from(WIN - best) <= plies;
        }
        // A forced mate shorter than what was looked at is as short as can be.
        let open_ended = limits.depth.is_some() || limits.nodes.is_none() && limits.soft.is_none();
        if !open_ended && lines == 1 && best.abs() >= FORCED && WIN - best.abs() <= depth {
            return true;
        }
        limits.soft.is_some_and(|soft| {
            if roots.len() == 1 {
                return true;
            }
            let share = match steady {
                0 => 140,
                1 => 110,
                2 => 90,
                3..=5 => 75,
                _ => 60,
            };
            self.control.watch().elapsed() >= soft * share / 100
        })
    }

    /// Looks at the moves from `first` on within a window around what was expected, and wider when it was wrong.
    /// Returns whether it was not broken off.
    fn aspire(&mut self, position: &Position<V>, roots: &mut [Root], first: usize, depth: i32) -> bool {
        let expected = roots[first].score;
        let mut width = FIRST_WINDOW;
        let mut window = Window::FULL;
        if depth >= 5 && expected.abs() < FORCED {
            window = Window::new(expected - width, expected + width);
        }
        loop {
            let score = self.look_at_roots(position, &mut roots[first..], window, depth);
            if self.is_broken_off() {
                return false;
            }
            if score <= window.alpha && window.alpha > -INFINITY {
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = if width > 600 { -INFINITY } else { (score - width).max(-INFINITY) };
            } else if score >= window.beta && window.beta < INFINITY {
                window.beta = if width > 600 { INFINITY } else { (score + width).min(INFINITY) };
            } else {
                return true;
            }
            width *= 2;
        }
    }

    /// Looks at root moves and brings the best to the front. Those that were not the best keep their order.
    fn look_at_roots(
        &mut self,
        position: &Position<V>,
        roots: &mut [Root],
        window: Window,
        depth: i32,
    ) -> i32 {
        let mut best = -INFINITY;
        let mut alpha = window.alpha;
        self.keys.push(position.hash());
        self.frames[0].worth = None;
        self.frames[1].killers = [MoveKey::NONE; 2];
        for index in 0..roots.len() {
            let mv = roots[index].mv;
            let mut next = *position;
            next.make_placed(mv);
            self.frames[0].made = Some(mv);
            let new_depth = depth - 1;
            let mut score = -INFINITY;
            if index > 0 {
                let mut reduction = 0;
                if depth >= 3 && index >= 3 && order::is_quiet(position, mv) {
                    reduction = (order::reduction(depth, index) - 1).clamp(0, (new_depth - 1).max(0));
                }
                score = self.follow(position, &next, Window::just_above(alpha), |worker, window| {
                    worker.look(&next, window, new_depth - reduction, 1)
                });
                if score > alpha && reduction > 0 {
                    score = self.follow(position, &next, Window::just_above(alpha), |worker, window| {
                        worker.look(&next, window, new_depth, 1)
                    });
                }
            }
            if index == 0 || score > alpha {
                score = self.follow(position, &next, Window::new(alpha, window.beta), |worker, window| {
                    worker.look(&next, window, new_depth, 1)
                });
            }
            if self.is_broken_off() {
                break;
            }
            if score > best {
                best = score;
                if score > alpha || index == 0 {
                    let root = &mut roots[index];
                    root.score = score;
                    root.line.clear();
                    root.line.push(mv);
                    root.line.extend_from_slice(&self.frames[1].best_line);
                    roots[..=index].rotate_right(1);
                    alpha = alpha.max(score);
                }
                if score >= window.beta {
                    break;
                }
            }
        }
        self.keys.pop();
        best
    }

    fn report(&self, asked: &Asked<'_, V>, roots: &[Root], lines: usize, depth: i32) -> Report {
        let lines = roots[..lines].iter().filter(|root| root.is_looked_at());
        Report {
            depth: depth as u32,
            selective_depth: self.selective_depth.max(1) as u32,
            nodes: self.control.nodes(),
            elapsed: self.control.watch().elapsed(),
            table_full: self.table.full(),
            lines: lines.map(|root| Self::line(asked.position, root)).collect(),
        }
    }

    /// The expected line as far as it can be played: where opponents pass in the search, it ends.
    fn line(position: &Position<V>, root: &Root) -> Line {
        let mut end = *position;
        let mut moves: Vec<Move> = Vec::new();
        for mv in root.line.iter().map(|mv| mv.written::<V>()) {
            if !end.is_legal(mv) {
                break;
            }
            end.play(mv);
            moves.push(mv);
        }
        let players = position.players_left() as i32;
        Line { score: told(root.score, players), seats: seats(&end), moves }
    }
}

/// What a position of more than two players is worth to each who is in, beside one in which all stand alike.
fn seats<V: Valued>(position: &Position<V>) -> Vec<(Color, i32)> {
    if V::COLORS.len() == 2 {
        return Vec::new();
    }
    let each = V::COLORS.iter().zip(worth_to_each(position));
    let even = even_odds(position.players_left() as usize);
    each.filter_map(|(&color, worth)| Some((color, worth? - even))).collect()
}
