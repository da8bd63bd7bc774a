//! Whole talks with the text interface.

use quadrex_uci::Session;

/// The deepest count that is asked for: deeper ones take long by their nature.
const DEEPEST_PERFT: u32 = 2;

/// What is put behind each search, for the same reason.
const SEARCH_LIMIT: &[u8] = b" depth 1 nodes 50";

/// How many searches and counts a session is asked for.
const MOST_WORK: usize = 3;

/// The most lines an answer has: `go perft` of a board full of queens.
const MOST_LINES: usize = 2000;
/// The longest line: `d` with its FEN4.
const LONGEST_LINE: usize = 4000;

/// Says every line of the input to one session. A line that is refused changes nothing: without it, the others get
/// the same answers.
pub fn check(data: &[u8]) {
    let mut session = Session::new();
    let mut taken = Vec::new();
    let mut expected = String::new();
    let mut work = 0;
    for line in data.split(|&byte| byte == b'\n') {
        let Some(line) = bounded(line) else { continue };
        work += usize::from(line.trim_ascii_start().starts_with(b"go"));
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
        let is_refusal = answer.first().is_some_and(|first| first.starts_with("info string error: "));
        if is_refusal {
            assert_eq!(answer.len(), 1, "a refusal is one line: {answer:?}");
        }
        if !is_refusal || str::from_utf8(&line).is_err() {
            taken.extend_from_slice(&line);
            taken.push(b'\n');
            answer.iter().for_each(|line| expected.extend([line, "\n"]));
        }
    }
    let end = session.answer("d").expect("only quit ends a session");
    check_answer(&end);
    end.iter().for_each(|line| expected.extend([line, "\n"]));
    taken.extend(b"d\nquit\n");

    let mut output = Vec::new();
    quadrex_uci::run(taken.as_slice(), &mut output).expect("memory does not fail");
    assert_eq!(String::from_utf8(output).as_deref(), Ok(expected.as_str()));
}

fn check_answer(answer: &[String]) {
    assert!(answer.len() <= MOST_LINES, "{} lines", answer.len());
    for line in answer {
        assert!(line.len() <= LONGEST_LINE, "a line of {} bytes", line.len());
        assert!(!line.contains(['\n', '\r']), "{line:?}");
    }
}

/// The line as it may be said, `None` for one that would take long.
fn bounded(line: &[u8]) -> Option<Vec<u8>> {
    let Ok(text) = str::from_utf8(line) else { return Some(line.to_vec()) };
    let words: Vec<&str> = text.split_whitespace().collect();
    match *words.as_slice() {
        ["go", "perft", depth, ..] if depth.parse().is_ok_and(|depth: u32| depth > DEEPEST_PERFT) => None,
        ["go", "perft", ..] => Some(line.to_vec()),
        ["go", ..] => Some([line, SEARCH_LIMIT].concat()),
        _ => Some(line.to_vec()),
    }
}
