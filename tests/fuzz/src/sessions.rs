//! Checks of UCI sessions.

use std::time::Duration;

use quadrex_uci::Session;

/// The maximum perft depth; greater depths take too long.
const DEEPEST_PERFT: u32 = 2;

/// The limit appended to each search, for the same reason.
const SEARCH_LIMIT: &[u8] = b" depth 1 nodes 50";

/// The maximum number of searches and perft counts in a session.
const MOST_WORK: usize = 3;

/// The maximum number of lines in an answer: `go perft` on a board full of queens.
const MOST_LINES: usize = 2000;
/// The maximum length of a line: `d` with its FEN4.
const LONGEST_LINE: usize = 4000;

/// Options that are not set. The result of a search with several threads varies, and clearing a
/// large table takes long.
const LEFT_ALONE: [&str; 2] = ["threads", "hash"];

/// Sends every line of the input to one session. A refused line must have no effect: another
/// session, which gets only the other lines, and gets them during a search, must give the same
/// answers.
pub fn check(data: &[u8]) {
    let mut session = Session::new();
    let mut taken = Vec::new();
    let mut expected = Vec::new();
    let mut work = 0;
    for line in data.split(|&byte| byte == b'\n') {
        let Some(line) = with_limit(line) else { continue };
        let is_go = line.trim_ascii_start().starts_with(b"go");
        // A limit cannot be appended to this line, so the search might never end.
        if is_go && str::from_utf8(&line).is_err() {
            continue;
        }
        work += usize::from(is_go);
        if work > MOST_WORK {
            break;
        }
        let answer = match str::from_utf8(&line) {
            Ok(text) => match session.answer(text) {
                Some(answer) => answer,
                None => break,
            },
            Err(_) => vec!["info string error: line is not UTF-8 text".to_owned()],
        };
        check_answer(&answer);
        let begins_with_error = answer.first().is_some_and(|first| first.starts_with("info string error: "));
        // An unreadable part of a `go` line is reported too, but the search still starts.
        let refuses =
            |line: &String| line.contains(": a search is still going on") || line.contains("go: perft");
        let is_refusal = begins_with_error && (!is_go || answer.first().is_some_and(refuses));
        assert!(!is_refusal || answer.len() == 1, "a refusal is one line: {answer:?}");
        if !is_refusal || str::from_utf8(&line).is_err() {
            taken.extend_from_slice(&line);
            taken.push(b'\n');
            expected.extend(answer);
        }
    }
    for line in ["stop", "d"] {
        let answer = session.answer(line).expect("only quit ends a session");
        check_answer(&answer);
        expected.extend(answer);
        taken.extend([line.as_bytes(), b"\n"].concat());
    }

    let mut output = Vec::new();
    quadrex_uci::run(taken.as_slice(), &mut output, || Duration::ZERO).expect("memory does not fail");
    let output = String::from_utf8(output).expect("output is text");
    let answers: Vec<&str> = output.lines().filter(|line| has_fixed_position(line)).collect();
    expected.retain(|line| has_fixed_position(line));
    assert_eq!(answers, expected);
}

/// Returns whether the position of an output line does not depend on the speed of a search. The
/// reports of a running search vary.
fn has_fixed_position(line: &str) -> bool {
    line != "readyok" && !line.starts_with("info depth ")
}

fn check_answer(answer: &[String]) {
    assert!(answer.len() <= MOST_LINES, "{} lines", answer.len());
    for line in answer {
        assert!(line.len() <= LONGEST_LINE, "a line of {} bytes", line.len());
        assert!(!line.contains(['\n', '\r']), "{line:?}");
    }
}

/// Returns the line with its limit, or `None` if it would take too long.
fn with_limit(line: &[u8]) -> Option<Vec<u8>> {
    let Ok(text) = str::from_utf8(line) else { return Some(line.to_vec()) };
    let words: Vec<&str> = text.split_whitespace().collect();
    match *words.as_slice() {
        ["go", "perft", depth, ..] if depth.parse().is_ok_and(|depth: u32| depth > DEEPEST_PERFT) => None,
        ["go", "perft", ..] => Some(line.to_vec()),
        ["go", ..] => Some([line, SEARCH_LIMIT].concat()),
        ["setoption", "name", ref words @ ..] => {
            let name = words.concat().to_ascii_lowercase();
            let is_left_alone = LEFT_ALONE.iter().any(|option| name.starts_with(option));
            (!is_left_alone).then(|| line.to_vec())
        }
        _ => Some(line.to_vec()),
    }
}
