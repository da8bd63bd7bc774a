//! Any engine that speaks UCI, as a player.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use quadrex_engine::SearchControl;
use quadrex_rules::{Game, Move, Variant};

use super::game::{Player, written};
use super::stopwatch::Stopwatch;

/// How long an answer may take beyond the time given for thinking.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long it may say nothing after it was asked to end.
const PATIENCE_AT_THE_END: Duration = Duration::from_secs(2);

/// How a program is started and what it is told for each move.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    /// The program and its arguments, with blanks between.
    pub command: String,
    /// `setoption`s: name and value.
    pub options: Vec<(String, String)>,
    /// What stands after `go`.
    pub go: String,
    /// The longest time any program started so has taken for a move, in microseconds.
    pub longest_us: Arc<AtomicU64>,
}

impl Launch {
    /// A command with `setoption`s written as `name=value`.
    ///
    /// # Errors
    /// Names the option without a value.
    pub(crate) fn new(command: &str, options: &[String], go: &str) -> Result<Self> {
        let pair = |option: &String| {
            let (name, value) =
                option.split_once('=').with_context(|| format!("{option:?} is not name=value"))?;
            Ok((name.to_owned(), value.to_owned()))
        };
        let options = options.iter().map(pair).collect::<Result<_>>()?;
        Ok(Self { command: command.to_owned(), options, go: go.to_owned(), longest_us: Arc::default() })
    }

    /// The longest time any program started so has taken for a move.
    pub(crate) fn longest(&self) -> Duration {
        Duration::from_micros(self.longest_us.load(Ordering::Relaxed))
    }
}

/// A running engine.
pub(crate) struct Program {
    launch: Launch,
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
    offered: Vec<String>,
}

impl Program {
    /// Starts it and sets its options.
    ///
    /// # Errors
    /// When it does not start, does not answer as UCI has it, or has no option of that name.
    pub(crate) fn start(launch: &Launch) -> Result<Self> {
        let mut words = launch.command.split_whitespace();
        let mut command = Command::new(words.next().context("the command of an engine is empty")?);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("starting {}", launch.command))?;
        let input = child.stdin.take().expect("its input is a pipe");
        let lines = BufReader::new(child.stdout.take().expect("its output is a pipe")).lines();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let mut program = Self { launch: launch.clone(), child, input, output, offered: Vec::new() };
        program.say("uci")?;
        let told = program.lines_until("uciok")?;
        program.offered = told.iter().filter_map(|line| option_name(line)).map(str::to_owned).collect();
        for (name, value) in program.launch.options.clone() {
            if !program.offers(&name) {
                bail!("{} has no option {name:?}", program.launch.command);
            }
            program.set(&name, &value)?;
        }
        Ok(program)
    }

    fn offers(&self, name: &str) -> bool {
        self.offered.iter().any(|offered| offered.eq_ignore_ascii_case(name))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        self.say(&format!("setoption name {name} value {value}"))
    }

    fn say(&mut self, line: &str) -> Result<()> {
        writeln!(self.input, "{line}").with_context(|| format!("{} has ended", self.launch.command))
    }

    /// All lines up to one that begins with this word, which is the last.
    fn lines_until(&mut self, word: &str) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            let line = self.output.recv_timeout(PATIENCE);
            let line = line.with_context(|| format!("{} does not say {word}", self.launch.command))?;
            if line.starts_with("info string error") {
                bail!("{}: {line}", self.launch.command);
            }
            let is_last = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if is_last {
                return Ok(lines);
            }
        }
    }
}

/// The name in `option name <name> type ...`.
pub(crate) fn option_name(line: &str) -> Option<&str> {
    let (name, _) = line.strip_prefix("option name ")?.split_once(" type ")?;
    Some(name.trim())
}

impl Player for Program {
    /// UCI knows no chance that could be given a seed: a program that draws some plays other games each time.
    fn begin(&mut self, variant: Variant, _: u64) -> Result<()> {
        if self.offers("Draws") {
            self.set("Draws", "automatic")?;
        }
        if self.offers("UCI_Variant") {
            self.set("UCI_Variant", variant.name())?;
        } else if variant != Variant::Classic {
            bail!("{} has no option UCI_Variant: it cannot play {variant}", self.launch.command);
        }
        self.say("ucinewgame")?;
        self.say("isready")?;
        self.lines_until("readyok").map(drop)
    }

    fn choose(&mut self, _: &Game, moves: &[Move]) -> Result<Move> {
        self.say(&format!("position startpos moves {}", written(moves)))?;
        let stopwatch = Stopwatch::start();
        self.say(&format!("go {}", self.launch.go))?;
        let told = self.lines_until("bestmove")?;
        let took_us = u64::try_from(stopwatch.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.launch.longest_us.fetch_max(took_us, Ordering::Relaxed);
        let line = told.last().expect("the line waited for");
        let word = line.split_whitespace().nth(1).unwrap_or_default();
        word.parse().with_context(|| format!("{} answered {line:?}", self.launch.command))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // One that does not go when asked is ended. Its output ends with it.
        let is_asked = self.say("quit").is_ok();
        while is_asked && self.output.recv_timeout(PATIENCE_AT_THE_END).is_ok() {}
        let (killed, waited) = (self.child.kill(), self.child.wait());
        drop((killed, waited));
    }
}
