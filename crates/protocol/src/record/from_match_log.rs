//! Conversion of the log of a server's match to a record.

use quadrex_rules::Setup;

use super::{MatchRecord, RecordFormat, RecordedEvent};
use crate::MatchId;
use crate::event::Event;
use crate::settings::TableSettings;

/// The error for a list of events that is not the log of a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMatchLog {
    /// The first event is not `opened`.
    #[error("event 1 is not opened")]
    NotOpened,
    /// The start position of the settings cannot be parsed.
    #[error("setup: {0}")]
    Setup(#[from] quadrex_rules::SetupError),
}

impl MatchRecord {
    /// Returns the record of a match from its log.
    ///
    /// # Errors
    /// Returns [`InvalidMatchLog`] if `events` is not the log of a match.
    pub fn from_match_log(match_id: MatchId, events: Vec<RecordedEvent>) -> Result<Self, InvalidMatchLog> {
        let Some(Event::Opened { settings, .. }) = events.first().map(|first| &first.event) else {
            return Err(InvalidMatchLog::NotOpened);
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
            rejected: None,
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

/// Returns the position before the first move as text. Returns `None` if this position is the
/// variant's start position with White or Red to move.
pub(super) fn first_move(
    settings: &TableSettings,
    events: &[RecordedEvent],
) -> Result<Option<String>, quadrex_rules::SetupError> {
    let standard_setup = Setup::start(settings.variant);
    let setup = match &settings.setup {
        Some(text) => Setup::parse(settings.variant, text)?,
        None => standard_setup.clone(),
    };
    let first_player = events.iter().find_map(|recorded| match recorded.event {
        Event::Started { first_player, .. } => Some(first_player),
        _ => None,
    });
    let turn = first_player.unwrap_or(setup.turn);
    let setup = setup.with_turn(turn);
    Ok((setup != standard_setup).then(|| setup.to_string()))
}
