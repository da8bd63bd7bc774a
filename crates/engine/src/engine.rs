//! The engine: searches that share a transposition table.

use quadrex_rules::bits::Bits;
use quadrex_rules::{AnyPosition, Position, with_position};

use crate::evaluation::{Evaluate, Weight, evaluate};
use crate::level::{Blunder, BoardDensity};
use crate::request::{Limits, SearchControl, SearchRequest, Strategy};
use crate::result::{Line, Report, SearchResult};
use crate::rng::Rng;
use crate::search::{RootMove, RootParams, SharedState, Worker, material_gain};
use crate::transposition::TranspositionTable;

/// An engine and its transposition table.
#[derive(Debug)]
pub struct Engine {
    table: TranspositionTable,
}

impl Engine {
    /// The usual node limit of the max^n search for one line. With ten times as many nodes, win
    /// probabilities were no better.
    pub const LINE_NODES: u64 = 3_000;

    /// Creates an engine with a transposition table of this size in MiB (at least 1).
    #[must_use]
    pub fn new(table_mib: usize) -> Self {
        Self { table: TranspositionTable::new(table_mib) }
    }

    /// Replaces the transposition table by an empty table of another size in MiB.
    pub fn resize(&mut self, table_mib: usize) {
        self.table = TranspositionTable::new(table_mib);
    }

    /// Empties the transposition table, for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches for the best move. `report` is called after each complete iteration.
    pub fn search(
        &mut self,
        request: &SearchRequest<'_>,
        control: &dyn SearchControl,
        report: &mut dyn FnMut(&Report),
    ) -> SearchResult {
        with_position!(request.position, position => self.search_in(position, request, control, report))
    }

    /// Replaces [`Line::seats`] by the result of a max^n search after the first move of each line,
    /// if more than two players are left.
    ///
    /// Win probabilities from these scores predict results better: in 251 positions of 20 games
    /// their logarithmic loss was 1.05 with [`LINE_NODES`](Self::LINE_NODES) nodes for each line. The
    /// loss was 1.22 with the static evaluation at the ends of the lines, and 1.39 with equal chances
    /// for all players.
    pub fn score_lines_max_n(
        &mut self,
        position: &AnyPosition,
        lines: &mut [Line],
        nodes_per_line: u64,
        control: &dyn SearchControl,
    ) {
        for line in lines {
            let mut after = position.clone();
            if let Some(&mv) = line.moves.first() {
                after.play(mv);
            }
            if after.active_players().count() <= 2 {
                continue;
            }
            let limits = Limits { nodes: Some(nodes_per_line), ..Limits::default() };
            let request = SearchRequest { strategy: Strategy::MaxN, ..SearchRequest::new(&after, limits) };
            let result = self.search(&request, control, &mut |_| ());
            if let Some(scored) = result.report.lines.into_iter().next() {
                line.seats = scored.seats;
            }
        }
    }

    fn search_in<V: Evaluate>(
        &mut self,
        position: &Position<V>,
        request: &SearchRequest<'_>,
        control: &dyn SearchControl,
        report: &mut dyn FnMut(&Report),
    ) -> SearchResult
    where
        Position<V>: Sync,
    {
        let legal = position.legal_moves().into_iter();
        let searched_moves =
            legal.filter(|mv| request.root_moves.is_empty() || request.root_moves.contains(mv));
        let mut roots: Vec<RootMove> =
            searched_moves.filter_map(|mv| position.internal_move(mv)).map(RootMove::new).collect();
        if roots.is_empty() {
            return SearchResult::default();
        }
        self.table.start_generation();
        let weights = request.weights_in_use::<V>();
        let limits = limit_strength(position, request, weights, &mut roots);
        let shared = SharedState::new(limits, control);
        let table = &self.table;
        let depth = limits.depth.map_or(i32::MAX, |depth| i32::try_from(depth.max(1)).unwrap_or(i32::MAX));
        let params = |thread| RootParams { position, lines: request.lines, depth, thread };
        let worker = || {
            let evaluation_set = (request.level.evaluation_set(), weights);
            Worker::<V>::new(
                table,
                &shared,
                position.turn_index(),
                request.strategy,
                evaluation_set,
                request.earlier,
            )
        };
        let last = std::thread::scope(|scope| {
            for thread in 1..request.threads.max(1) {
                let mut roots = roots.clone();
                let (params, worker) = (params(thread), &worker);
                scope.spawn(move || {
                    let mut worker = worker();
                    worker.make_stoppable();
                    worker.iterative_deepening(&params, &mut roots, &mut |_| ());
                });
            }
            worker().iterative_deepening(&params(0), &mut roots, report)
        });
        let best = &roots[0];
        let ponder = last.lines.first().and_then(|line| line.moves.get(1)).copied();
        SearchResult { best: Some(best.mv.to_move::<V>()), ponder, report: last }
    }
}

