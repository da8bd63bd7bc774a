//! The events of a match, merged from all connections of a table.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::{Event, MatchId};

use super::frames::ReceivedEvent;
use crate::referee::Referee;

/// A match as its connections received it.
#[derive(Debug)]
pub struct ReceivedLog {
    /// The match.
    pub match_id: MatchId,
    /// The digest of each received event, in order.
    digests: Vec<u64>,
    /// The violations that were found, such as contradictions between connections.
    contradictions: Vec<String>,
    referee: Referee,
    /// True after the first event that the rules do not allow.
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

    /// Adds a received event. Returns the event if it is new.
    ///
    /// # Errors
    /// If the text is not an event.
    pub fn take(&mut self, received: &ReceivedEvent) -> Result<Option<Event>> {
        let index = usize::try_from(received.seq - 1).context("a number of an event is small")?;
        if let Some(known) = self.digests.get(index) {
            if *known != received.digest() {
                self.contradictions
                    .push(format!("event {} was received in two ways, once as {received:?}", received.seq));
            }
            return Ok(None);
        }
        ensure!(index == self.digests.len(), "event {} follows {}", received.seq, self.digests.len());
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

    /// Returns the digest of each event, in order.
    pub fn digests(&self) -> &[u64] {
        &self.digests
    }

    /// Returns the violations that were found.
    pub fn contradictions(&self) -> &[String] {
        &self.contradictions
    }

    /// Returns the referee of the match; `None` after an event that the rules do not allow.
    pub fn referee(&self) -> Option<&Referee> {
        (!self.is_broken).then_some(&self.referee)
    }
}
