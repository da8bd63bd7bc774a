//! The terms of a table: what it is opened with.

use quadrex_protocol::lot::Commitment;
use quadrex_protocol::settings::TableSettings;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, MatchId, UserId};
use quadrex_rules::{Color, GameConfig, Setup, SetupError};

/// The terms of a table, ready to be played. They never change.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The settings.
    pub settings: TableSettings,
    /// The first host: the user who created it.
    pub host: UserView,
    /// The users that were kicked in the matches before it.
    pub(crate) kicked: Vec<UserId>,
    /// The start position, if it is not the variant's own: then its turn begins.
    setup: Option<Setup>,
}

impl Terms {
    /// Parses the setup of the settings.
    ///
    /// # Errors
    /// If it is no position of the variant.
    pub fn new(settings: TableSettings, host: UserView) -> Result<Self, SetupError> {
        let setup = settings.setup.as_deref().map(|text| Setup::parse(settings.variant, text)).transpose()?;
        Ok(Self { settings, host, kicked: Vec::new(), setup })
    }

    /// Returns the event that opens a match on these terms.
    #[must_use]
    pub fn opened(&self, commitment: Commitment) -> Event {
        self.opened_as(commitment, None)
    }

    /// Returns the event that opens another match on these terms after this one.
    pub(crate) fn opened_after(&self, commitment: Commitment, previous: MatchId) -> Event {
        self.opened_as(commitment, Some(previous))
    }

    fn opened_as(&self, commitment: Commitment, previous: Option<MatchId>) -> Event {
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

    /// Returns the game of these terms in which `beginner` moves first.
    pub(crate) fn game(&self, beginner: Option<Color>) -> GameConfig {
        let setup = self.setup.clone().unwrap_or_else(|| Setup::start(self.settings.variant));
        let turn = beginner.unwrap_or(setup.turn);
        GameConfig {
            setup: setup.with_turn(turn),
            draws: self.settings.draws,
            time: self.settings.time.to_rules(),
        }
    }
}
