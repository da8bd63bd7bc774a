//! Events of a match, merged from all connections of one table.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::{Event, MatchId};

use super::frames::ReceivedEvent;
use crate::referee::Referee;

/// A match as its connections know it.
#[derive(Debug)]
pub struct ReceivedLog {
    /// The match.
    pub match_id: MatchId,
    /// The digest of each received event, from the first on.
    digests: Vec<u64>,
    /// Contradictions between connections, and the like.
    contradictions: Vec<String>,
    referee: Referee,
    /// Set once the rules could not follow the events.
    is_broken: bool,
}

impl ReceivedLog {
    /// Returns a match without events.
    pub fn new(match_id: MatchId) -> Self {
        Self {
            match_id,
            digests: Vec::new(),
            contradictions: Vec::new(),
            referee: Referee::default(),
            is_broken: false,
        }
    }

    /// Adds an event that a connection received; returns it if it is new.
    ///
    /// # Errors
    /// If it is no event.
    pub fn take(&mut self, received: &ReceivedEvent) -> Result<Option<Event>> {
        let index = usize::try_from(received.seq - 1).context("a number of an event is small")?;
        if let Some(known) = self.digests.get(index) {
            if *known != received.digest() {
                self.contradictions
                    .push(format!("event {} was received in two ways, once as {received:?}", received.seq));
            }
            return Ok(None);
        }
        ensure!(index == self.digests.len(), "event {} comes after {}", received.seq, self.digests.len());
        self.digests.push(received.digest());
        let event = received.event()?;
        if let Err(error) = self.referee.observe(received.seq, received.at_ms, &event) {
            self.is_broken = true;
            self.contradictions.push(format!("{error:#}"));
        }
        Ok(Some(event))
    }

    /// Returns the number of the last received event.
    pub fn head(&self) -> u64 {
        self.digests.len() as u64
    }

    /// The digest of each event, from the first on.
    pub fn digests(&self) -> &[u64] {
        &self.digests
    }

    /// Returns the contradictions that were found.
    pub fn contradictions(&self) -> &[String] {
        &self.contradictions
    }

    /// The rules' view of it; nothing once they could not follow.
    pub fn referee(&self) -> Option<&Referee> {
        (!self.is_broken).then_some(&self.referee)
    }
}
