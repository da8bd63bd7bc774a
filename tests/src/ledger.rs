//! A record of the server's answers to commands that survives any crash: an answer is on the disk
//! before the swarm acts on it.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::thread::JoinHandle;

use anyhow::{Context, Result};
use quadrex_protocol::{CommandId, MatchId, RefusalCode, UserId};
use quadrex_rules::Move;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};

/// The maximum number of answers that wait for the disk. Further writers wait.
const WAITING: usize = 1024;

/// An answer to a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// The match that the command was for.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The user who sent the command.
    pub by: UserId,
    /// The command's id.
    pub command_id: CommandId,
    /// The server's answer.
    pub answer: RecordedAnswer,
}

/// The server's answer to a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedAnswer {
    /// The command was accepted.
    Done {
        /// The number of the command's last event.
        seq: u64,
        /// The move, if the command was a move.
        mv: Option<Move>,
    },
    /// The command was refused.
    Refused(RefusalCode),
}

/// A ledger that is being written: a file with one JSON object per line. Clones write to the same
/// file.
#[derive(Clone, Debug)]
pub struct Ledger {
    to_writer: mpsc::Sender<(LedgerEntry, oneshot::Sender<()>)>,
}

/// The thread that writes a ledger. It ends when the last clone of the ledger is dropped.
pub struct LedgerWriter(JoinHandle<Result<()>>);

impl Ledger {
    /// Creates a ledger in a new file. Entries that arrive while the disk is busy share one
    /// `fdatasync`.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> Result<(Self, LedgerWriter)> {
        let file = File::create_new(path).with_context(|| format!("making {}", path.display()))?;
        let (to_writer, entry) = mpsc::channel(WAITING);
        let thread = std::thread::Builder::new().name("ledger".into()).spawn(move || write(file, entry))?;
        Ok((Self { to_writer }, LedgerWriter(thread)))
    }

    /// Writes an answer. It is on the disk when this returns.
    ///
    /// # Errors
    /// If the answer cannot be written; [`LedgerWriter::end`] returns the reason.
    pub async fn record(&self, entry: LedgerEntry) -> Result<()> {
        let (written, is_written) = oneshot::channel();
        self.to_writer.send((entry, written)).await.ok().context("the ledger cannot be written")?;
        is_written.await.context("the ledger cannot be written")
    }
}

impl LedgerWriter {
    /// Waits until everything is written and the file is closed. All clones of the ledger must be
    /// dropped before.
    ///
    /// # Errors
    /// If something could not be written.
    pub fn end(self) -> Result<()> {
        self.0.join().ok().context("the ledger's thread failed")?
    }
}

fn write(mut file: File, mut entry: mpsc::Receiver<(LedgerEntry, oneshot::Sender<()>)>) -> Result<()> {
    let mut batch = Vec::new();
    while entry.blocking_recv_many(&mut batch, WAITING) > 0 {
        let mut lines = Vec::new();
        for (entry, _) in &batch {
            serde_json::to_writer(&mut lines, entry)?;
            lines.push(b'\n');
        }
        file.write_all(&lines).context("writing the ledger")?;
        file.sync_data().context("writing the ledger to the disk")?;
        for (_, written) in batch.drain(..) {
            // An error means that the caller no longer waits.
            written.send(()).ok();
        }
    }
    Ok(())
}

/// Reads a ledger.
///
/// # Errors
/// If a line is invalid. An incomplete last line is ignored.
pub fn read(path: &Path) -> Result<Vec<LedgerEntry>> {
    let mut file = BufReader::new(File::open(path).with_context(|| format!("opening {}", path.display()))?);
    let (mut entry, mut line) = (Vec::new(), String::new());
    for number in 1.. {
        line.clear();
        if file.read_line(&mut line)? == 0 || !line.ends_with('\n') {
            break;
        }
        let read = serde_json::from_str(&line);
        entry.push(read.with_context(|| format!("{}, line {number}: {line}", path.display()))?);
    }
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn entry(number: u64) -> LedgerEntry {
        LedgerEntry {
            match_id: MatchId(Uuid::from_u128(1)),
            by: UserId(Uuid::from_u128(2)),
            command_id: format!("c{number}").parse().unwrap(),
            answer: RecordedAnswer::Done { seq: number, mv: "e2e4".parse().ok() },
        }
    }

    #[tokio::test]
    async fn a_recorded_answer_is_in_the_file_immediately() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        let (ledger, writing) = Ledger::create(&path).unwrap();
        let refused = LedgerEntry { answer: RecordedAnswer::Refused(RefusalCode::Stale), ..entry(1) };
        ledger.record(refused.clone()).await.unwrap();
        assert_eq!(read(&path).unwrap(), std::slice::from_ref(&refused));
        futures_util::future::try_join_all((2..50).map(|number| ledger.record(entry(number)))).await.unwrap();
        drop(ledger);
        writing.end().unwrap();
        let expected: Vec<LedgerEntry> = std::iter::once(refused).chain((2..50).map(entry)).collect();
        assert_eq!(read(&path).unwrap(), expected);
    }

    #[tokio::test]
    async fn an_incomplete_last_line_is_ignored_and_other_errors_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger");
        let (ledger, _writing) = Ledger::create(&path).unwrap();
        ledger.record(entry(1)).await.unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{{\"match\":")).unwrap();
        assert_eq!(read(&path).unwrap(), [entry(1)]);
        std::fs::write(&path, format!("{whole}garbage\n")).unwrap();
        let error = format!("{:#}", read(&path).unwrap_err());
        assert!(error.contains("line 2: garbage"), "{error}");
    }
}
