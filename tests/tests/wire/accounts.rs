//! Accounts: a guest takes a name and a password, and signs in from other browsers.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use futures_util::future::{join_all, try_join_all};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{
    ChangePassword, Me, NewAccount, NewGuest, NewSession, RenameUser, Session, SessionsEnded,
};
use quadrex_protocol::user::UserView;
use quadrex_rules::Variant;
use quadrex_tests::browser::page;
use quadrex_tests::contest::plain;
use quadrex_tests::http::{PASSWORD, Response};
use quadrex_tests::{Browser, Database, Http, InProcessServer, Launch};

const DAY: Duration = Duration::from_secs(86_400);

async fn sign_up(http: &Http, name: &str) -> Result<Response> {
    http.post("/api/account", &NewAccount { name: name.to_owned(), password: PASSWORD.to_owned() }).await
}

pub(crate) async fn sign_in(http: &Http, name: &str, password: &str) -> Result<Response> {
    let (name, password) = (Some(name.to_owned()), Some(password.to_owned()));
    http.post("/api/session", &NewSession { name, password, ..NewSession::default() }).await
}

async fn rename(http: &Http, name: &str) -> Result<Response> {
    let name = RenameUser { name: name.to_owned() };
    http.request("PATCH", "/api/me", Some(&serde_json::to_string(&name)?)).await
}

async fn change_password(http: &Http, current: &str, new: &str) -> Result<Response> {
    let change = ChangePassword { current: Some(current.to_owned()), new: new.to_owned() };
    http.request("PUT", "/api/account/password", Some(&serde_json::to_string(&change)?)).await
}

async fn check_account(database: Database) -> Result<()> {
    let server = Launch::new(&database)?.start().await?;
    let address = server.address();
    let home = Browser::visit(address).await?;
    let table = home.http().create(&plain(Variant::Classic)).await?.table;
    ensure!(!home.user.account);
    let account: UserView = sign_up(&home.http(), "Ada Lovelace").await?.json(201)?;
    let expected = UserView { name: "Ada Lovelace".to_owned(), account: true, ..home.user.clone() };
    ensure!(account == expected, "{account:?}");
    let me: Me = home.http().get("/api/me").await?.json(200)?;
    ensure!(me.user == account && me.tables.len() == 1, "nothing is lost: {me:?}");
    ensure!(me.tables[0].table == table);
    ensure!(sign_up(&home.http(), "Ada").await?.refusal(409)? == RefusalCode::AlreadyAccount);

    // The name is typed in another way, in a browser that has a guest.
    let library = Browser::visit(address).await?;
    let answer = sign_in(&library.http(), "ada lovelace", PASSWORD).await?;
    let signed_in: Session = answer.json(200)?;
    ensure!(signed_in.user == account && signed_in.previous_user == Some(library.user), "{signed_in:?}");
    let library = Browser::given_by(address, &answer)?;
    library.connect().await?;

    // A new password ends the other sessions.
    let guest = server.guest("Ben").await?;
    let forbidden = change_password(&server.http().as_guest(&guest), PASSWORD, "another one").await?;
    ensure!(forbidden.refusal(403)? == RefusalCode::Forbidden);
    let wrong = change_password(&library.http(), "wrong password", "another one").await?;
    ensure!(wrong.refusal(403)? == RefusalCode::WrongCredentials);
    let short = change_password(&library.http(), PASSWORD, "short").await?;
    ensure!(short.refusal(400)? == RefusalCode::InvalidPassword);
    let changed: SessionsEnded =
        change_password(&library.http(), PASSWORD, "another one").await?.json(200)?;
    ensure!(changed.ended == 1, "{changed:?}");
    ensure!(home.http().get("/api/me").await?.refusal(401)? == RefusalCode::Unauthenticated);
    ensure!(library.http().get("/api/me").await?.json::<Me>(200)?.user == account);
    let old = sign_in(&page(address), "Ada Lovelace", PASSWORD).await?;
    ensure!(old.refusal(403)? == RefusalCode::WrongCredentials);
    let new: Session = sign_in(&page(address), "Ada Lovelace", "another one").await?.json(200)?;
    ensure!(new.user == account, "{new:?}");
    Ok(())
}

