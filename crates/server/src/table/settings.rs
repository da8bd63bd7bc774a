//! What a table is opened with: judged once, when somebody asks for a table.

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::lot::Commitment;
use quadrex_protocol::settings::{
    Absence, Admission, Chat, Privacy, Seating, TableSettings, TimeSetting, Watchers,
};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, MatchId, RefusalCode, UserId};
use quadrex_rules::{Color, GameConfig, Setup, SetupError};

/// How long one may think about a move at a public table without clocks, if its host does not say: five minutes.
const USUAL_MOVE_LIMIT_MS: u64 = 300_000;

/// The shortest and the longest limit for a move, milliseconds: ten seconds and a day.
const MOVE_LIMITS_MS: std::ops::RangeInclusive<u64> = 10_000..=86_400_000;

/// What a table was opened with, ready to be played; never changes.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What its maker chose.
    pub settings: TableSettings,
    /// Who made it, and is host to begin with.
    pub host: UserView,
    /// The users that were kicked in the matches before it.
    pub(super) kicked: Vec<UserId>,
    /// The position to start from, if it is not the variant's own: then its turn begins.
    setup: Option<Setup>,
}

impl Terms {
    /// Settings with their set-up read.
    ///
    /// # Errors
    /// When the set-up's text is no position of the variant.
    pub fn new(settings: TableSettings, host: UserView) -> Result<Self, SetupError> {
        let setup = settings.setup.as_deref().map(|text| Setup::parse(settings.variant, text)).transpose()?;
        Ok(Self { settings, host, kicked: Vec::new(), setup })
    }

    /// The fact that a match was opened on these terms.
    #[must_use]
    pub fn opened(&self, commitment: Commitment) -> Event {
        self.opened_as(commitment, None)
    }

    /// The fact that another match was opened on these terms after this one.
    pub(super) fn opened_after(&self, commitment: Commitment, after: MatchId) -> Event {
        self.opened_as(commitment, Some(after))
    }

    fn opened_as(&self, commitment: Commitment, after: Option<MatchId>) -> Event {
        Event::Opened {
            settings: self.settings.clone(),
            host: self.host.clone(),
            commitment,
            previous: after,
            kicked: self.kicked.clone(),
        }
    }

    /// Whether the host gave a start position.
    pub(super) fn has_setup(&self) -> bool {
        self.setup.is_some()
    }

    /// The game these terms give when `beginner` moves first.
    pub(super) fn game(&self, beginner: Option<Color>) -> GameConfig {
        let setup = self.setup.clone().unwrap_or_else(|| Setup::start(self.settings.variant));
        let turn = beginner.unwrap_or(setup.turn);
        GameConfig {
            setup: setup.with_turn(turn),
            draws: self.settings.draws,
            time: self.settings.time.to_rules(),
        }
    }
}

/// Why no table can be opened with these settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The set-up's text cannot be read.
    #[error("setup cannot be read: {0}")]
    Setup(#[from] SetupError),
    /// A match at a public table cannot wait for one who does not come back.
    #[error("absence is wait, which only a private table may have")]
    WaitInPublic,
    /// A private table is seen by invited people only.
    #[error("watchers is everybody, but a private table may be watched by link at most")]
    PrivateWatchedByAll,
    /// A private table's seats need an invite.
    #[error("admission is open, but a seat at a private table needs an invite")]
    PrivateOpenToAll,
    /// What was chosen beside makes the result no measure of strength.
    #[error("rated is true, but a table with {with} is casual")]
    Unratable {
        /// The setting in the way.
        with: &'static str,
    },
    /// Strangers do not share a screen.
    #[error("hotseat is true, which only a private table may have")]
    HotseatInPublic,
    /// Clocks limit each move already.
    #[error("move_limit_ms is given, but this table has clocks")]
    LimitBesideClocks,
    /// The limit for a move is outside what is allowed.
    #[error(
        "move_limit_ms is {0}, it must be {least} to {most}",
        least = MOVE_LIMITS_MS.start(),
        most = MOVE_LIMITS_MS.end()
    )]
    MoveLimit(u64),
}

