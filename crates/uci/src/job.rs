//! A search from its `go` to its `bestmove`.

use std::time::Duration;

use quadrex_engine::{
    Engine, Level, Limits, Line, Report, Score, SearchControl, SearchRequest, SearchResult,
};
use quadrex_rules::{AnyPosition, Move};

/// The UCI text for no move.
const NULL_MOVE: &str = "0000";

/// A search with its engine, for another thread to run.
#[derive(Debug)]
pub(super) struct Job {
    /// Lines that report errors in the `go`. These lines are written first.
    pub faults: Vec<String>,
    pub engine: Engine,
    pub position: AnyPosition,
    /// The hashes of the earlier positions, in the form that a search request needs.
    pub earlier: Vec<u64>,
    /// The moves to choose among. Empty if the game is over.
    pub moves: Vec<Move>,
    pub lines: usize,
    pub threads: usize,
    pub level: Level,
    pub seed: u64,
    pub limits: Limits,
    pub release: MoveRelease,
}

/// The command for which a finished search waits before it reports its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveRelease {
    /// No command: the move is reported as soon as it is found.
    WhenFound,
    /// `stop`, after `go infinite`.
    OnStop,
    /// `ponderhit` or `stop`, after `go ponder`.
    OnPonderHit,
}

impl Job {
    /// Runs the search. `write` receives lines of `info`. The time in these lines comes from
    /// `elapsed`. Returns the last lines and the engine.
    pub(super) fn run(
        mut self,
        control: &dyn SearchControl,
        elapsed: impl Fn() -> Duration,
        mut write: impl FnMut(String),
    ) -> (Vec<String>, Engine) {
        if self.moves.is_empty() {
            let over = vec!["info string the game is over".to_owned(), format!("bestmove {NULL_MOVE}")];
            return (over, self.engine);
        }
        let request = SearchRequest {
            earlier: &self.earlier,
            root_moves: &self.moves,
            lines: self.lines,
            threads: self.threads,
            level: self.level,
            seed: self.seed,
            ..SearchRequest::new(&self.position, self.limits)
        };
        let mut last = Report::default();
        let mut report_progress = |report: &Report| {
            infos(report, elapsed()).for_each(&mut write);
            last.clone_from(report);
        };
        let result = self.engine.search(&request, control, &mut report_progress);
        let is_new = result.report.lines != last.lines || result.report.depth != last.depth;
        let mut lines: Vec<String> =
            if is_new { infos(&result.report, elapsed()).collect() } else { Vec::new() };
        lines.push(bestmove_line(&result));
        (lines, self.engine)
    }
}

/// Returns one `info` line for each of the best moves.
fn infos(report: &Report, elapsed: Duration) -> impl Iterator<Item = String> {
    (1..).zip(&report.lines).map(move |(rank, line)| info(report, rank, line, elapsed))
}

fn info(report: &Report, rank: usize, line: &Line, elapsed: Duration) -> String {
    let Report { depth, selective_depth, nodes, table_full, .. } = report;
    let score = match line.score {
        Score::Centipawns(points) => format!("cp {points}"),
        Score::Mate(moves) => format!("mate {moves}"),
    };
    let seats: String =
        line.seats.iter().map(|(color, points)| format!(" {} {points}", color.letter())).collect();
    let seats = if seats.is_empty() { seats } else { format!(" seats{seats}") };
    let ms = elapsed.as_millis();
    let nps = u128::from(*nodes) * 1_000_000 / elapsed.as_micros().max(1);
    let moves: String = line.moves.iter().map(|mv| format!(" {mv}")).collect();
    format!(
        "info depth {depth} seldepth {selective_depth} multipv {rank} score {score}{seats} nodes {nodes} nps {nps} \
         hashfull {table_full} time {ms} pv{moves}"
    )
}

fn bestmove_line(result: &SearchResult) -> String {
    match (result.best, result.ponder) {
        (None, _) => format!("bestmove {NULL_MOVE}"),
        (Some(best), None) => format!("bestmove {best}"),
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
    }
}

#[cfg(test)]
mod tests {
    use quadrex_rules::Color;

    use super::*;

    fn report(line: Line) -> Report {
        Report {
            depth: 7,
            selective_depth: 12,
            nodes: 3_000,
            elapsed: Duration::ZERO,
            table_full: 15,
            lines: vec![line],
        }
    }

    fn moves(words: &str) -> Vec<Move> {
        words.split(' ').map(|word| word.parse().unwrap()).collect()
    }

    #[test]
    fn an_info_line_contains_score_work_and_moves() {
        let line = Line { score: Score::Centipawns(-31), seats: Vec::new(), moves: moves("e2e4 e7e5") };
        let expected = "info depth 7 seldepth 12 multipv 1 score cp -31 nodes 3000 nps 2000000 hashfull 15 time 1 pv e2e4 e7e5";
        assert_eq!(infos(&report(line), Duration::from_micros(1_500)).collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn each_of_four_players_has_a_score() {
        let seats = vec![(Color::Red, 10), (Color::Blue, -20), (Color::Yellow, 10), (Color::Green, 0)];
        let line = Line { score: Score::Mate(2), seats, moves: moves("h2h4") };
        let lines: Vec<_> = infos(&report(line), Duration::ZERO).collect();
        assert!(lines[0].contains(" score mate 2 seats r 10 b -20 y 10 g 0 nodes 3000 "), "{lines:?}");
    }

    #[test]
    fn the_ponder_move_follows_the_best_move() {
        let result = |best: Option<&str>, ponder: Option<&str>| SearchResult {
            best: best.map(|word| word.parse().unwrap()),
            ponder: ponder.map(|word| word.parse().unwrap()),
            report: Report::default(),
        };
        assert_eq!(bestmove_line(&result(Some("e2e4"), Some("e7e5"))), "bestmove e2e4 ponder e7e5");
        assert_eq!(bestmove_line(&result(Some("a7a8q"), None)), "bestmove a7a8q");
        assert_eq!(bestmove_line(&result(None, None)), "bestmove 0000");
    }
}
