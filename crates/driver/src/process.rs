//! An engine's process, and the talk with it.

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
use crate::said::{Answer, worth};

/// How long an engine may take to say its move once it was told to stop.
const OVERTIME: Duration = Duration::from_secs(1);

/// How long a process that has closed its output may take to be gone.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// How much of a wrong answer is told.
const SHOWN: usize = 40;

/// How an engine is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Its program, looked for in `PATH` if it is no path.
    pub command: PathBuf,
    /// What it is started with.
    pub arguments: Vec<String>,
    /// The options that are set once it has started.
    pub options: BTreeMap<String, String>,
    /// How long it may take for what is no search.
    pub patience: Duration,
    /// Its nice value (setpriority(2)), if not our own.
    pub nice: Option<i32>,
    /// Whether what it writes to standard error is seen where ours is; else nobody sees it.
    pub shows_errors: bool,
}

/// Why an engine gave no move.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Its program cannot be started.
    #[error("it cannot be started: {0}")]
    Start(io::Error),
    /// It ended, or its pipes broke.
    #[error("it ended{}", .0.map(|status| format!(" with {status}")).unwrap_or_default())]
    Ended(Option<ExitStatus>),
    /// It said nothing in time.
    #[error("it did not say {0} in time")]
    Silent(&'static str),
    /// Its answer is no legal move.
    #[error("its move is {0:?}")]
    Nonsense(String),
    /// It does not know the game.
    #[error("it does not know {0}")]
    Variant(Variant),
}

/// A running engine. Killed when it is dropped.
#[derive(Debug)]
pub struct Engine {
    child: Child,
    input: ChildStdin,
    output: Lines<ChildStdout>,
    description: Description,
    patience: Duration,
}

impl Engine {
    /// Starts it, hears what it is, and sets its options.
    ///
    /// # Errors
    /// [`EngineError`] when it does not come so far. What its options can be is not looked at ([`Description::check`]):
    /// engines pass over what they do not know.
    pub async fn start(launch: &Launch) -> Result<Self, EngineError> {
        let mut command = Command::new(&launch.command);
        command.args(&launch.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(if launch.shows_errors { Stdio::inherit() } else { Stdio::null() });
        // Of a key that is pressed to end us, such as Ctrl-C, it does not hear.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.kill_on_drop(true).spawn().map_err(EngineError::Start)?;
        if let Some(nice) = launch.nice {
            come_after(&child, nice);
        }
        let input = child.stdin.take().expect("it is a pipe");
        let output = child.stdout.take().expect("it is a pipe");
        let output = Lines::new(output);
        let description = Description::default();
        let mut engine = Self { child, input, output, description, patience: launch.patience };
        engine.say("uci").await?;
        let mut description = Description::default();
        let is_all = |line: &str| {
            description.take(line);
            after_word(line, "uciok").map(drop)
        };
        engine.hear("uciok", launch.patience, is_all).await?;
        engine.description = description;
        for (name, value) in &launch.options {
            engine.set(name, value).await?;
        }
        Ok(engine)
    }

    /// What it says it is.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Sets an option.
    ///
    /// # Errors
    /// [`EngineError`] when it does not hear.
    pub async fn set(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        self.say(&format!("setoption name {name}{value}")).await
    }

    /// Tells it that another game begins, of which variant, and waits until it is ready.
    ///
    /// # Errors
    /// [`EngineError`] when it does not know the variant, or does not get ready.
    pub async fn begin(&mut self, variant: Variant) -> Result<(), EngineError> {
        if !self.description.plays(variant) {
            return Err(EngineError::Variant(variant));
        }
        if let Some(word) = self.description.word_for(variant).map(str::to_owned) {
            self.set(VARIANT, &word).await?;
        }
        self.say("ucinewgame").await?;
        self.synchronize().await
    }

    /// Waits until it has read all that was said to it, and passes over what it had said before: a second `bestmove` of the
    /// search before is not taken for the answer to the next.
    async fn synchronize(&mut self) -> Result<(), EngineError> {
        self.say("isready").await?;
        self.hear("readyok", self.patience, |line| after_word(line, "readyok").map(drop)).await
    }

    /// Has it choose a move in this game. When `stopped` is done it is told to stop, and answers with what it has.
    ///
    /// Dropped meanwhile, it is of no more use: it must be dropped too.
    ///
    /// # Errors
    /// [`EngineError`] when it gives no legal move in time.
    pub async fn search(
        &mut self,
        game: &Game,
        go: &Go,
        stopped: impl Future<Output = ()>,
    ) -> Result<Answer, EngineError> {
        self.say(&position(game)).await?;
        self.synchronize().await?;
        self.say(&go.line()).await?;
        let color = game.position().turn();
        let mut latest = None;
        let mut is_best = |line: &str| {
            latest = worth(line, color).or(latest);
            Some(after_word(line, "bestmove")?.split_whitespace().next().unwrap_or_default().to_owned())
        };
        let said = tokio::select! {
            said = self.hear("bestmove", go.most, &mut is_best) => Some(said),
            () = stopped => None,
        };
        let best = match said {
            Some(Ok(best)) => best,
            Some(Err(EngineError::Silent(_))) | None => {
                self.say("stop").await?;
                self.hear("bestmove", OVERTIME, is_best).await?
            }
            Some(Err(error)) => return Err(error),
        };
        let mv = best.parse().ok().filter(|mv| game.position().is_legal(*mv));
        Ok(Answer { mv: mv.ok_or(EngineError::Nonsense(best.chars().take(SHOWN).collect()))?, worth: latest })
    }

    async fn say(&mut self, line: &str) -> Result<(), EngineError> {
        tracing::debug!("> {line}");
        let text = format!("{line}\n");
        match timeout(self.patience, self.input.write_all(text.as_bytes())).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(self.ended().await),
            Err(_) => Err(EngineError::Silent("that it reads")),
        }
    }

    /// Waits until it says what is waited for. Given up in between, nothing it says is lost.
    async fn hear<T>(
        &mut self,
        what: &'static str,
        patience: Duration,
        mut pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, EngineError> {
        let heard = async {
            while let Some(line) = self.output.next().await.ok().flatten() {
                tracing::debug!("< {line}");
                if let Some(picked) = pick(&line) {
                    return Some(picked);
                }
            }
            None
        };
        match timeout(patience, heard).await {
            Ok(Some(picked)) => Ok(picked),
            Ok(None) => Err(self.ended().await),
            Err(_) => Err(EngineError::Silent(what)),
        }
    }

    /// How it ended.
    async fn ended(&mut self) -> EngineError {
        EngineError::Ended(timeout(LAST_BREATH, self.child.wait()).await.ok().and_then(Result::ok))
    }
}

/// Lowers its priority.
fn come_after(child: &Child, nice: i32) {
    let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    if let Err(error) = rustix::process::setpriority_process(id, nice) {
        tracing::debug!("an engine keeps its usual priority: {error}");
    }
}
