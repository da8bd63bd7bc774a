//! Other engines on this machine: programs that speak UCI, each started when it is first wanted.
//!
//! An engine serves one search at a time. One that crashes, hangs or says what makes no sense is killed, and started anew
//! for the next search; who asked hears why, and plays on with the server's own.

use std::collections::BTreeMap;
use std::io;
use std::process::Stdio;
use std::time::Duration;

use quadrex_rules::{Game, Move, Variant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines, Take};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::config::EngineConfig;

/// How long an engine may take for what is no search.
const PATIENCE: Duration = Duration::from_secs(5);

/// How much longer than asked it may search.
const OVERTIME: Duration = Duration::from_secs(2);

/// What an engine may say in one life, in bytes: beyond any use.
const MOST_BYTES: u64 = 1 << 32;

/// What a mate is worth in hundredths of a pawn.
const MATE: i32 = 100_000;

/// Why an engine gave no move.
#[derive(Debug, thiserror::Error)]
pub(super) enum EngineError {
    /// The settings have no such engine any more.
    #[error("the settings name no such engine")]
    Unknown,
    /// Its program cannot be started.
    #[error("it cannot be started: {0}")]
    Start(io::Error),
    /// It ended, or its pipes broke.
    #[error("it ended")]
    Ended,
    /// It said nothing in time.
    #[error("it did not say {0} in time")]
    Silent(&'static str),
    /// Its answer is no legal move.
    #[error("its move is {0:?}")]
    Nonsense(String),
}

/// A move of an engine's, and how it says it stands, in hundredths of a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) mv: Move,
    pub(super) worth: Option<i32>,
}

/// All engines of the settings.
#[derive(Debug)]
pub(super) struct Engines(BTreeMap<String, Engine>);

#[derive(Debug)]
struct Engine {
    config: EngineConfig,
    /// Its process between two searches. A search takes it out: one that is given up or fails does not bring it back.
    process: Mutex<Option<Process>>,
}

/// Killed when it is dropped.
#[derive(Debug)]
struct Process {
    _child: Child,
    input: ChildStdin,
    output: Lines<BufReader<Take<ChildStdout>>>,
}

impl Engines {
    pub(super) fn new(configs: &BTreeMap<String, EngineConfig>) -> Self {
        let engine = |config: &EngineConfig| Engine { config: config.clone(), process: Mutex::default() };
        Self(configs.iter().map(|(name, config)| (name.clone(), engine(config))).collect())
    }

    /// Has an engine choose a move within this time, limited to this strength if one is given.
    pub(super) async fn choose(
        &self,
        name: &str,
        elo: Option<u16>,
        game: &Game,
        time: Duration,
    ) -> Result<Answer, EngineError> {
        let engine = self.0.get(name).ok_or(EngineError::Unknown)?;
        let mut place = engine.process.lock().await;
        if let Some(mut process) = place.take() {
            match process.search(elo, game, time).await {
                Ok(answer) => {
                    *place = Some(process);
                    return Ok(answer);
                }
                // It may have ended since it was asked last: another one may do better.
                Err(EngineError::Ended) => {}
                Err(error) => return Err(error),
            }
        }
        let mut process = Process::start(&engine.config).await?;
        let answer = process.search(elo, game, time).await?;
        *place = Some(process);
        Ok(answer)
    }
}

