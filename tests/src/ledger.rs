//! What the server acknowledged, held against what its log says in the end.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::{CmdId, Event, MatchId, UserId};
use quadrex_rules::Move;
use quadrex_server::store::{Location, Logged, Store};

use crate::referee::Referee;
use crate::server::Launch;

/// Acknowledged moves of one match, in order.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    moves: Vec<Acknowledged>,
}

/// A move the server said is safe.
#[derive(Clone, Debug)]
pub struct Acknowledged {
    /// Who made it.
    pub by: UserId,
    /// Its command.
    pub cmd: CmdId,
    /// The move.
    pub mv: Move,
    /// The number of the command's last event.
    pub seq: u64,
}

impl Ledger {
    /// Writes down an acknowledgement.
    pub fn note(&mut self, acknowledged: Acknowledged) {
        self.moves.push(acknowledged);
    }

    /// Reads the log of the match from the database of a server that has stopped, and holds it against the ledger.
    ///
    /// # Errors
    /// When a move is missing, there twice, or elsewhere; when numbers have gaps; when the rules refuse the log.
    pub async fn check(&self, launch: &Launch, match_id: MatchId) -> Result<Referee> {
        let log = read(launch, match_id).await?;
        let mut referee = Referee::default();
        for row in &log {
            referee.observe(row.seq, row.at.as_millis(), &row.event)?;
        }
        ensure!(referee.is_settled(), "the log ends amid a command");
        let made = log.iter().filter_map(|row| match &row.event {
            Event::Moved { mv, .. } => Some((row.by, *mv)),
            _ => None,
        });
        let made: Vec<_> = made.collect();
        let noted: Vec<_> = self.moves.iter().map(|noted| (Some(noted.by), noted.mv)).collect();
        ensure!(
            made == noted,
            "{} moves in the log, {} acknowledged, and not the same",
            made.len(),
            noted.len()
        );
        for noted in &self.moves {
            let rows: Vec<&Logged> = log
                .iter()
                .filter(|row| row.by == Some(noted.by) && row.cmd.as_ref() == Some(&noted.cmd))
                .collect();
            ensure!(rows.len() == 1, "{noted:?} stands {} times in the log", rows.len());
            ensure!(rows[0].seq == noted.seq, "{noted:?} ends at {} in the log", rows[0].seq);
        }
        Ok(referee)
    }
}

/// The log of a match, from the database of a server that has stopped.
///
/// # Errors
/// When it cannot be read, or has gaps.
pub async fn read(launch: &Launch, match_id: MatchId) -> Result<Vec<Logged>> {
    let location = Location::parse(&launch.database().url().unwrap_or_default(), &launch.data())?;
    let store = Store::connect(&location, 1).await.context("opening the database")?;
    let log = store.events(match_id, 0).await.context("reading the log")?;
    store.close().await;
    Ok(log)
}
