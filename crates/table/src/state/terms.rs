//! The terms with which a table is opened.

use quadrex_protocol::lot::Commitment;
use quadrex_protocol::settings::TableSettings;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, MatchId, UserId};
use quadrex_rules::{Color, GameConfig, Setup, SetupError};

/// The terms of a match at a table. They never change.
#[derive(Clone, Debug)]
pub struct MatchTerms {
    /// The settings that the host has chosen.
    pub settings: TableSettings,
    /// The host at the start of the match.
    pub host: UserView,
    /// The users that were kicked in earlier matches at the table.
    pub(crate) kicked: Vec<UserId>,
    /// The start position, if the host gave one. In that case the player to move in the position
    /// begins, and no lot selects the player.
    setup: Option<Setup>,
}

impl MatchTerms {
    /// Creates terms from settings. Parses the start position in the settings.
    ///
    /// # Errors
    /// Returns an error if the start position is not a position of the variant.
    pub fn new(settings: TableSettings, host: UserView) -> Result<Self, SetupError> {
        let setup = settings.setup.as_deref().map(|text| Setup::parse(settings.variant, text)).transpose()?;
        Ok(Self { settings, host, kicked: Vec::new(), setup })
    }

    /// Returns the event that opens the first match on these terms. `commitment` binds the server
    /// to its secret for the lot (the verifiable draw).
    #[must_use]
    pub fn opened_event(&self, commitment: Commitment) -> Event {
        self.opened_event_of(commitment, None)
    }

    /// Returns the event that opens a rematch on these terms, after the match `previous`.
    pub(crate) fn opened_event_after(&self, commitment: Commitment, previous: MatchId) -> Event {
        self.opened_event_of(commitment, Some(previous))
    }

    fn opened_event_of(&self, commitment: Commitment, previous: Option<MatchId>) -> Event {
        Event::Opened {
            settings: self.settings.clone(),
            host: self.host.clone(),
            commitment,
            previous,
            kicked: self.kicked.clone(),
        }
    }

    /// Returns whether the host gave a start position.
    pub(crate) fn has_setup(&self) -> bool {
        self.setup.is_some()
    }

    /// Returns the configuration of a game on these terms. `first_player` moves first. If it is
    /// `None`, the player to move in the start position moves first.
    pub(crate) fn game_config(&self, first_player: Option<Color>) -> GameConfig {
        let setup = self.setup.clone().unwrap_or_else(|| Setup::start(self.settings.variant));
        let turn = first_player.unwrap_or(setup.turn);
        GameConfig {
            setup: setup.with_turn(turn),
            draws: self.settings.draws,
            time: self.settings.time.to_rules(),
        }
    }
}
