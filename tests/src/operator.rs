//! Operators for tests. Nobody can sign up with the name of an operator, so their accounts are
//! written into the database.

use anyhow::{Result, ensure};
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::UserId;
use quadrex_server::auth::Token;
use quadrex_store::{AccountCreation, Location, NewAccount, Session, SessionKind, Store, User};

use crate::http::Guest;

/// The setting by which the account of [`add_operator`] is an operator.
pub const OPERATORS: (&str, &str) = ("QUADREX_OPERATORS__ACCOUNTS", NAME);

/// The name of the operator.
const NAME: &str = "Olga";

/// Adds the account of an operator to a database. Returns the operator with a bearer token that has
/// all rights.
///
/// # Errors
/// If the database cannot be opened, or has such an account already.
pub async fn add_operator(location: &Location) -> Result<Guest> {
    let store = Store::connect(location, 1).await?;
    let (now, entropy) = (Clock::system().now(), Entropy::system());
    let id = UserId(entropy.uuid(now));
    let user = User { id, name: NAME.to_owned(), created_at: now, account: false, bot: None };
    store.add_user(&user).await?;
    let account = NewAccount {
        user: id,
        name: NAME,
        name_key: "olga",
        password_hash: Some("$argon2id$unknown"),
        at: now,
    };
    let created = store.create_account(account).await?;
    let AccountCreation::Created(user) = created else { anyhow::bail!("{created:?}") };
    let token = Token::draw(&entropy);
    let session = Session {
        token: token.hash(),
        user: id,
        kind: SessionKind::Bearer,
        created_at: now,
        expires_at: None,
        seen_at: None,
        client: None,
    };
    store.add_session(&session).await?;
    store.close().await;
    ensure!(user.account);
    Ok(Guest { user: user.view(), token: token.as_str().to_owned() })
}
