//! Requests at the same time for one code, one identity, one link that sets a password, and one name.
//! Of each group of requests exactly one has an effect. The groups are small and there are many of them,
//! because each is another race.

use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};
use futures_util::future::try_join_all;
use quadrex_protocol::http::{NewAccount, NewProviderAccount};
use quadrex_protocol::{RefusalCode, UserId};
use quadrex_rules::Timestamp;
use quadrex_store::{ConfirmedAddress, MailLinkKind, NewConfirmation, SecretHash, Store};
use quadrex_tests::http::PASSWORD;
use quadrex_tests::visitor::HOME;
use quadrex_tests::{Database, Http, Launch};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::time::timeout;
use uuid::Uuid;

use crate::accounts::sign_in;
use crate::providers::{COMPLETE, Site, failed};

/// The number of groups of requests.
const ROUNDS: usize = 200;

/// The number of requests in a group.
const AT_ONCE: usize = 4;

/// The longest time of all rounds on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Returns a launch whose passwords cost little time, and whose accounts have no limit of sign-ins.
fn cheap(launch: Launch) -> Launch {
    launch
        .with_env("QUADREX_ACCOUNTS__MEMORY_KIB", "7168")
        .with_env("QUADREX_ACCOUNTS__ITERATIONS", "1")
        .with_env("QUADREX_LIMITS__SIGN_INS_PER_ACCOUNT", 10_000)
}

/// Sends requests to finish one sign-in in each round.
async fn race_for_codes(database: &Database) -> Result<()> {
    let site = Site::start_on(database, |launch| launch).await?;
    let mut home = site.visit().await?;
    ensure!(home.through(&site.provider, "lichess", "ada", false).await? == COMPLETE);
    ensure!(home.sign_up("Ada").await?.status == 201);
    let library = site.visit().await?;
    for round in 0..ROUNDS {
        let mut library = library.clone();
        let url = library.start("lichess", false).await?;
        let back = site.provider.agree(&url, "ada")?;
        let mut visitors = vec![library; AT_ONCE];
        let pages = try_join_all(visitors.iter_mut().map(|visitor| visitor.open(&back))).await?;
        let signed_in = pages.iter().filter(|page| *page == HOME).count();
        let stale = pages.iter().filter(|page| page.ends_with("#sign-in-failed=stale_sign_in")).count();
        ensure!((signed_in, stale) == (1, AT_ONCE - 1), "round {round}: {pages:?}");
        ensure!(site.provider.exchanged() == round + 2, "round {round}: a code was exchanged twice");
    }
    Ok(())
}

/// Lets several accounts connect one identity in each round, and several guests create an account for
/// another one.
async fn race_for_identities(database: &Database) -> Result<()> {
    let site = Site::start_on(database, cheap).await?;
    let mut accounts = Vec::new();
    for number in 0..AT_ONCE {
        let visitor = site.visit().await?;
        visitor.http().create_account(&format!("Account {number}")).await?;
        accounts.push(visitor);
    }
    for round in 0..ROUNDS {
        let name = format!("user{round}");
        let connecting =
            accounts.iter_mut().map(|visitor| visitor.through(&site.provider, "example", &name, true));
        let pages = try_join_all(connecting).await?;
        let taken = pages.iter().filter(|page| **page == failed("already_connected")).count();
        let connected: Vec<_> = (0..AT_ONCE).filter(|number| pages[*number] == HOME).collect();
        ensure!(connected.len() == 1 && taken == AT_ONCE - 1, "round {round}: {pages:?}");
        let owner = &accounts[connected[0]];
        ensure!(owner.sign_ins().await?.providers[0].user_name == name, "round {round}");
        let removed = owner.http().request("DELETE", "/api/me/sign-ins/example", None).await?;
        ensure!(removed.status == 204, "round {round}: {removed:?}");
    }
    Ok(())
}

/// Lets several guests create an account for one identity in each round.
async fn race_for_sign_ups(database: &Database) -> Result<()> {
    let site = Site::start_on(database, |launch| launch).await?;
    let mut guests = try_join_all((0..AT_ONCE).map(|_| site.visit())).await?;
    for round in 0..ROUNDS {
        let name = format!("user{round}");
        let coming = guests.iter_mut().map(|guest| guest.through(&site.provider, "example", &name, false));
        ensure!(try_join_all(coming).await?.iter().all(|page| page == COMPLETE), "round {round}");
        let sign_ups = guests.iter().enumerate().map(async |(number, guest)| {
            let account = NewProviderAccount { name: format!("Name {round} {number}") };
            guest.http().post("/api/me/provider-sign-up", &account).await
        });
        let answers = try_join_all(sign_ups).await?;
        let created: Vec<_> = (0..AT_ONCE).filter(|number| answers[*number].status == 201).collect();
        let gone = answers.iter().filter(|answer| answer.status == 404).count();
        ensure!(created.len() == 1 && gone == AT_ONCE - 1, "round {round}: {answers:?}");
        ensure!(guests[created[0]].me().await?.account, "round {round}");
        guests[created[0]] = site.visit().await?;
    }
    Ok(())
}

/// The part of the server that sends links by mail.
struct LinkSender {
    store: Store,
    user: UserId,
}

impl LinkSender {
    fn now() -> Result<Timestamp> {
        let now = SystemTime::UNIX_EPOCH.elapsed()?.as_millis();
        Ok(Timestamp::from_millis(u64::try_from(now)?))
    }

