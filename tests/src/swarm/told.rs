//! What the lines of one table were told of a match, taken together.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::{Event, MatchId};

use super::heard::ToldEvent;
use crate::referee::Referee;

/// A match as its lines know it.
#[derive(Debug)]
pub struct Told {
    /// Which.
    pub match_id: MatchId,
    /// The digest of each event that some line was told, from the first on.
    digests: Vec<u64>,
    /// What was told to two lines in two ways, and the like.
    contradictions: Vec<String>,
    referee: Referee,
    /// Whether the rules could not follow.
    is_broken: bool,
}

impl Told {
    /// A match of which nothing was told yet.
    pub fn new(match_id: MatchId) -> Self {
        Self {
            match_id,
            digests: Vec::new(),
            contradictions: Vec::new(),
            referee: Referee::default(),
            is_broken: false,
        }
    }

    /// Takes an event that some line was told; gives it back if it is news.
    ///
    /// # Errors
    /// When it is no event.
    pub fn take(&mut self, told: &ToldEvent) -> Result<Option<Event>> {
        let index = usize::try_from(told.seq - 1).context("a number of an event is small")?;
        if let Some(known) = self.digests.get(index) {
            if *known != told.digest() {
                self.contradictions
                    .push(format!("event {} was told in two ways, once as {told:?}", told.seq));
            }
            return Ok(None);
        }
        ensure!(index == self.digests.len(), "event {} comes after {}", told.seq, self.digests.len());
        self.digests.push(told.digest());
        let event = told.event()?;
        if let Err(error) = self.referee.observe(told.seq, told.at_ms, &event) {
            self.is_broken = true;
            self.contradictions.push(format!("{error:#}"));
        }
        Ok(Some(event))
    }

    /// The last event that was told.
    pub fn head(&self) -> u64 {
        self.digests.len() as u64
    }

    /// The digest of each event, from the first on.
    pub fn digests(&self) -> &[u64] {
        &self.digests
    }

    /// What does not fit together.
    pub fn contradictions(&self) -> &[String] {
        &self.contradictions
    }

    /// The rules' view of it; nothing once they could not follow.
    pub fn referee(&self) -> Option<&Referee> {
        (!self.is_broken).then_some(&self.referee)
    }
}