/// Returns the limits of a request, reduced to the limits of the request's level. If the level
/// blunders, the blunder becomes the only root move.
fn limit_strength<V: Evaluate>(
    position: &Position<V>,
    request: &SearchRequest<'_>,
    weights: &[Weight],
    roots: &mut Vec<RootMove>,
) -> Limits {
    let mut limits = request.limits;
    let Some(profile) = request.level.profile() else { return limits };
    let density =
        BoardDensity { pieces: position.occupied().count().into(), players: V::COLORS.len() as u64 };
    let nodes = profile.nodes(density);
    limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
    let mut rng = Rng::new(request.seed ^ position.hash());
    if let Some(blunder) = profile.blunder(density, &mut rng) {
        *roots = vec![blundered_move(blunder, position, std::mem::take(roots), weights, &mut rng)];
        limits.depth = Some(1);
    }
    limits
}

/// Returns the move with the highest estimate. The estimate is the material gain of the move, or
/// the static evaluation after the move, plus a random amount.
fn blundered_move<V: Evaluate>(
    blunder: Blunder,
    position: &Position<V>,
    roots: Vec<RootMove>,
    weights: &[Weight],
    rng: &mut Rng,
) -> RootMove {
    let mut estimate = |root: &RootMove| {
        let value = if blunder.is_greedy {
            material_gain(position, root.mv)
        } else {
            let mut next = *position;
            next.make_internal(root.mv);
            evaluate(&next, position.turn_index(), weights)
        };
        value + rng.below(blunder.max_error + 1) as i32
    };
    let best = roots.into_iter().map(|root| (estimate(&root), root)).max_by_key(|&(estimate, _)| estimate);
    best.map(|(_, root)| root).expect("there are moves to choose from")
}

#[cfg(test)]
mod tests {
    use quadrex_rules::Dilkel;

    use super::*;
    use crate::evaluation::EvaluationSet;

    /// A greedy blunder captures the most valuable piece, whatever else the move does. A blunder by
    /// static evaluation sometimes chooses another move.
    #[test]
    fn a_greedy_blunder_takes_the_most_material() {
        let mut rng = Rng::new(11);
        let basic = Dilkel::weights(EvaluationSet::Basic);
        let mut position = Position::<Dilkel>::start();
        let mut other_choices = 0;
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let roots: Vec<RootMove> =
                moves.iter().filter_map(|&mv| position.internal_move(mv)).map(RootMove::new).collect();
            let largest_gain = roots.iter().map(|root| material_gain(&position, root.mv)).max();
            let [greedy, evaluated] = [true, false].map(|is_greedy| {
                let blunder = Blunder { max_error: 0, is_greedy };
                let root = blundered_move(blunder, &position, roots.clone(), basic, &mut rng);
                Some(material_gain(&position, root.mv))
            });
            assert_eq!(greedy, largest_gain, "{}", position.setup());
            other_choices += i32::from(evaluated != largest_gain);
            position.play(moves[rng.index(moves.len())]);
        }
        assert!(other_choices > 10, "{other_choices}");
    }
}
