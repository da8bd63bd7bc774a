//! Iterative deepening: all root moves are searched at depth 1, then at depth 2, and so on.

use std::cmp::Reverse;

use quadrex_rules::movegen::InternalMove;
use quadrex_rules::{Color, Move, Position};

use super::mate_solver::Proof;
use super::move_picker;
use super::parameters::{
    ASPIRATION_DEPTH, ASPIRATION_LIMIT, ASPIRATION_WIDTH, MAX_PLY, REDUCTION_DEPTH, ROOT_REDUCTION_INDEX,
    TIME_SHARE_BY_STABILITY, late_move_reduction,
};
use super::score::{FORCED_WIN, INFINITY, WIN, reported_score};
use super::window::Window;
use super::worker::Worker;
use crate::evaluation::{Evaluate, evaluate_each, even_score};
use crate::result::{Line, Report};

/// A move of the root position.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: InternalMove,
    /// The score of the last search that completed for this move.
    pub(crate) score: i32,
    /// The principal variation, which begins with this move.
    pub(crate) pv: Vec<InternalMove>,
}

impl RootMove {
    pub(crate) fn new(mv: InternalMove) -> Self {
        Self { mv, score: -INFINITY, pv: vec![mv] }
    }

    fn has_score(&self) -> bool {
        self.score > -INFINITY
    }
}

/// The parameters of one thread's search.
pub(crate) struct RootParams<'a, V: Evaluate> {
    pub(crate) position: &'a Position<V>,
    /// The number of best moves to report.
    pub(crate) lines: usize,
    /// The greatest depth.
    pub(crate) depth: i32,
    /// The number of the thread. Thread 0 reports and checks the limits.
    pub(crate) thread: usize,
}

