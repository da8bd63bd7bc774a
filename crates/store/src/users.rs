//! Users.

use quadrex_protocol::UserId;
use quadrex_protocol::bot::BotView;
use quadrex_protocol::user::UserView;
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, execute, fetch_optional};
use super::error::{StoreError, unreadable};
use super::time_column::TimeColumn;

/// A person or a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The user's id.
    pub id: UserId,
    /// The displayed name, 1 to 24 characters.
    pub name: String,
    /// The time of the user's first request.
    pub created_at: Timestamp,
    /// True if the user has an account, false for a guest.
    pub account: bool,
    /// The kind of bot; `None` for a person.
    pub bot: Option<BotView>,
}

impl User {
    /// Returns the user as other users see it.
    pub fn view(&self) -> UserView {
        UserView {
            id: self.id,
            name: self.name.clone(),
            account: self.account,
            bot: self.bot.clone(),
            anonymous: false,
        }
    }
}

/// A row of `users` as the databases return it.
#[derive(sqlx::FromRow)]
pub(super) struct RawUser {
    id: Uuid,
    name: String,
    created_at: TimeColumn,
    account: bool,
    bot: Option<String>,
}

impl RawUser {
    pub(super) fn read(self) -> Result<User, StoreError> {
        Ok(User {
            id: UserId(self.id),
            name: self.name,
            created_at: self.created_at.read("users.created_at")?,
            account: self.account,
            bot: read_bot(self.bot.as_deref())?,
        })
    }
}

fn read_bot(text: Option<&str>) -> Result<Option<BotView>, StoreError> {
    let bot = text.map(serde_json::from_str).transpose();
    bot.map_err(|error| unreadable("users.bot", error))
}

/// Returns a user as other users see it, from the columns of a row that contains several users.
pub(super) fn read_view(
    id: Uuid,
    name: String,
    account: bool,
    bot: Option<&str>,
) -> Result<UserView, StoreError> {
    Ok(UserView { id: UserId(id), name, account, bot: read_bot(bot)?, anonymous: false })
}

fn bot_text(bot: Option<&BotView>) -> Option<String> {
    bot.map(|bot| serde_json::to_string(bot).expect("a kind of bot is plain JSON"))
}

impl Store {
    /// Adds a new user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, a user with this id exists, or the name is too
    /// long.
    pub async fn add_user(&self, user: &User) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "insert into users (id, name, created_at, bot) values ($1, $2, $3, $4::jsonb)",
            sqlite: "insert into users (id, name, created_at_ms, bot) values ($1, $2, $3, $4)",
        };
        let (created_at, bot) = (TimeColumn::from(user.created_at), bot_text(user.bot.as_ref()));
        let added = execute!(self, sql, user.id.0, &user.name, created_at, bot);
        added.map(drop).map_err(StoreError::database("add a user"))
    }

    /// Adds a user. If a user with this id exists, nothing changes.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the user cannot be added.
    pub async fn add_user_if_absent(&self, user: &User) -> Result<(), StoreError> {
        let sql = Sql {
            postgres: "insert into users (id, name, created_at, bot) values ($1, $2, $3, $4::jsonb)
                       on conflict (id) do nothing",
            sqlite: "insert into users (id, name, created_at_ms, bot) values ($1, $2, $3, $4)
                     on conflict (id) do nothing",
        };
        let (created_at, bot) = (TimeColumn::from(user.created_at), bot_text(user.bot.as_ref()));
        let added = execute!(self, sql, user.id.0, &user.name, created_at, bot);
        added.map(drop).map_err(StoreError::database("add a user"))
    }

    /// Returns the user with this id, or `None`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn user(&self, user: UserId) -> Result<Option<User>, StoreError> {
        let sql = Sql {
            postgres: "select id, name, created_at, bot::text as bot,
                              exists (select 1 from accounts where user_id = users.id) as account
                       from users where id = $1",
            sqlite: "select id, name, created_at_ms as created_at, bot,
                            exists (select 1 from accounts where user_id = users.id) as account
                     from users where id = $1",
        };
        let row = fetch_optional!(self, RawUser, sql, user.0);
        row.map_err(StoreError::database("look up a user"))?.map(RawUser::read).transpose()
    }
}