impl Process {
    async fn start(config: &EngineConfig) -> Result<Self, EngineError> {
        let mut command = Command::new(&config.command);
        command.args(&config.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.kill_on_drop(true).spawn().map_err(EngineError::Start)?;
        come_last(&child);
        let input = child.stdin.take().expect("it is a pipe");
        let output = child.stdout.take().expect("it is a pipe");
        let output = BufReader::new(output.take(MOST_BYTES)).lines();
        let mut process = Self { _child: child, input, output };
        process.say("uci").await?;
        process.hear("uciok", PATIENCE, |line| (line == "uciok").then_some(())).await?;
        for (name, value) in &config.options {
            process.say(&format!("setoption name {name} value {value}")).await?;
        }
        Ok(process)
    }

    async fn search(&mut self, elo: Option<u16>, game: &Game, time: Duration) -> Result<Answer, EngineError> {
        self.say("ucinewgame").await?;
        if game.position().variant() != Variant::Classic {
            self.say(&format!("setoption name UCI_Variant value {}", game.position().variant())).await?;
        }
        if let Some(elo) = elo {
            self.say("setoption name UCI_LimitStrength value true").await?;
            self.say(&format!("setoption name UCI_Elo value {elo}")).await?;
        } else {
            self.say("setoption name UCI_LimitStrength value false").await?;
        }
        self.say("isready").await?;
        self.hear("readyok", PATIENCE, |line| (line == "readyok").then_some(())).await?;
        self.say(&position(game)).await?;
        self.say(&format!("go movetime {}", time.as_millis().max(1))).await?;
        let mut worth = None;
        let best = self.hear("bestmove", time + OVERTIME, |line| {
            worth = score(line).or(worth);
            Some(line.strip_prefix("bestmove ")?.split(' ').next().unwrap_or_default().to_owned())
        });
        let best = best.await?;
        let mv = best.parse().ok().filter(|mv| game.position().is_legal(*mv));
        Ok(Answer { mv: mv.ok_or(EngineError::Nonsense(best.chars().take(40).collect()))?, worth })
    }

    async fn say(&mut self, line: &str) -> Result<(), EngineError> {
        let text = format!("{line}\n");
        let said = timeout(PATIENCE, self.input.write_all(text.as_bytes())).await;
        said.map_err(|_| EngineError::Silent("that it reads"))?.map_err(|_| EngineError::Ended)
    }

    /// Waits until it says what is waited for.
    async fn hear<T>(
        &mut self,
        what: &'static str,
        patience: Duration,
        mut pick: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, EngineError> {
        let heard = async {
            loop {
                let line = self.output.next_line().await.ok().flatten().ok_or(EngineError::Ended)?;
                if let Some(picked) = pick(line.trim()) {
                    return Ok(picked);
                }
            }
        };
        timeout(patience, heard).await.unwrap_or(Err(EngineError::Silent(what)))
    }
}

/// Tables come before it.
fn come_last(child: &Child) {
    let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    if let Err(error) = rustix::process::setpriority_process(id, super::pool::NICE) {
        tracing::debug!("an engine keeps its usual priority: {error}");
    }
}

/// The position as engines are told it: of two players with all moves since the start, so that they know what has occurred.
fn position(game: &Game) -> String {
    if game.position().variant() != Variant::Classic {
        return format!("position fen {}", game.position().setup());
    }
    let moves: String = game.moves().iter().map(|mv| format!(" {mv}")).collect();
    let moves = if moves.is_empty() { moves } else { format!(" moves{moves}") };
    format!("position fen {}{moves}", game.config().setup)
}

/// The score in an `info` line.
fn score(line: &str) -> Option<i32> {
    let mut words = line.strip_prefix("info ")?.split(' ').skip_while(|word| *word != "score").skip(1);
    let (kind, number) = (words.next()?, words.next()?.parse::<i32>().ok()?);
    match kind {
        "cp" => Some(number),
        "mate" if number > 0 => Some(MATE),
        "mate" => Some(-MATE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_read_from_what_engines_say() {
        assert_eq!(score("info depth 3 score cp -25 nodes 7 pv e2e4"), Some(-25));
        assert_eq!(score("info depth 3 score mate 2 pv e2e4"), Some(MATE));
        assert_eq!(score("info depth 3 score mate -1"), Some(-MATE));
        for other in ["info depth 3", "info score cp", "info score cp x", "bestmove e2e4", "score cp 5", ""] {
            assert_eq!(score(other), None, "{other}");
        }
    }
}