impl<V: Evaluate> Worker<'_, V> {
    /// Searches at growing depth until a limit is reached, and returns the last report. Afterwards
    /// `roots` has the best moves first.
    pub(crate) fn iterative_deepening(
        &mut self,
        params: &RootParams<'_, V>,
        roots: &mut [RootMove],
        report: &mut dyn FnMut(&Report),
    ) -> Report {
        let lines = params.lines.clamp(1, roots.len());
        let mut last_report = Report::default();
        let mut stable_iterations = 0;
        let mut previous_best = None;
        for depth in 1..=params.depth.min(MAX_PLY as i32) {
            let is_complete = self.search_iteration(params, roots, lines, depth);
            if params.thread > 0 {
                if self.is_stopped() {
                    break;
                }
                continue;
            }
            self.node_counter.flush(self.shared);
            if is_complete {
                last_report = self.report(params, roots, lines, depth);
                report(&last_report);
            }
            self.is_stoppable = true;
            stable_iterations = if previous_best == Some(roots[0].mv) { stable_iterations + 1 } else { 0 };
            previous_best = Some(roots[0].mv);
            let should_stop = self.should_stop(params.position, roots, depth, lines, stable_iterations);
            if !is_complete
                || self.shared.is_stopped()
                || should_stop
                || self.resolves_requested_mate(params.position, roots)
            {
                break;
            }
        }
        if params.thread == 0 {
            self.shared.stop();
            last_report = self.report(params, roots, lines, last_report.depth.max(1) as i32);
        }
        last_report
    }

    /// Searches each of the best lines at one depth and sorts the lines. Returns true if the search
    /// was completed, and false if it was stopped.
    fn search_iteration(
        &mut self,
        params: &RootParams<'_, V>,
        roots: &mut [RootMove],
        lines: usize,
        depth: i32,
    ) -> bool {
        // Every second thread searches one ply deeper, so that threads do different work.
        self.root_depth = depth + (params.thread % 2) as i32;
        self.selective_depth = 0;
        let is_complete = (0..lines).all(|first| self.aspiration_search(params.position, roots, first));
        roots[..lines].sort_by_key(|root| Reverse(root.score));
        is_complete
    }

    /// Returns true if a requested mate was found or disproved. The first move of a mate that was
    /// found becomes the first root move.
    fn resolves_requested_mate(&mut self, position: &Position<V>, roots: &mut [RootMove]) -> bool {
        let Some(moves) = self.shared.limits.mate else { return false };
        match self.prove_mate(position, roots, moves) {
            Proof::Mate { root, score } => {
                roots[..=root].rotate_right(1);
                let mv = roots[0].mv;
                roots[0] = RootMove { score, ..RootMove::new(mv) };
                true
            }
            Proof::NoMate => true,
            Proof::Unknown => false,
        }
    }

    /// Returns true if a deeper iteration would be useless, or if no time is left for a deeper
    /// iteration.
    fn should_stop(
        &self,
        position: &Position<V>,
        roots: &[RootMove],
        depth: i32,
        lines: usize,
        stable_iterations: usize,
    ) -> bool {
        let limits = &self.shared.limits;
        let best = roots[0].score;
        if let Some(moves) = limits.mate {
            let plies = i64::from(position.players_left()) * i64::from(moves);
            return best >= FORCED_WIN && i64::from(WIN - best) <= plies;
        }
        // A forced mate within the searched depth is the shortest forced mate.
        let is_open_ended = limits.depth.is_some() || limits.nodes.is_none() && limits.soft.is_none();
        if !is_open_ended && lines == 1 && best.abs() >= FORCED_WIN && WIN - best.abs() <= depth {
            return true;
        }
        let share = TIME_SHARE_BY_STABILITY[stable_iterations.min(TIME_SHARE_BY_STABILITY.len() - 1)];
        limits
            .soft
            .is_some_and(|soft| roots.len() == 1 || self.shared.control().elapsed() >= soft * share / 100)
    }

    /// Searches the root moves from `first` on with a window around the expected score. A search
    /// whose score is outside the window is repeated with a wider window. Returns false if the
    /// search was stopped.
    fn aspiration_search(&mut self, position: &Position<V>, roots: &mut [RootMove], first: usize) -> bool {
        let expected = roots[first].score;
        let mut width = ASPIRATION_WIDTH;
        let mut window = Window::FULL;
        if self.root_depth >= ASPIRATION_DEPTH && expected.abs() < FORCED_WIN {
            window = Window::new(expected - width, expected + width);
        }
        loop {
            let score = self.search_root(position, &mut roots[first..], window);
            if self.is_stopped() {
                return false;
            }
            let is_wide = width > ASPIRATION_LIMIT;
            if score <= window.alpha && window.alpha > -INFINITY {
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = if is_wide { -INFINITY } else { (score - width).max(-INFINITY) };
            } else if score >= window.beta && window.beta < INFINITY {
                window.beta = if is_wide { INFINITY } else { (score + width).min(INFINITY) };
            } else {
                return true;
            }
            width *= 2;
        }
    }

    /// Searches root moves, brings the best move to the front, and returns the best score. The
    /// other moves keep their order.
    fn search_root(&mut self, position: &Position<V>, roots: &mut [RootMove], window: Window) -> i32 {
        let mut best = -INFINITY;
        let mut alpha = window.alpha;
        self.earlier_hashes.push(position.hash());
        self.stack[0].static_eval = None;
        self.stack.clear_killers(1);
        for index in 0..roots.len() {
            let mv = roots[index].mv;
            let score = self.search_root_move(position, mv, index, Window::new(alpha, window.beta));
            if self.is_stopped() {
                break;
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > alpha || index == 0 {
                let root = &mut roots[index];
                root.score = score;
                root.pv.clear();
                root.pv.push(mv);
                root.pv.extend_from_slice(&self.stack[1].pv);
                roots[..=index].rotate_right(1);
                alpha = alpha.max(score);
            }
            if score >= window.beta {
                break;
            }
        }
        self.earlier_hashes.pop();
        best
    }

    /// Returns the score of one root move. The first root move is searched with the full window.
    /// Later root moves are searched like the later moves of a node in
    /// [`alpha_beta`](Self::alpha_beta).
    fn search_root_move(
        &mut self,
        position: &Position<V>,
        mv: InternalMove,
        index: usize,
        window: Window,
    ) -> i32 {
        let mut next = *position;
        next.make_internal(mv);
        self.stack[0].current_move = Some(mv);
        let (alpha, depth) = (window.alpha, self.root_depth);
        let new_depth = depth - 1;
        let mut search = |window, depth| {
            self.child_score(position, &next, window, |worker, window| {
                worker.alpha_beta(&next, window, depth, 1)
            })
        };
        let mut score = -INFINITY;
        if index > 0 {
            let is_late = depth >= REDUCTION_DEPTH && index >= ROOT_REDUCTION_INDEX;
            let reduction = if is_late && move_picker::is_quiet(position, mv) {
                (late_move_reduction(depth, index) - 1).clamp(0, (new_depth - 1).max(0))
            } else {
                0
            };
            score = search(Window::null(alpha), new_depth - reduction);
            if score > alpha && reduction > 0 {
                score = search(Window::null(alpha), new_depth);
            }
        }
        if index == 0 || score > alpha {
            score = search(window, new_depth);
        }
        score
    }

    fn report(&self, params: &RootParams<'_, V>, roots: &[RootMove], lines: usize, depth: i32) -> Report {
        let lines = roots[..lines].iter().filter(|root| root.has_score());
        Report {
            depth: depth as u32,
            selective_depth: self.selective_depth.max(1) as u32,
            nodes: self.shared.nodes(),
            elapsed: self.shared.control().elapsed(),
            table_full: self.table.fill_per_mille(),
            lines: lines.map(|root| Self::line(params.position, root)).collect(),
        }
    }

    /// Returns the principal variation up to its first illegal move. In best-reply search opponents
    /// pass their turns, and a move after such a pass is illegal.
    fn line(position: &Position<V>, root: &RootMove) -> Line {
        let mut end = *position;
        let mut moves: Vec<Move> = Vec::new();
        for mv in root.pv.iter().map(|mv| mv.to_move::<V>()) {
            if !end.is_legal(mv) {
                break;
            }
            end.play(mv);
            moves.push(mv);
        }
        let players = position.players_left() as i32;
        Line { score: reported_score(root.score, players), seats: seat_scores(&end), moves }
    }
}

/// Returns the evaluation for each player left, relative to an even position. The list is empty in
/// a variant for two players.
fn seat_scores<V: Evaluate>(position: &Position<V>) -> Vec<(Color, i32)> {
    if V::COLORS.len() == 2 {
        return Vec::new();
    }
    let each = V::COLORS.iter().zip(evaluate_each(position));
    let even = even_score(position.players_left() as usize);
    each.filter_map(|(&color, eval)| Some((color, eval? - even))).collect()
}
