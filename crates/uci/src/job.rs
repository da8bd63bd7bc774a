//! A search from its `go` to its `bestmove`.

use std::time::Duration;

use quadrex_engine::{
    Engine, Level, Limits, Line, Report, Score, SearchControl, SearchRequest, SearchResult,
};
use quadrex_rules::{AnyPosition, Move};

/// UCI's word for no move.
const NULL_MOVE: &str = "0000";

/// All that a search needs, the engine included, so that it can be done elsewhere.
#[derive(Debug)]
pub(super) struct Job {
    /// Lines that report what could not be read of the `go`; they come before all others.
    pub faults: Vec<String>,
    pub engine: Engine,
    pub position: AnyPosition,
    /// The keys of what has occurred in the game, as a task wants them.
    pub earlier: Vec<u64>,
    /// The moves to choose among; empty when the game is over.
    pub moves: Vec<Move>,
    pub lines: usize,
    pub threads: usize,
    pub level: Level,
    pub seed: u64,
    pub limits: Limits,
    pub hold: Hold,
}

/// Until when the move is held back, even if it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// It is told when it is found.
    No,
    /// `infinite`: until `stop`.
    UntilStop,
    /// `ponder`: until `ponderhit` or `stop`.
    UntilHit,
}

impl Job {
    /// Searches. `told` hears lines of `info`, with the time that `elapsed` tells; the last lines are given back, with the
    /// engine.
    pub(super) fn run(
        mut self,
        watch: &dyn SearchControl,
        elapsed: impl Fn() -> Duration,
        mut told: impl FnMut(String),
    ) -> (Vec<String>, Engine) {
        if self.moves.is_empty() {
            let over = vec!["info string the game is over".to_owned(), format!("bestmove {NULL_MOVE}")];
            return (over, self.engine);
        }
        let task = SearchRequest {
            earlier: &self.earlier,
            moves: &self.moves,
            lines: self.lines,
            threads: self.threads,
            level: self.level,
            seed: self.seed,
            ..SearchRequest::new(&self.position, self.limits)
        };
        let mut last = Report::default();
        let mut tell = |report: &Report| {
            infos(report, elapsed()).for_each(&mut told);
            last.clone_from(report);
        };
        let found = self.engine.search(&task, watch, &mut tell);
        let is_news = found.report.lines != last.lines || found.report.depth != last.depth;
        let mut lines: Vec<String> =
            if is_news { infos(&found.report, elapsed()).collect() } else { Vec::new() };
        lines.push(best(&found));
        (lines, self.engine)
    }
}

/// A line for each of the best moves.
fn infos(report: &Report, elapsed: Duration) -> impl Iterator<Item = String> {
    (1..).zip(&report.lines).map(move |(place, line)| info(report, place, line, elapsed))
}

fn info(report: &Report, place: usize, line: &Line, elapsed: Duration) -> String {
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
        "info depth {depth} seldepth {selective_depth} multipv {place} score {score}{seats} nodes {nodes} nps {nps} \
         hashfull {table_full} time {ms} pv{moves}"
    )
}

fn best(found: &SearchResult) -> String {
    match (found.best, found.ponder) {
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
    fn an_info_tells_score_work_and_line() {
        let line = Line { score: Score::Centipawns(-31), seats: Vec::new(), moves: moves("e2e4 e7e5") };
        let expected = "info depth 7 seldepth 12 multipv 1 score cp -31 nodes 3000 nps 2000000 hashfull 15 time 1 pv e2e4 e7e5";
        assert_eq!(infos(&report(line), Duration::from_micros(1_500)).collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn four_players_have_a_score_each() {
        let seats = vec![(Color::Red, 10), (Color::Blue, -20), (Color::Yellow, 10), (Color::Green, 0)];
        let line = Line { score: Score::Mate(2), seats, moves: moves("h2h4") };
        let told: Vec<_> = infos(&report(line), Duration::ZERO).collect();
        assert!(told[0].contains(" score mate 2 seats r 10 b -20 y 10 g 0 nodes 3000 "), "{told:?}");
    }

    #[test]
    fn the_expected_answer_stands_behind_the_move() {
        let found = |best: Option<&str>, ponder: Option<&str>| SearchResult {
            best: best.map(|word| word.parse().unwrap()),
            ponder: ponder.map(|word| word.parse().unwrap()),
            report: Report::default(),
        };
        assert_eq!(best(&found(Some("e2e4"), Some("e7e5"))), "bestmove e2e4 ponder e7e5");
        assert_eq!(best(&found(Some("a7a8q"), None)), "bestmove a7a8q");
        assert_eq!(best(&found(None, None)), "bestmove 0000");
    }
}
