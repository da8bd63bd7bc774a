//! Searches: their output, and commands while they run.

use super::{COMPACT, DILKEL, answers, described};

/// Returns the lines that are not `info` of a search.
fn without_info(lines: &[&str]) -> Vec<String> {
    let is_other = |line: &String| !line.starts_with("info depth ");
    answers(lines).into_iter().filter(is_other).collect()
}

/// Returns the move in the only line that is not `info`.
fn best_move(lines: &[&str]) -> String {
    let output = without_info(lines);
    let [line] = output.as_slice() else { panic!("{output:?}") };
    line.strip_prefix("bestmove ").unwrap().split(' ').next().unwrap().to_owned()
}

const BACK_RANK: &str = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

#[test]
fn go_plays_a_move() {
    let clocks = "go wtime 60000 btime -20 winc 0 binc 0 movestogo 30";
    let own_clock = "go wtime 2000";
    let fallen = "go wtime -20 btime 60000";
    for go in [
        "go",
        "go depth 1",
        "go depth 3",
        "go movetime 50",
        "go nodes 500",
        "go mate 1",
        clocks,
        own_clock,
        fallen,
    ] {
        assert_eq!(best_move(&[BACK_RANK, go]), "a1a8", "{go}");
    }
    assert_eq!(best_move(&[BACK_RANK, "go nodes 500 searchmoves e1e2"]), "e1e2");
    let four = "go rtime 1000 btime 1000 ytime 1000 gtime 1000 rinc 1 binc 1 yinc 1 ginc 1";
    for variant in [DILKEL, COMPACT] {
        assert_ne!(best_move(&[variant, four]), "0000");
    }
    let over = answers(&["position startpos moves white-resigns", "go"]);
    assert_eq!(over, ["info string the game is over", "bestmove 0000"]);
}

/// Each of the best moves has a line, best first, with all fields of UCI.
#[test]
fn a_search_reports_lines_with_all_fields() {
    let output = answers(&["setoption name MultiPV value 3", "go depth 2"]);
    let last: Vec<&String> = output.iter().filter(|line| line.starts_with("info depth ")).collect();
    let last = &last[last.len() - 3..];
    for (place, line) in (1..).zip(last) {
        let mut words = line.split(' ');
        for word in
            ["info", "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"]
        {
            assert!(words.any(|other| other == word), "no {word} in {line:?}");
        }
        assert!(line.contains(&format!(" multipv {place} score cp ")), "{line:?}");
    }
    let best = last[0].split(" pv ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(output.last().unwrap().starts_with(&format!("bestmove {best}")), "{output:?}");
    let four = answers(&[DILKEL, "go depth 1"]);
    assert!(four.iter().any(|line| line.contains(" seats r ")), "{four:?}");
}

#[test]
fn an_endless_search_answers_when_it_is_stopped() {
    let output = without_info(&[
        BACK_RANK,
        "go infinite",
        "isready",
        "position startpos",
        "ponderhit",
        "stop",
        "stop",
        "isready",
    ]);
    let busy = "info string error: position: a search is still going on, stop it first";
    assert_eq!(output, ["readyok", busy, "bestmove a1a8", "readyok"]);
    assert_eq!(best_move(&[BACK_RANK, "go ponder wtime 1000 btime 1000", "ponderhit"]), "a1a8");
    assert_eq!(best_move(&[BACK_RANK, "go ponder movetime 10", "stop"]), "a1a8");
    assert_eq!(best_move(&[BACK_RANK, "go infinite"]), "a1a8");
    assert_eq!(best_move(&[BACK_RANK, "go infinite", "quit"]), "a1a8");
}

/// A script may be sent at once: commands that conflict with a search wait for its end.
#[test]
fn a_conflicting_command_waits_for_the_end_of_the_search() {
    let output =
        without_info(&[BACK_RANK, "go depth 2", "position startpos moves e2e4", "go perft 1", "go depth 1"]);
    assert_eq!(output[0], "bestmove a1a8");
    assert!(output.contains(&"Nodes searched: 20".to_owned()), "{output:?}");
    assert!(output.last().unwrap().starts_with("bestmove "), "{output:?}");
    assert_eq!(output.len(), 24);
}

#[test]
fn option_names_ignore_case_and_classic_is_also_called_chess() {
    let facts = described(&[
        DILKEL,
        "setoption name hash value 2",
        "setoption name THREADS value 2",
        "setoption name Clear Hash",
        "setoption name uci_limitstrength value TRUE",
        "setoption name UCI_Variant value chess",
    ]);
    assert_eq!(facts[1], "Turn: white");
}
