//! Sessions in which lines arrive while a search runs, with a clock that the test advances.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::io::{self, BufReader, PipeWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Far longer than any answer takes.
const TIMEOUT: Duration = Duration::from_secs(60);

/// An output that sends each complete line to a channel.
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

/// A session that runs in a thread of its own.
struct Uci {
    input: Option<PipeWriter>,
    output: Option<Receiver<String>>,
    time_ms: Arc<AtomicU64>,
    ended: JoinHandle<io::Result<()>>,
}

impl Uci {
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

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn receive(&self) -> String {
        self.output.as_ref().unwrap().recv_timeout(TIMEOUT).unwrap()
    }

    /// Returns the next line that is not the `info` of a search.
    fn receive_answer(&self) -> String {
        loop {
            let line = self.receive();
            if !line.starts_with("info depth ") {
                return line;
            }
        }
    }

    /// Returns the next line, which ends a search.
    fn receive_bestmove(&self) -> String {
        let line = self.receive_answer();
        assert!(line.starts_with("bestmove "), "{line}");
        line
    }

    fn advance_ms(&self, ms: u64) {
        self.time_ms.fetch_add(ms, Ordering::Relaxed);
    }

    /// Closes the input and returns the remaining output.
    fn close(mut self) -> Vec<String> {
        drop(self.input.take());
        self.ended.join().unwrap().unwrap();
        self.output.unwrap().into_iter().collect()
    }
}

#[test]
fn a_running_search_reports_and_can_be_stopped() {
    let mut uci = Uci::start();
    uci.send("go infinite");
    assert!(uci.receive().starts_with("info depth 1 "));
    uci.send("isready");
    assert_eq!(uci.receive_answer(), "readyok");
    uci.send("d");
    while uci.receive() != "Reason: -" {}
    uci.send("go depth 1");
    assert_eq!(uci.receive_answer(), "info string error: go: a search is still going on, stop it first");
    uci.send("stop");
    uci.receive_bestmove();
    uci.send("isready");
    assert_eq!(uci.receive(), "readyok");
    assert_eq!(uci.close(), [""; 0]);
}

/// The first depth is enough for the search, but the move is reported only after `stop`.
#[test]
fn a_finished_endless_search_waits_for_stop() {
    let mut uci = Uci::start();
    uci.send("go infinite depth 1");
    assert!(uci.receive().starts_with("info depth 1 "));
    uci.send("isready");
    assert_eq!(uci.receive(), "readyok");
    uci.send("ponderhit");
    uci.send("isready");
    assert_eq!(uci.receive(), "readyok");
    uci.send("stop");
    uci.receive_bestmove();
    uci.close();
}

/// The clock does not advance, so the search ends because it has found the mate or proved that
/// there is none.
#[test]
fn a_search_for_a_mate_ends_by_itself() {
    for (position, go, expected) in [
        ("startpos", "go mate 1", ""),
        ("startpos", "go mate 2", ""),
        ("fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "go mate 1", "a1a8"),
        ("fen 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", "go mate 1", ""),
        ("fen 7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", "go mate 5", ""),
    ] {
        let mut uci = Uci::start();
        uci.send(&format!("position {position}"));
        uci.send(go);
        let lines = uci.close();
        let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
        assert!(best.starts_with(expected) && !best.starts_with("0000"), "{go}: {lines:?}");
    }
}

/// All errors are reported first, and the valid parameters are used.
#[test]
fn every_go_gets_a_move_despite_errors() {
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
        let mut uci = Uci::start();
        uci.send(go);
        for error in errors {
            assert_eq!(uci.receive_answer(), format!("info string error: {error}"), "{go}");
        }
        uci.send("isready");
        let first = uci.receive_answer();
        // The search has started, so its time is over after this advance.
        uci.advance_ms(10_000);
        let answers = [first, uci.receive_answer()];
        let best = answers.iter().find_map(|line| line.strip_prefix("bestmove "));
        assert!(best.unwrap().starts_with(expected) && best != Some("0000"), "{go}: {answers:?}");
        assert_eq!(uci.close(), [""; 0], "one answer to {go}");
    }
}

/// Only the word that is not UTF-8 is an error.
#[test]
fn a_go_with_invalid_utf_8_gets_a_move() {
    let mut output = Vec::new();
    quadrex_uci::run(&b"go depth 1 \xf6\nisready\n"[..], &mut output, || Duration::ZERO).unwrap();
    let text = String::from_utf8(output).unwrap();
    assert!(text.starts_with("info string error: go: unexpected \"\u{fffd}\"\n"), "{text}");
    assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
}

/// The clock does not advance by itself, so the search ends because the test advances the clock.
#[test]
fn a_search_ends_with_its_time() {
    for go in ["go movetime 500", "go wtime 20000 btime 1", "go", "go depth 100 movetime 500"] {
        let mut uci = Uci::start();
        uci.send(go);
        uci.send("isready");
        assert_eq!(uci.receive_answer(), "readyok", "{go}");
        uci.advance_ms(10_000);
        uci.receive_bestmove();
        assert_eq!(uci.close(), [""; 0]);
    }
}

#[test]
fn time_passes_for_a_pondering_search_after_ponderhit() {
    let mut uci = Uci::start();
    uci.send("go ponder wtime 20000 btime 20000");
    assert!(uci.receive().starts_with("info depth 1 "));
    uci.advance_ms(1_000_000);
    uci.send("isready");
    assert_eq!(uci.receive_answer(), "readyok");
    uci.send("ponderhit");
    uci.send("isready");
    assert_eq!(uci.receive_answer(), "readyok", "no time has passed since ponderhit");
    uci.advance_ms(10_000);
    uci.receive_bestmove();
    uci.close();
}

#[test]
fn commands_that_wait_for_a_search_run_in_order() {
    let mut uci = Uci::start();
    uci.send("go movetime 500");
    uci.send("position startpos moves e2e4");
    uci.send("hello");
    uci.send("go infinite");
    uci.send("isready");
    uci.send("position startpos");
    uci.send("stop");
    uci.receive_bestmove();
    assert_eq!(uci.receive_answer(), "info string error: unknown command \"hello\"");
    assert_eq!(uci.receive_answer(), "readyok");
    let busy = "info string error: position: a search is still going on, stop it first";
    assert_eq!(uci.receive_answer(), busy);
    uci.receive_bestmove();
    uci.send("d");
    while !uci.receive().starts_with("Fen: rnbqkbnr/pppppppp/8/8/4P3/") {}
    uci.close();
}

#[test]
fn the_end_of_input_waits_for_a_search_that_ends_and_ends_one_that_does_not() {
    for go in ["go depth 2", "go infinite", "go ponder movetime 5"] {
        let mut uci = Uci::start();
        uci.send(go);
        let lines = uci.close();
        assert!(lines.last().unwrap().starts_with("bestmove "), "{go}: {lines:?}");
        assert!(
            go != "go depth 2" || lines.iter().any(|line| line.starts_with("info depth 2 ")),
            "{lines:?}"
        );
    }
}

/// The search's clock never advances, so only `quit` can have ended the search.
#[test]
fn quit_ends_a_running_search() {
    for go in ["go movetime 500", "go infinite"] {
        let mut uci = Uci::start();
        uci.send(go);
        uci.send("quit");
        uci.receive_bestmove();
        uci.ended.join().unwrap().unwrap();
    }
}

#[test]
fn a_session_whose_output_is_closed_ends() {
    let mut uci = Uci::start();
    drop(uci.output.take());
    uci.send("isready");
    assert_eq!(uci.ended.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}
