//! The kinds of users.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::UserId;
use quadrex_protocol::http::{Me, NewToken, TokenCreated, TokenList, TokenScope};
use quadrex_rules::Timestamp;
use quadrex_store::{Store, UserSuspension};
use quadrex_tests::{Guest, Http, InProcessServer};

/// A kind of user.
pub(super) struct User {
    pub(super) name: &'static str,
    /// The id of the user, or of any other user for a client without a user.
    pub(super) id: UserId,
    /// The id of a user without a role.
    pub(super) other: UserId,
    /// The user with a token; `None` for a client without a user.
    pub(super) guest: Option<Guest>,
    /// The link that the user has.
    pub(super) link: Option<Link>,
}

/// A link to a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    Watch,
    Invite,
}

impl User {
    fn new(name: &'static str, guest: Guest) -> Self {
        Self { name, id: guest.user.id, other: guest.user.id, guest: Some(guest), link: None }
    }

    /// Returns a client that acts as this user.
    pub(super) fn http(&self, server: &InProcessServer) -> Http {
        self.guest.as_ref().map_or_else(|| server.http(), |guest| server.http().as_guest(guest))
    }
}

/// One user of each kind. The first ones need no table, and the others have a role at a table.
pub(super) struct Users {
    users: Vec<User>,
    without_table: usize,
    pub(super) host: Guest,
    pub(super) player: Guest,
    pub(super) eliminated: Guest,
    pub(super) fourth: Guest,
    pub(super) kicked: Guest,
}

impl Users {
    pub(super) async fn create(server: &InProcessServer, operator: &Guest) -> Result<Self> {
        let http = server.http();
        let account = account(&http).await?;
        let expired = with_token(&http, &account, TokenScope::Play, Some(1)).await?;
        server.skip(Duration::from_secs(86_400));
        let revoked = with_token(&http, &account, TokenScope::Play, None).await?;
        revoke_tokens(&http.as_guest(&account)).await?;
        let mut users = vec![
            User { guest: None, ..User::new("anonymous", account.clone()) },
            User::new("guest", http.guest("Guest").await?),
            User::new("account", account),
            User::new("expired", expired),
            User::new("revoked", revoked),
            User::new("suspended", suspended(server, operator).await?),
            User::new("operator", operator.clone()),
        ];
        let host = account_of_tokens(&http, &mut users).await?;
        let blocked = http.guest("Blocked").await?;
        relate(&http, &host, "blocks", blocked.user.id).await?;
        let without_table = users.len();
        let [player, eliminated, fourth, kicked, spectator, invited] = [
            http.guest("Player").await?,
            http.guest("Eliminated").await?,
            http.guest("Fourth").await?,
            http.guest("Kicked").await?,
            http.guest("Spectator").await?,
            http.guest("Invited").await?,
        ];
        users.extend([
            User::new("host", host.clone()),
            User::new("player", player.clone()),
            User::new("eliminated", eliminated.clone()),
            User::new("kicked", kicked.clone()),
            User { link: Some(Link::Watch), ..User::new("spectator", spectator) },
            User { link: Some(Link::Invite), ..User::new("invited", invited) },
            User { link: Some(Link::Invite), ..User::new("blocked", blocked) },
        ]);
        let other = self::account(&http).await?.user.id;
        relate(&http, &host, "follows", other).await?;
        users.iter_mut().for_each(|user| user.other = other);
        Ok(Self { users, without_table, host, player, eliminated, fourth, kicked })
    }

    pub(super) fn all(&self) -> &[User] {
        &self.users
    }

    pub(super) fn without_table(&self) -> &[User] {
        &self.users[..self.without_table]
    }
}

/// Adds a relation of the host to a user.
async fn relate(http: &Http, host: &Guest, list: &str, user: UserId) -> Result<()> {
    let answer = http.as_guest(host).request("PUT", &format!("/api/me/{list}/{user}"), None).await?;
    ensure!(answer.status == 204, "{}", answer.body);
    Ok(())
}

/// Creates the account of the host, and adds its tokens, one for each scope.
async fn account_of_tokens(http: &Http, users: &mut Vec<User>) -> Result<Guest> {
    let host = account(http).await?;
    let names = ["read token", "play token", "host token", "bot token", "admin token"];
    for (name, scope) in names.into_iter().zip(TokenScope::ALL) {
        users.push(User::new(name, with_token(http, &host, scope, None).await?));
    }
    Ok(host)
}

/// Creates a guest who is suspended.
async fn suspended(server: &InProcessServer, operator: &Guest) -> Result<Guest> {
    let guest = server.http().guest("Suspended").await?;
    let store = server.store().await?;
    let (since, reason) = (guest_time(&store, &guest).await?, "abuse".to_owned());
    let (user, by) = (guest.user.id, operator.user.id);
    store.suspend(&UserSuspension { user, reason, since, until: None, by }).await?;
    store.close().await;
    Ok(guest)
}

/// Returns the time at which a guest was created.
async fn guest_time(store: &Store, guest: &Guest) -> Result<Timestamp> {
    Ok(store.user(guest.user.id).await?.context("the guest is stored")?.created_at)
}

async fn account(http: &Http) -> Result<Guest> {
    let guest = http.guest("Account").await?;
    // The name is unique.
    let name = format!("Account {}", &guest.user.id.to_string()[24..]);
    http.sign_up(guest, &name).await
}

async fn with_token(http: &Http, of: &Guest, scope: TokenScope, days: Option<u16>) -> Result<Guest> {
    let new = NewToken { name: "program".to_owned(), scopes: vec![scope], expires_in_days: days };
    let token: TokenCreated = http.as_guest(of).post("/api/tokens", &new).await?.json(201)?;
    let guest = Guest { user: of.user.clone(), token: token.token };
    let me: Me = http.as_guest(&guest).get("/api/me").await?.json(200)?;
    Ok(Guest { user: me.user, ..guest })
}

async fn revoke_tokens(http: &Http) -> Result<()> {
    let list: TokenList = http.get("/api/tokens").await?.json(200)?;
    for token in list.tokens {
        http.request("DELETE", &format!("/api/tokens/{}", token.id), None).await?;
    }
    Ok(())
}
