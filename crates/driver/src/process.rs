//! An engine's process and the dialogue with it.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use quadrex_rules::{Game, Variant};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::description::{Description, VARIANT};
use crate::go::{Go, position};
use crate::lines::{Lines, after_word};
use crate::reply::{BestMove, score};

/// The time that an engine has to send its move after `stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// The time that a process has to exit after closing its output.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// The number of characters of a wrong answer that an error shows.
const MAX_QUOTED_CHARS: usize = 40;

/// The command line and settings of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The program, searched in `PATH` if it is not a path.
    pub command: PathBuf,
    /// The arguments.
    pub arguments: Vec<String>,
    /// The options to set after the start.
    pub options: BTreeMap<String, String>,
    /// The time limit for every reply except the reply to a search.
    pub reply_timeout: Duration,
    /// The nice value (setpriority(2)) of the process, if it differs from the value of this
    /// process.
    pub nice: Option<i32>,
    /// True if the engine inherits standard error; false if its standard error is discarded.
    pub inherit_stderr: bool,
}

/// The failure of an engine to return a move.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The program cannot be started.
    #[error("it cannot be started: {0}")]
    Start(io::Error),
    /// The engine ended, or its pipes broke.
    #[error("it ended{}", .0.map(|status| format!(" with {status}")).unwrap_or_default())]
    Ended(Option<ExitStatus>),
    /// The engine did not reply in time.
    #[error("it timed out before {0}")]
    Timeout(&'static str),
    /// The answer is not a legal move.
    #[error("its move is {0:?}")]
    IllegalMove(String),
    /// The engine does not play the variant.
    #[error("it does not know {0}")]
    Variant(Variant),
}

/// A running engine, killed when dropped.
#[derive(Debug)]
pub struct Engine {
    child: Child,
    input: ChildStdin,
    output: Lines<ChildStdout>,
    description: Description,
    reply_timeout: Duration,
}

impl Engine {
    /// Starts the engine, reads its description and sets its options.
    ///
    /// # Errors
    /// Returns [`EngineError`] if one of these steps fails. The values of options are not checked
    /// here, because engines ignore unknown values; [`Description::check`] checks them.
    pub async fn start(launch: &Launch) -> Result<Self, EngineError> {
        let mut command = Command::new(&launch.command);
        command.args(&launch.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(if launch.inherit_stderr { Stdio::inherit() } else { Stdio::null() });
        // Signals from the keyboard, such as Ctrl-C, must not reach the engine.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.kill_on_drop(true).spawn().map_err(EngineError::Start)?;
        if let Some(nice) = launch.nice {
            set_nice(&child, nice);
        }
        let input = child.stdin.take().expect("it is a pipe");
        let output = child.stdout.take().expect("it is a pipe");
        let output = Lines::new(output);
        let description = Description::default();
        let mut engine = Self { child, input, output, description, reply_timeout: launch.reply_timeout };
        engine.send("uci").await?;
        let mut description = Description::default();
        let is_all = |line: &str| {
            description.add_line(line);
            after_word(line, "uciok").map(drop)
        };
        engine.wait_for("uciok", launch.reply_timeout, is_all).await?;
        engine.description = description;
        for (name, value) in &launch.options {
            engine.set(name, value).await?;
        }
        Ok(engine)
    }

    /// Returns the engine's description of itself.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Sets an option.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the engine does not read the command.
    pub async fn set(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        self.send(&format!("setoption name {name}{value}")).await
    }

    /// Starts a new game of a variant and waits until the engine is ready.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the engine does not play the variant, or does not become ready.
    pub async fn begin(&mut self, variant: Variant) -> Result<(), EngineError> {
        if !self.description.plays(variant) {
            return Err(EngineError::Variant(variant));
        }
        if let Some(word) = self.description.word_for(variant).map(str::to_owned) {
            self.set(VARIANT, &word).await?;
        }
        self.send("ucinewgame").await?;
        self.synchronize().await
    }

    /// Waits until the engine has read all commands, and discards its earlier output. Otherwise a
    /// late `bestmove` of the previous search would be mistaken for the answer to the next search.
    async fn synchronize(&mut self) -> Result<(), EngineError> {
        self.send("isready").await?;
        self.wait_for("readyok", self.reply_timeout, |line| after_word(line, "readyok").map(drop)).await
    }

    /// Searches for a move in this game. When the future `stopped` completes, the engine is stopped
    /// and returns the best move it has found.
    ///
    /// If this future is dropped before its end, the engine must be dropped too.
    ///
    /// # Errors
    /// Returns [`EngineError`] if the engine returns no legal move in time.
    pub async fn search(
        &mut self,
        game: &Game,
        go: &Go,
        stopped: impl Future<Output = ()>,
    ) -> Result<BestMove, EngineError> {
        self.send(&position(game)).await?;
        self.synchronize().await?;
        self.send(&go.line()).await?;
        let color = game.position().turn();
        let mut latest = None;
        let mut is_best = |line: &str| {
            latest = score(line, color).or(latest);
            Some(after_word(line, "bestmove")?.split_whitespace().next().unwrap_or_default().to_owned())
        };
        let found = tokio::select! {
            found = self.wait_for("bestmove", go.timeout, &mut is_best) => Some(found),
            () = stopped => None,
        };
        let best = match found {
            Some(Ok(best)) => best,
            Some(Err(EngineError::Timeout(_))) | None => {
                self.send("stop").await?;
                self.wait_for("bestmove", STOP_TIMEOUT, is_best).await?
            }
            Some(Err(error)) => return Err(error),
        };
        let mv = best.parse().ok().filter(|mv| game.position().is_legal(*mv));
        Ok(BestMove {
            mv: mv.ok_or(EngineError::IllegalMove(best.chars().take(MAX_QUOTED_CHARS).collect()))?,
            score: latest,
        })
    }

    async fn send(&mut self, line: &str) -> Result<(), EngineError> {
        tracing::debug!("> {line}");
        let text = format!("{line}\n");
        match timeout(self.reply_timeout, self.input.write_all(text.as_bytes())).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(self.ended().await),
            Err(_) => Err(EngineError::Timeout("reading its input")),
        }
    }

    /// Waits for the first line for which `select` returns a value, and returns this value. No
    /// output is lost if the future is dropped.
    async fn wait_for<T>(
        &mut self,
        what: &'static str,
        reply_timeout: Duration,
        mut select: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, EngineError> {
        let matching = async {
            while let Some(line) = self.output.next().await.ok().flatten() {
                tracing::debug!("< {line}");
                if let Some(selected) = select(&line) {
                    return Some(selected);
                }
            }
            None
        };
        match timeout(reply_timeout, matching).await {
            Ok(Some(selected)) => Ok(selected),
            Ok(None) => Err(self.ended().await),
            Err(_) => Err(EngineError::Timeout(what)),
        }
    }

    /// Returns the error of an engine that has ended.
    async fn ended(&mut self) -> EngineError {
        EngineError::Ended(timeout(EXIT_TIMEOUT, self.child.wait()).await.ok().and_then(Result::ok))
    }
}

/// Lowers the priority of the process.
fn set_nice(child: &Child, nice: i32) {
    let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    if let Err(error) = rustix::process::setpriority_process(id, nice) {
        tracing::debug!("an engine keeps its usual priority: {error}");
    }
}
