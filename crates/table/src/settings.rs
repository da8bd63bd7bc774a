//! The validation of the settings of a new table.

use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::{
    Absence, Admission, Chat, Privacy, RatingRange, Seating, TableSettings, TimeSetting, Watchers,
};
use quadrex_protocol::user::UserView;
use quadrex_rules::{Setup, SetupError};

use crate::rejection::Rejection;

/// The default move limit of a public table without clocks, in milliseconds: five minutes.
const DEFAULT_MOVE_LIMIT_MS: u64 = 300_000;

/// The range of move limits, in milliseconds: from ten seconds to a day.
const MOVE_LIMITS_MS: std::ops::RangeInclusive<u64> = 10_000..=86_400_000;

/// The largest limit of a range of ratings.
const MAX_RATING: u16 = 4_000;

/// The reason for which no table can be opened with the requested settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The text of the setup cannot be parsed.
    #[error("setup cannot be read: {0}")]
    Setup(#[from] SetupError),
    /// A match at a public table cannot wait for absent players.
    #[error("absence is wait, which only a private table may have")]
    WaitInPublic,
    /// The settings let everybody watch a private table, which only people with a link may watch.
    #[error("watchers is everybody, but a private table may be watched by link at most")]
    PrivateWatchedByAll,
    /// The settings open the seats of a private table to everybody, although such a seat needs an
    /// invite.
    #[error("admission is open, but a seat at a private table needs an invite")]
    PrivateOpenToAll,
    /// The table is rated, but because of another setting its results would not measure strength.
    #[error("rated is true, but a table with {with} is casual")]
    Unratable {
        /// The other setting.
        with: &'static str,
    },
    /// There is a range of ratings, although the table is casual or its seats need an invite.
    #[error("rating_range is given, which only a rated table with open seats may have")]
    RangeWithoutUse,
    /// The range of ratings has no limit.
    #[error("rating_range has neither min nor max")]
    EmptyRange,
    /// No rating is in the range.
    #[error("rating_range.min is {min}, which is more than rating_range.max, {max}")]
    RangeOfNobody {
        /// The lower limit.
        min: u16,
        /// The upper limit.
        max: u16,
    },
    /// A limit of the range of ratings is out of range.
    #[error("rating_range.{field} is {value}, it must be 0 to {MAX_RATING}")]
    RangeLimit {
        /// The limit: `min` or `max`.
        field: &'static str,
        /// Its value.
        value: u16,
    },
    /// The settings make a public table a hotseat table. Only a private table may be one.
    #[error("hotseat is true, which only a private table may have")]
    HotseatInPublic,
    /// The names of the players are hidden, although the variant has two players, who know each other.
    #[error("anonymous is true, which only a table with more than two players may have")]
    AnonymousAmongTwo,
    /// There is a move limit, although the table has clocks.
    #[error("move_limit_ms is given, but this table has clocks")]
    LimitBesideClocks,
    /// The move limit is out of range.
    #[error(
        "move_limit_ms is {0}, it must be {least} to {most}",
        least = MOVE_LIMITS_MS.start(),
        most = MOVE_LIMITS_MS.end()
    )]
    MoveLimit(u64),
}

impl SettingError {
    /// Returns the code of the refusal on the wire.
    #[must_use]
    pub fn code(&self) -> RefusalCode {
        match self {
            Self::Setup(_) => RefusalCode::BadSetup,
            Self::WaitInPublic
            | Self::PrivateWatchedByAll
            | Self::PrivateOpenToAll
            | Self::Unratable { .. }
            | Self::RangeWithoutUse
            | Self::EmptyRange
            | Self::RangeOfNobody { .. }
            | Self::RangeLimit { .. }
            | Self::HotseatInPublic
            | Self::AnonymousAmongTwo
            | Self::LimitBesideClocks
            | Self::MoveLimit(_) => RefusalCode::BadSetting,
        }
    }
}

