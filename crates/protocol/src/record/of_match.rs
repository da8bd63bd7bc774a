//! Conversion of a server's match to a record.

use quadrex_rules::Setup;

use super::{MatchRecord, RecordFormat, RecordedEvent};
use crate::MatchId;
use crate::event::Event;
use crate::settings::TableSettings;

/// The error of a log that is not a match's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMatch {
    /// It does not begin with `opened`.
    #[error("event 1 is not opened")]
    NotOpened,
    /// Its setup cannot be parsed.
    #[error("setup: {0}")]
    Setup(#[from] quadrex_rules::SetupError),
}

impl MatchRecord {
    /// Returns the record of a match from its log.
    ///
    /// # Errors
    /// [`NoMatch`] if the log is not a match's.
    pub fn of_match(match_id: MatchId, events: Vec<RecordedEvent>) -> Result<Self, NoMatch> {
        let Some(Event::Opened { settings, .. }) = events.first().map(|first| &first.event) else {
            return Err(NoMatch::NotOpened);
        };
        let settings = settings.clone();
        let mut record = Self {
            format: RecordFormat::V2,
            match_id: Some(match_id),
            variant: settings.variant,
            setup: None,
            draws: Some(settings.draws),
            time: Some(settings.time),
            players: Default::default(),
            events: Vec::new(),
            tags: Vec::new(),
            written: None,
            stopped: None,
        };
        for RecordedEvent { event, .. } in &events {
            match event {
                Event::Seated { color, user, .. } => {
                    record.players.insert(*color, user.name.clone());
                }
                Event::Vacated { color, .. } => {
                    record.players.remove(color);
                }
                Event::Started { seats, .. } => {
                    let names = seats.iter().map(|(color, user)| (*color, user.name.clone()));
                    record.players.extend(names);
                }
                _ => {}
            }
        }
        record.setup = first_move(&settings, &events)?;
        record.events = events;
        Ok(record)
    }
}

/// Returns the position before the first move as text, or `None` if it is the variant's start
/// position with its usual first player to move.
pub(super) fn first_move(
    settings: &TableSettings,
    events: &[RecordedEvent],
) -> Result<Option<String>, quadrex_rules::SetupError> {
    let own = Setup::start(settings.variant);
    let setup = match &settings.setup {
        Some(text) => Setup::parse(settings.variant, text)?,
        None => own.clone(),
    };
    let first_player = events.iter().find_map(|recorded| match recorded.event {
        Event::Started { first_player, .. } => Some(first_player),
        _ => None,
    });
    let turn = first_player.unwrap_or(setup.turn);
    let setup = setup.with_turn(turn);
    Ok((setup != own).then(|| setup.to_string()))
}