impl SettingError {
    /// Its kind on the wire.
    #[must_use]
    pub fn code(&self) -> RefusalCode {
        match self {
            Self::Setup(_) => RefusalCode::BadSetup,
            Self::WaitInPublic
            | Self::PrivateWatchedByAll
            | Self::PrivateOpenToAll
            | Self::Unratable { .. }
            | Self::HotseatInPublic
            | Self::LimitBesideClocks
            | Self::MoveLimit(_) => RefusalCode::BadSetting,
        }
    }
}

/// The settings somebody asks for, with what was left out filled in. The time control's own numbers are not judged
/// here.
///
/// # Errors
/// The first setting that cannot be, or does not go with the others.
pub fn settle(request: CreateTable) -> Result<TableSettings, SettingError> {
    let CreateTable { variant, privacy, setup, .. } = request;
    let setup = setup.map(|text| Setup::parse(variant, &text)).transpose()?;
    let time = request.time.unwrap_or(TimeSetting::None);
    let is_private = privacy == Privacy::Private;
    let settings = TableSettings {
        variant,
        privacy,
        setup: setup.map(|setup| setup.to_string()),
        time,
        draws: request.draws.unwrap_or_default(),
        absence: request.absence.unwrap_or(Absence::Eliminate),
        watchers: request.watchers.unwrap_or(if is_private { Watchers::Link } else { Watchers::Everybody }),
        chat: request.chat.unwrap_or(Chat::On),
        admission: request.admission.unwrap_or(if is_private { Admission::Invite } else { Admission::Open }),
        rated: request.rated.unwrap_or(false),
        seating: request.seating.unwrap_or(Seating::Chosen),
        move_limit_ms: move_limit_ms(request.move_limit_ms, time, privacy)?,
        hotseat: request.hotseat.unwrap_or(false),
    };
    check(&settings)?;
    Ok(settings)
}

fn move_limit_ms(
    asked: Option<u64>,
    time: TimeSetting,
    privacy: Privacy,
) -> Result<Option<u64>, SettingError> {
    match (asked, time, privacy) {
        (Some(limit), TimeSetting::None, _) if MOVE_LIMITS_MS.contains(&limit) => Ok(Some(limit)),
        (Some(limit), TimeSetting::None, _) => Err(SettingError::MoveLimit(limit)),
        (Some(_), _, _) => Err(SettingError::LimitBesideClocks),
        (None, TimeSetting::None, Privacy::Public) => Ok(Some(USUAL_MOVE_LIMIT_MS)),
        (None, _, _) => Ok(None),
    }
}

/// Whether the settings go with each other.
fn check(settings: &TableSettings) -> Result<(), SettingError> {
    let is_private = settings.privacy == Privacy::Private;
    match settings.absence {
        Absence::Wait if !is_private => return Err(SettingError::WaitInPublic),
        Absence::Wait | Absence::Eliminate | Absence::Bot => {}
    }
    if is_private && settings.watchers == Watchers::Everybody {
        return Err(SettingError::PrivateWatchedByAll);
    }
    if is_private && settings.admission == Admission::Open {
        return Err(SettingError::PrivateOpenToAll);
    }
    if settings.hotseat && !is_private {
        return Err(SettingError::HotseatInPublic);
    }
    let in_the_way = [
        (settings.setup.is_some(), "a setup of its own"),
        (settings.hotseat, "hotseat"),
        (settings.absence == Absence::Wait, "absence wait"),
        (settings.absence == Absence::Bot, "absence bot"),
    ];
    match in_the_way.into_iter().find(|(is_chosen, _)| *is_chosen && settings.rated) {
        Some((_, with)) => Err(SettingError::Unratable { with }),
        None => Ok(()),
    }
}