    fn hash(secret: &str) -> SecretHash {
        SecretHash(Sha256::digest(secret).into())
    }

    /// Begins to send the only link that is due.
    async fn send(&self, kind: MailLinkKind, secret: &str, now: Timestamp) -> Result<()> {
        let due = self.store.claim_mail_links(now, now + LIMIT, 8).await?;
        let [link] = due.as_slice() else { anyhow::bail!("{due:?}") };
        ensure!(link.kind == kind && link.user == self.user, "{link:?}");
        ensure!(self.store.set_mail_link_secret(link, Self::hash(secret)).await?, "the link is there");
        Ok(self.store.reschedule_mail_link(link, None).await?)
    }

    /// Gives the user a confirmed address.
    async fn confirm(&self) -> Result<()> {
        let (now, user) = (Self::now()?, self.user);
        let new = NewConfirmation {
            user,
            address: "ada@mail.example",
            language: "en",
            notifies: false,
            at: now,
            expires: now + LIMIT,
        };
        self.store.request_confirmation(new).await?;
        self.send(MailLinkKind::Confirm, "confirms", now).await?;
        let address = ConfirmedAddress { id: Uuid::from_u128(1), unsubscribe_key: "k".repeat(32) };
        let confirmed = self.store.confirm_mail_address(Self::hash("confirms"), &address, now).await?;
        ensure!(confirmed == Some(user));
        Ok(())
    }

    /// Makes a link that sets a new password.
    async fn reset(&self, secret: &str) -> Result<()> {
        let now = Self::now()?;
        self.store.request_reset("ada", "en", now, now + LIMIT).await?;
        self.send(MailLinkKind::Reset, secret, now).await
    }
}

/// Sets several passwords with one link in each round.
async fn race_for_links(database: &Database) -> Result<()> {
    let launch = cheap(Launch::new(database)?);
    let server = launch.start().await?;
    let user = server.http().account("Ada").await?.user.id;
    let sender = LinkSender { store: Store::connect(&launch.location()?, 2).await?, user };
    sender.confirm().await?;
    for round in 0..ROUNDS {
        let secret = format!("link {round}");
        sender.reset(&secret).await?;
        let password = |number: usize| format!("the password {round} {number}");
        let set = (0..AT_ONCE).map(async |number| {
            let body = json!({"secret": secret, "password": password(number)});
            server.http().post("/api/password-resets/confirm", &body).await
        });
        let answers = try_join_all(set).await?;
        let was_set: Vec<_> = (0..AT_ONCE).filter(|number| answers[*number].status == 204).collect();
        let [winner] = was_set[..] else { anyhow::bail!("round {round}: {answers:?}") };
        for other in (0..AT_ONCE).filter(|number| *number != winner) {
            ensure!(answers[other].refusal(410)? == RefusalCode::BadMailLink, "round {round}");
        }
        let signed_in = sign_in(&server.http(), "Ada", &password(winner)).await?;
        ensure!(signed_in.status == 200, "round {round}: {signed_in:?}");
    }
    Ok(())
}

/// Lets several guests create accounts with one name in each round.
async fn race_for_names(database: &Database) -> Result<()> {
    let server = cheap(Launch::new(database)?).start().await?;
    let mut guests: Vec<Http> = Vec::new();
    for round in 0..ROUNDS {
        while guests.len() < AT_ONCE {
            guests.push(server.http().as_guest(&server.guest("Guest").await?));
        }
        let account = NewAccount { name: format!("Name {round}"), password: PASSWORD.to_owned() };
        let answers = try_join_all(guests.iter().map(|guest| guest.post("/api/account", &account))).await?;
        let created: Vec<_> = (0..AT_ONCE).filter(|number| answers[*number].status == 201).collect();
        let [winner] = created[..] else { anyhow::bail!("round {round}: {answers:?}") };
        for other in (0..AT_ONCE).filter(|number| *number != winner) {
            ensure!(answers[other].refusal(409)? == RefusalCode::NameTaken, "round {round}");
        }
        guests.remove(winner);
    }
    Ok(())
}

macro_rules! races {
    ($($name:ident, $on_sqlite:ident, $on_postgres:ident;)+) => {$(
        #[tokio::test]
        async fn $on_sqlite() -> Result<()> {
            timeout(LIMIT, $name(&Database::Sqlite)).await.context("the rounds take too long")?
        }

        #[tokio::test]
        async fn $on_postgres() -> Result<()> {
            let database = Database::postgres().await?;
            timeout(LIMIT, $name(&database)).await.context("the rounds take too long")?
        }
    )+};
}

races! {
    race_for_codes, one_of_several_requests_with_one_code_signs_in_on_sqlite,
        one_of_several_requests_with_one_code_signs_in_on_postgres;
    race_for_identities, one_of_several_accounts_connects_an_identity_on_sqlite,
        one_of_several_accounts_connects_an_identity_on_postgres;
    race_for_sign_ups, one_of_several_guests_creates_an_account_for_an_identity_on_sqlite,
        one_of_several_guests_creates_an_account_for_an_identity_on_postgres;
    race_for_links, one_of_several_passwords_is_set_with_a_link_on_sqlite,
        one_of_several_passwords_is_set_with_a_link_on_postgres;
    race_for_names, one_of_several_guests_gets_a_name_on_sqlite,
        one_of_several_guests_gets_a_name_on_postgres;
}