/// Validates the requested settings and adds defaults. The numbers of a time control are checked
/// when the request is parsed.
///
/// # Errors
/// Returns [`SettingError`] for the first setting that is invalid or contradicts another setting.
pub fn validate_settings(request: CreateTable) -> Result<TableSettings, SettingError> {
    let CreateTable { variant, privacy, setup, .. } = request;
    let setup = setup.map(|text| Setup::parse(variant, &text)).transpose()?;
    let time = request.time.unwrap_or(TimeSetting::None);
    let is_private = privacy == Privacy::Private;
    let is_rated = request.rated.unwrap_or(false);
    let settings = TableSettings {
        variant,
        privacy,
        setup: setup.map(|setup| setup.to_string()),
        time,
        draws: request.draws.unwrap_or_default(),
        absence: request.absence.unwrap_or(Absence::Eliminate),
        watchers: request.watchers.unwrap_or(if is_private { Watchers::Link } else { Watchers::Everybody }),
        chat: request.chat.unwrap_or(if is_rated { Chat::Phrases } else { Chat::On }),
        admission: request.admission.unwrap_or(if is_private { Admission::Invite } else { Admission::Open }),
        rated: is_rated,
        rating_range: request.rating_range,
        seating: request.seating.unwrap_or(Seating::Chosen),
        move_limit_ms: move_limit_ms(request.move_limit_ms, time, privacy)?,
        hotseat: request.hotseat.unwrap_or(false),
        group: request.group,
        anonymous: request.anonymous.unwrap_or(false),
    };
    check(&settings)?;
    Ok(settings)
}

fn move_limit_ms(
    requested: Option<u64>,
    time: TimeSetting,
    privacy: Privacy,
) -> Result<Option<u64>, SettingError> {
    match (requested, time, privacy) {
        (Some(limit), TimeSetting::None, _) if MOVE_LIMITS_MS.contains(&limit) => Ok(Some(limit)),
        (Some(limit), TimeSetting::None, _) => Err(SettingError::MoveLimit(limit)),
        (Some(_), _, _) => Err(SettingError::LimitBesideClocks),
        (None, TimeSetting::None, Privacy::Public) => Ok(Some(DEFAULT_MOVE_LIMIT_MS)),
        (None, _, _) => Ok(None),
    }
}

/// Checks that a user may play with these settings. Rated matches are for people with an account.
///
/// # Errors
/// Returns [`Rejection::BotAtRated`] or [`Rejection::GuestAtRated`].
pub fn check_player(settings: &TableSettings, user: &UserView) -> Result<(), Rejection> {
    match (settings.rated, user.bot.is_some(), user.account) {
        (true, true, _) => Err(Rejection::BotAtRated),
        (true, false, false) => Err(Rejection::GuestAtRated),
        (true, false, true) | (false, ..) => Ok(()),
    }
}

/// Checks that the settings do not contradict each other.
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
    if settings.anonymous && settings.variant.player_count() < 3 {
        return Err(SettingError::AnonymousAmongTwo);
    }
    if let Some(range) = settings.rating_range {
        check_rating_range(settings, range)?;
    }
    let unratable = [
        (settings.setup.is_some(), "a setup of its own"),
        (settings.hotseat, "hotseat"),
        (settings.absence == Absence::Wait, "absence wait"),
        (settings.absence == Absence::Bot, "absence bot"),
        (settings.time == TimeSetting::None, "no clocks"),
    ];
    match unratable.into_iter().find(|(is_chosen, _)| *is_chosen && settings.rated) {
        Some((_, with)) => Err(SettingError::Unratable { with }),
        None => Ok(()),
    }
}

/// Checks that a range of ratings has an effect and that it contains a rating.
fn check_rating_range(settings: &TableSettings, range: RatingRange) -> Result<(), SettingError> {
    if !settings.rated || settings.admission != Admission::Open {
        return Err(SettingError::RangeWithoutUse);
    }
    let limits = [("min", range.min), ("max", range.max)];
    for (field, value) in limits.into_iter().filter_map(|(field, limit)| limit.map(|value| (field, value))) {
        if value > MAX_RATING {
            return Err(SettingError::RangeLimit { field, value });
        }
    }
    match (range.min, range.max) {
        (None, None) => Err(SettingError::EmptyRange),
        (Some(min), Some(max)) if min > max => Err(SettingError::RangeOfNobody { min, max }),
        _ => Ok(()),
    }
}