#[tokio::test]
async fn a_guest_becomes_an_account_and_signs_in_on_sqlite() -> Result<()> {
    check_account(Database::Sqlite).await
}

#[tokio::test]
async fn a_guest_becomes_an_account_and_signs_in_on_postgres() -> Result<()> {
    check_account(Database::postgres().await?).await
}

/// The answer is the same whether or not there is an account, and does not change the browser's user.
#[tokio::test]
async fn a_wrong_password_and_an_unknown_name_get_the_same_answer() -> Result<()> {
    let server = InProcessServer::start().await?;
    let address = server.address();
    let ada = Browser::visit(address).await?;
    sign_up(&ada.http(), "Ada").await?.json::<UserView>(201)?;
    let mut answers = Vec::new();
    for (name, password) in [
        ("Ada", "wrong password"),
        ("Ben", PASSWORD),
        ("", ""),
        (" Ada", PASSWORD),
        ("Ada", &"p".repeat(9_000)),
    ] {
        let answer = sign_in(&page(address), name, password).await?;
        ensure!(answer.refusal(403)? == RefusalCode::WrongCredentials, "{name:?}");
        ensure!(answer.header("set-cookie").is_none(), "{name:?}");
        answers.push(answer.body);
    }
    ensure!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    let half = NewSession { name: Some("Ada".to_owned()), ..NewSession::default() };
    ensure!(page(address).post("/api/session", &half).await?.refusal(400)? == RefusalCode::Malformed);
    let evil = server.http().with_header("Origin", "http://evil.example");
    ensure!(sign_in(&evil, "Ada", PASSWORD).await?.refusal(403)? == RefusalCode::BadOrigin);
    Ok(())
}

/// The sixth attempt at an account must wait, with the right password too, and whether or not there
/// is such an account.
#[tokio::test]
async fn five_attempts_at_one_account_are_allowed_and_then_a_wait() -> Result<()> {
    let server = InProcessServer::start().await?;
    let address = server.address();
    let ada = Browser::visit(address).await?;
    sign_up(&ada.http(), "Ada").await?.json::<UserView>(201)?;
    for name in ["ADA", "Nobody"] {
        for _ in 0..5 {
            let answer = sign_in(&page(address), name, "wrong password").await?;
            ensure!(answer.refusal(403)? == RefusalCode::WrongCredentials, "{name}");
        }
        let answer = sign_in(&page(address), name, PASSWORD).await?;
        ensure!(answer.refusal(429)? == RefusalCode::RateLimited, "{name}");
        let wait: u64 = answer.header("retry-after").context("a time to wait")?.parse()?;
        ensure!(
            (1..=12).contains(&wait) && answer.body.contains(&format!("wait {wait} seconds")),
            "{answer:?}"
        );
    }
    let other = Browser::visit(address).await?;
    sign_up(&other.http(), "Ben").await?.json::<UserView>(201)?;
    sign_in(&page(address), "Ben", PASSWORD).await?.json::<Session>(200)?;
    Ok(())
}

