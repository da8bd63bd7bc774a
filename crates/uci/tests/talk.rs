//! Talks in which lines are said while a search goes on, by a clock that moves when it is told to.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::io::{self, BufReader, PipeWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Far more than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Gives each whole line to somebody else.
struct Output {
    line: Vec<u8>,
    lines: Sender<String>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            match byte {
                b'\n' => {
                    let line = String::from_utf8(std::mem::take(&mut self.line)).unwrap();
                    self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
                }
                _ => self.line.push(byte),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A talk going on in a thread of its own.
struct Talk {
    input: Option<PipeWriter>,
    output: Option<Receiver<String>>,
    time_ms: Arc<AtomicU64>,
    ended: JoinHandle<io::Result<()>>,
}

impl Talk {
    fn start() -> Self {
        let (reader, writer) = io::pipe().unwrap();
        let (lines, output) = mpsc::channel();
        let time_ms = Arc::new(AtomicU64::new(0));
        let clock = Arc::clone(&time_ms);
        let now = move || Duration::from_millis(clock.load(Ordering::Relaxed));
        let output_end = Output { line: Vec::new(), lines };
        let ended = thread::spawn(move || quadrex_uci::run(BufReader::new(reader), output_end, now));
        Self { input: Some(writer), output: Some(output), time_ms, ended }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn hear(&self) -> String {
        self.output.as_ref().unwrap().recv_timeout(PATIENCE).unwrap()
    }

    /// The next line that is no `info` of a search.
    fn hear_answer(&self) -> String {
        loop {
            let line = self.hear();
            if !line.starts_with("info depth ") {
                return line;
            }
        }
    }

    /// The next line that ends a search.
    fn hear_best(&self) -> String {
        let line = self.hear_answer();
        assert!(line.starts_with("bestmove "), "{line}");
        line
    }

    fn pass_ms(&self, ms: u64) {
        self.time_ms.fetch_add(ms, Ordering::Relaxed);
    }

    /// Closes the input, and gives all that was still told.
    fn close(mut self) -> Vec<String> {
        drop(self.input.take());
        self.ended.join().unwrap().unwrap();
        self.output.unwrap().into_iter().collect()
    }
}

#[test]
fn a_search_is_heard_of_and_stopped_while_it_goes_on() {
    let mut talk = Talk::start();
    talk.say("go infinite");
    assert!(talk.hear().starts_with("info depth 1 "));
    talk.say("isready");
    assert_eq!(talk.hear_answer(), "readyok");
    talk.say("d");
    while talk.hear() != "Reason: -" {}
    talk.say("go depth 1");
    assert_eq!(talk.hear_answer(), "info string error: go: a search is still going on, stop it first");
    talk.say("stop");
    talk.hear_best();
    talk.say("isready");
    assert_eq!(talk.hear(), "readyok");
    assert_eq!(talk.close(), [""; 0]);
}

/// No deeper look is needed than the first, yet the move is told on `stop` only.
#[test]
fn an_endless_search_that_is_done_waits_to_be_stopped() {
    let mut talk = Talk::start();
    talk.say("go infinite depth 1");
    assert!(talk.hear().starts_with("info depth 1 "));
    talk.say("isready");
    assert_eq!(talk.hear(), "readyok");
    talk.say("ponderhit");
    talk.say("isready");
    assert_eq!(talk.hear(), "readyok");
    talk.say("stop");
    talk.hear_best();
    talk.close();
}

/// The clock stands still: it ends because it is known that there is no mate, or with the mate.
#[test]
fn a_search_for_a_mate_ends_by_itself() {
    for (position, go, expected) in [
        ("startpos", "go mate 1", ""),
        ("startpos", "go mate 2", ""),
        ("fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go mate 1", "a1a8"),
        ("fen 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", "go mate 1", ""),
        ("fen 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", "go mate 5", ""),
    ] {
        let mut talk = Talk::start();
        talk.say(&format!("position {position}"));
        talk.say(go);
        let told = talk.close();
        let best = told.last().unwrap().strip_prefix("bestmove ").unwrap();
        assert!(best.starts_with(expected) && !best.starts_with("0000"), "{go}: {told:?}");
    }
}

/// What is wrong is reported first, all of it, and what is right counts.
#[test]
fn every_go_gets_its_move_whatever_is_wrong_with_it() {
    let no_number = |name: &str, word: &str| format!("go: {name}: {word:?} is not a number it can be");
    let cases: [(&str, &[String], &str); 12] = [
        (
            "go wtime 1000.5 btime 10000",
            &[no_number("wtime", "1000.5"), "go: no clock for white, who is to move".to_owned()],
            "",
        ),
        ("go searchmoves e2e5 depth 2", &["go: searchmoves: e2e5 is not legal here".to_owned()], ""),
        ("go depth 1 searchmoves e2e5 h2h4", &["go: searchmoves: e2e5 is not legal here".to_owned()], "h2h4"),
        ("go searchmoves h2h4 no depth 1", &["go: searchmoves: \"no\" is no move".to_owned()], "h2h4"),
        ("go depth nodes 50", &["go: depth: expected a number".to_owned()], ""),
        ("go depth x nodes 50", &[no_number("depth", "x")], ""),
        ("go depth 99999999999 nodes 50", &[no_number("depth", "99999999999")], ""),
        ("go mate -1 depth 1", &[no_number("mate", "-1")], ""),
        (
            "go nodes 50 somewhere else",
            &["go: unexpected \"somewhere\"".to_owned(), "go: unexpected \"else\"".to_owned()],
            "",
        ),
        (
            "go binc 5 winc depth 1",
            &["go: winc: expected a number".to_owned(), "go: no clock for white, who is to move".to_owned()],
            "",
        ),
        ("go", &[], ""),
        ("go depth 1 movestogo", &["go: movestogo: expected a number".to_owned()], ""),
    ];
    for (go, errors, expected) in cases {
        let mut talk = Talk::start();
        talk.say(go);
        for error in errors {
            assert_eq!(talk.hear_answer(), format!("info string error: {error}"), "{go}");
        }
        talk.say("isready");
        let first = talk.hear_answer();
        // The search has begun: whatever time it has is over now.
        talk.pass_ms(10_000);
        let answers = [first, talk.hear_answer()];
        let best = answers.iter().find_map(|line| line.strip_prefix("bestmove "));
        assert!(best.unwrap().starts_with(expected) && best != Some("0000"), "{go}: {answers:?}");
        assert_eq!(talk.close(), [""; 0], "one answer to {go}");
    }
}

/// The word that is no text is wrong, and no other.
#[test]
fn a_go_with_bytes_that_are_no_text_gets_its_move() {
    let mut output = Vec::new();
    quadrex_uci::run(&b"go depth 1 \xf6\nisready\n"[..], &mut output, || Duration::ZERO).unwrap();
    let told = String::from_utf8(output).unwrap();
    assert!(told.starts_with("info string error: go: unexpected \"\u{fffd}\"\n"), "{told}");
    assert_eq!(told.matches("bestmove ").count(), 1, "{told}");
}

/// The clock stands still, so nothing but its moving ends the search.
#[test]
fn a_search_ends_with_its_time() {
    for go in ["go movetime 500", "go wtime 20000 btime 1", "go", "go depth 100 movetime 500"] {
        let mut talk = Talk::start();
        talk.say(go);
        talk.say("isready");
        assert_eq!(talk.hear_answer(), "readyok", "{go}");
        talk.pass_ms(10_000);
        talk.hear_best();
        assert_eq!(talk.close(), [""; 0]);
    }
}

#[test]
fn time_passes_for_a_pondering_search_from_ponderhit_on() {
    let mut talk = Talk::start();
    talk.say("go ponder wtime 20000 btime 20000");
    assert!(talk.hear().starts_with("info depth 1 "));
    talk.pass_ms(1_000_000);
    talk.say("isready");
    assert_eq!(talk.hear_answer(), "readyok");
    talk.say("ponderhit");
    talk.say("isready");
    assert_eq!(talk.hear_answer(), "readyok", "no time has passed since ponderhit");
    talk.pass_ms(10_000);
    talk.hear_best();
    talk.close();
}

#[test]
fn what_waits_for_the_end_of_a_search_comes_in_its_order() {
    let mut talk = Talk::start();
    talk.say("go movetime 500");
    talk.say("position startpos moves e2e4");
    talk.say("hello");
    talk.say("go infinite");
    talk.say("isready");
    talk.say("position startpos");
    talk.say("stop");
    talk.hear_best();
    assert_eq!(talk.hear_answer(), "info string error: unknown command \"hello\"");
    assert_eq!(talk.hear_answer(), "readyok");
    let busy = "info string error: position: a search is still going on, stop it first";
    assert_eq!(talk.hear_answer(), busy);
    talk.hear_best();
    talk.say("d");
    while !talk.hear().starts_with("Fen: rnbqkbnr/pppppppp/8/8/4P3/") {}
    talk.close();
}

#[test]
fn the_end_of_input_waits_for_a_search_that_ends_and_ends_one_that_does_not() {
    for go in ["go depth 2", "go infinite", "go ponder movetime 5"] {
        let mut talk = Talk::start();
        talk.say(go);
        let told = talk.close();
        assert!(told.last().unwrap().starts_with("bestmove "), "{go}: {told:?}");
        assert!(go != "go depth 2" || told.iter().any(|line| line.starts_with("info depth 2 ")), "{told:?}");
    }
}

/// A search for which the clock would never move: only `quit` can have ended it.
#[test]
fn quit_ends_whatever_goes_on() {
    for go in ["go movetime 500", "go infinite"] {
        let mut talk = Talk::start();
        talk.say(go);
        talk.say("quit");
        talk.hear_best();
        talk.ended.join().unwrap().unwrap();
    }
}

#[test]
fn a_talk_without_a_listener_ends() {
    let mut talk = Talk::start();
    drop(talk.output.take());
    talk.say("isready");
    assert_eq!(talk.ended.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}
