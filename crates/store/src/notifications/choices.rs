//! The notifications that users want, and the hours in which they want none.

use quadrex_protocol::UserId;

use crate::Store;
use crate::database::{Sql, execute, fetch_optional};
use crate::error::{StoreError, unreadable};

/// The notifications that a user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotificationChoices {
    /// True if the user is notified of turns in correspondence matches.
    pub turn: bool,
    /// True if the user is notified of started matches.
    pub started: bool,
    /// The hours in which the user is not notified.
    pub quiet_hours: Option<QuietHours>,
}

impl Default for NotificationChoices {
    fn default() -> Self {
        Self { turn: true, started: true, quiet_hours: None }
    }
}

/// The hours of a user's day in which the user is not notified. They may begin before midnight and
/// end after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    /// The first minute of the day.
    pub from_minute: u16,
    /// The minute of the day at which the hours end.
    pub to_minute: u16,
    /// The difference of the user's time to UTC, in minutes. It is positive in the east.
    pub utc_offset_minutes: i16,
}

/// A row of `notification_choices` as the databases return it.
type RawChoices = (bool, bool, Option<i32>, Option<i32>, Option<i32>);

fn read((turn, started, from, to, offset): RawChoices) -> Result<NotificationChoices, StoreError> {
    let invalid = || unreadable("notification_choices.quiet_from", format!("{from:?} {to:?} {offset:?}"));
    let quiet_hours = match (from, to, offset) {
        (Some(from), Some(to), Some(offset)) => Some(QuietHours {
            from_minute: u16::try_from(from).map_err(|_| invalid())?,
            to_minute: u16::try_from(to).map_err(|_| invalid())?,
            utc_offset_minutes: i16::try_from(offset).map_err(|_| invalid())?,
        }),
        _ => None,
    };
    Ok(NotificationChoices { turn, started, quiet_hours })
}

impl Store {
    /// Returns the notifications that a user wants. By default these are all.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn notification_choices(&self, user: UserId) -> Result<NotificationChoices, StoreError> {
        let sql = Sql::both(
            "select on_turn, on_started, quiet_from, quiet_to, utc_offset
             from notification_choices where user_id = $1",
        );
        let row = fetch_optional!(self, RawChoices, sql, user.0);
        let row = row.map_err(StoreError::database("look up the notifications that a user wants"))?;
        row.map_or_else(|| Ok(NotificationChoices::default()), read)
    }

    /// Sets the notifications that a user wants.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub async fn set_notification_choices(
        &self,
        user: UserId,
        choices: NotificationChoices,
    ) -> Result<(), StoreError> {
        let sql = Sql::both(
            "insert into notification_choices (user_id, on_turn, on_started, quiet_from, quiet_to, utc_offset)
             values ($1, $2, $3, $4, $5, $6)
             on conflict (user_id) do update set on_turn = excluded.on_turn, on_started = excluded.on_started,
                 quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
                 utc_offset = excluded.utc_offset",
        );
        let quiet = choices.quiet_hours;
        let set = execute!(
            self,
            sql,
            user.0,
            choices.turn,
            choices.started,
            quiet.map(|quiet| i32::from(quiet.from_minute)),
            quiet.map(|quiet| i32::from(quiet.to_minute)),
            quiet.map(|quiet| i32::from(quiet.utc_offset_minutes)),
        );
        set.map(drop).map_err(StoreError::database("set the notifications that a user wants"))
    }
}