#[tokio::test]
async fn the_name_of_an_account_belongs_to_it_forever() -> Result<()> {
    let server = InProcessServer::start().await?;
    let address = server.address();
    let (ada, ben) = (Browser::visit(address).await?, Browser::visit(address).await?);
    ensure!(rename(&ben.http(), "Аdа").await?.status == 200, "nobody has the name yet");
    sign_up(&ada.http(), "Ada").await?.json::<UserView>(201)?;
    for taken in ["ada", "A.d.a", "Аdа"] {
        ensure!(rename(&ben.http(), taken).await?.refusal(409)? == RefusalCode::NameTaken, "{taken}");
        ensure!(sign_up(&ben.http(), taken).await?.refusal(409)? == RefusalCode::NameTaken, "{taken}");
        let guest = NewGuest { name: Some(taken.to_owned()), bot: false };
        let answer = server.http().post("/api/guests", &guest).await?;
        ensure!(answer.refusal(409)? == RefusalCode::NameTaken, "{taken}");
    }
    let invalid = sign_up(&ben.http(), "★").await?;
    ensure!(invalid.refusal(400)? == RefusalCode::BadSetting, "it has no letter");
    let name = NewAccount { name: "Correct Horse".to_owned(), password: PASSWORD.to_owned() };
    let invalid = ben.http().post("/api/account", &name).await?;
    ensure!(invalid.refusal(400)? == RefusalCode::InvalidPassword, "it is the name");

    let renamed: UserView = rename(&ada.http(), "Countess").await?.json(200)?;
    ensure!(renamed.name == "Countess" && renamed.account, "{renamed:?}");
    rename(&ada.http(), "countess").await?.json::<UserView>(200)?;
    let early = rename(&ada.http(), "Lovelace").await?;
    ensure!(early.refusal(429)? == RefusalCode::RenameTooSoon);
    let wait: u64 = early.header("retry-after").context("a time to wait")?.parse()?;
    ensure!(wait.div_ceil(86_400) == 30, "{early:?}");
    ensure!(rename(&ben.http(), "Ada").await?.refusal(409)? == RefusalCode::NameTaken, "the old name");
    sign_in(&page(address), "Countess", PASSWORD).await?.json::<Session>(200)?;
    let old = sign_in(&page(address), "Ada", PASSWORD).await?;
    ensure!(old.refusal(403)? == RefusalCode::WrongCredentials);
    server.skip(30 * DAY);
    rename(&ada.http(), "Ada").await?.json::<UserView>(200)?;
    Ok(())
}

#[tokio::test]
async fn of_many_parallel_sign_ups_for_one_name_exactly_one_succeeds() -> Result<()> {
    let settings = [
        ("QUADREX_ACCOUNTS__MEMORY_KIB", "7168"),
        ("QUADREX_ACCOUNTS__ITERATIONS", "1"),
        ("QUADREX_ACCOUNTS__WAITING", "300"),
    ];
    let server = InProcessServer::start_with(&settings).await?;
    let guests = try_join_all((0..200).map(|number| {
        let server = &server;
        async move { server.guest(&format!("Guest {number}")).await }
    }))
    .await?;
    let guests: Vec<Http> = guests.iter().map(|guest| server.http().as_guest(guest)).collect();
    let answers = try_join_all(guests.iter().map(|guest| sign_up(guest, "Ada"))).await?;
    let created: Vec<_> = (0..200).filter(|number| answers[*number].status == 201).collect();
    ensure!(created.len() == 1, "{created:?}");
    for (number, answer) in answers.iter().enumerate().filter(|(number, _)| *number != created[0]) {
        ensure!(answer.refusal(409)? == RefusalCode::NameTaken, "{number}");
    }
    let winner: UserView = answers[created[0]].json(201)?;
    let signed_in: Session = sign_in(&page(server.address()), "Ada", PASSWORD).await?.json(200)?;
    ensure!(signed_in.user == winner);
    Ok(())
}

/// Attempts beyond the queue are refused at once, so that they cost no time of a processor.
#[tokio::test]
async fn the_queue_of_passwords_is_bounded() -> Result<()> {
    let settings = [("QUADREX_ACCOUNTS__MEMORY_KIB", "262144"), ("QUADREX_ACCOUNTS__WAITING", "1")];
    let server = InProcessServer::start_with(&settings).await?;
    let page = page(server.address());
    let names: Vec<String> = (0..20).map(|number| format!("User {number}")).collect();
    let answers = join_all(names.iter().map(|name| sign_in(&page, name, PASSWORD))).await;
    let (mut wrong, mut busy) = (0, 0);
    for answer in answers {
        let answer = answer?;
        match answer.status {
            403 => wrong += 1,
            _ => {
                ensure!(answer.refusal(503)? == RefusalCode::Busy);
                ensure!(answer.header("retry-after").is_some(), "{answer:?}");
                busy += 1;
            }
        }
    }
    ensure!(wrong >= 2 && busy >= 1, "{wrong} were verified, {busy} were refused");
    Ok(())
}
