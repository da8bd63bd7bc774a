//! Operators: they search for users and act on them. For everybody else, their routes do not exist.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{
    AdminUser, AdminUserDetails, AdminUserList, Me, NewAccount, NewToken, PersonalData, RenameUser,
    SuspendUser, TokenCreated, TokenScope,
};
use quadrex_protocol::{RefusalCode, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::http::{PASSWORD, Response};
use quadrex_tests::operator::{OPERATORS, add_operator};
use quadrex_tests::{Browser, Database, Guest, Http, InProcessServer, Launch, PATIENCE, program};
use tokio::time::timeout;

pub(crate) fn launch(database: &Database) -> Result<Launch> {
    Ok(Launch::new(database)?.with_env(OPERATORS.0, OPERATORS.1))
}

pub(crate) async fn suspend(operator: &Http, user: UserId, hours: Option<u32>) -> Result<Response> {
    let request = SuspendUser { reason: "abusive chat".to_owned(), hours };
    operator.post(&format!("/api/admin/users/{user}/suspend"), &request).await
}

pub(crate) async fn token_with(http: &Http, owner: &Guest, scopes: &[TokenScope]) -> Result<Guest> {
    let new = NewToken { name: "tool".to_owned(), scopes: scopes.to_vec(), expires_in_days: None };
    let created: TokenCreated = http.as_guest(owner).post("/api/tokens", &new).await?.json(201)?;
    Ok(Guest { user: owner.user.clone(), token: created.token })
}

#[tokio::test]
async fn for_others_the_routes_of_operators_are_like_unknown_paths() -> Result<()> {
    let launch = launch(&Database::Sqlite)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let http = server.http();
    let other = http.account("Ben").await?;
    let scopes: Vec<TokenScope> =
        TokenScope::ALL.into_iter().filter(|scope| *scope != TokenScope::Admin).collect();
    let weak = token_with(&http, &olga, &scopes).await?;
    let admin = token_with(&http, &olga, &[TokenScope::Admin]).await?;
    let user = format!("users/{}", other.user.id);
    let requests = [
        ("GET", "users?name=Ben".to_owned(), None),
        ("DELETE", "users".to_owned(), None),
        ("OPTIONS", "users".to_owned(), None),
        ("GET", user.clone(), None),
        ("POST", format!("{user}/suspend"), Some(r#"{"reason": "none"}"#)),
        ("POST", format!("{user}/suspend"), Some("[")),
        ("GET", format!("{user}/suspend"), None),
        ("POST", format!("{user}/warn"), Some(r#"{"text": "none"}"#)),
        ("POST", format!("{user}/restore"), Some(r#"{"reason": "none"}"#)),
        ("POST", format!("{user}/rename"), Some(r#"{"name": "Eva", "reason": "none"}"#)),
        ("POST", format!("{user}/revoke"), Some(r#"{"reason": "none"}"#)),
        ("GET", format!("{user}/export"), None),
        ("GET", "pairs".to_owned(), None),
        ("GET", "reports".to_owned(), None),
        ("GET", "reports/1".to_owned(), None),
        ("POST", "reports/1/close".to_owned(), Some(r#"{"outcome": "warned"}"#)),
        ("POST", format!("tables/{}/close", other.user.id), Some(r#"{"reason": "none"}"#)),
        ("GET", "nothing".to_owned(), None),
    ];
    let visitor = Browser::visit(server.address()).await?;
    let bad_token = http.with_header("Authorization", "Bearer nothing");
    let others = [http.clone(), http.as_guest(&other), http.as_guest(&weak), visitor.http(), bad_token];
    for (method, path, body) in &requests {
        for (index, http) in others.iter().enumerate() {
            let unknown = http.request(method, &format!("/api/nothing/{path}"), *body).await?;
            let hidden = http.request(method, &format!("/api/admin/{path}"), *body).await?;
            ensure!(hidden.refusal(404)? == RefusalCode::NotFound, "{index}: {method} {path}");
            ensure!(hidden.is_like(&unknown), "{index}: {method} {path}: {hidden:?} is not {unknown:?}");
        }
    }
    for operator in [&olga, &admin] {
        let http = http.as_guest(operator);
        let found: AdminUserList = http.get("/api/admin/users?name=ben").await?.json(200)?;
        ensure!(found.users.len() == 1, "{found:?}");
        ensure!(http.get("/api/me").await?.json::<Me>(200)?.operator);
    }
    for http in [http.as_guest(&other), http.as_guest(&weak)] {
        ensure!(!http.get("/api/me").await?.json::<Me>(200)?.operator);
    }
    // The scope allows nothing else.
    let http = http.as_guest(&admin);
    let refused = http.post("/api/tables", &plain(Variant::Classic)).await?;
    ensure!(refused.refusal(403)? == RefusalCode::MissingScope);
    Ok(())
}

async fn check_search(database: Database) -> Result<()> {
    let launch = launch(&database)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let operator = server.http().as_guest(&olga);
    let contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let white = contest.players[&Color::White].guest()?.clone();
    let ben = Browser::visit(server.address()).await?;
    ben.http().create_account("Ben Smith").await?;

    let find = async |query: &str| {
        let answer = operator.get(&format!("/api/admin/users?{query}")).await?;
        anyhow::Ok(answer.json::<AdminUserList>(200)?.users)
    };
    let by_name = find("name=ben").await?;
    ensure!(by_name.len() == 1 && by_name[0].user.id == ben.user.id && by_name[0].user.account);
    ensure!(find("name=B3n-Smith").await?.is_empty());
    let alike = find("name=B%C3%A9n-5mith").await?;
    ensure!(alike.is_empty(), "5 does not look like S: {alike:?}");
    let alike = find("name=%20BEN-SM1TH").await?;
    ensure!(alike.len() == 1 && alike[0].user.id == ben.user.id, "{alike:?}");
    ensure!(find("suspended=true").await?.is_empty());
    for wrong in ["", "name=", "name=a&suspended=true", "suspended=false", "other=1"] {
        let refused = operator.get(&format!("/api/admin/users?{wrong}")).await?;
        ensure!(refused.refusal(400)? == RefusalCode::Malformed, "{wrong}");
    }

    let show = async |user: UserId| {
        operator.get(&format!("/api/admin/users/{user}")).await?.json::<AdminUserDetails>(200)
    };
    let details = show(ben.user.id).await?;
    ensure!(details.user.name == "Ben Smith" && details.account_created_at_ms.is_some(), "{details:?}");
    ensure!(details.sessions == 1 && details.tokens == 0 && details.seen_at_ms.is_some(), "{details:?}");
    ensure!(details.suspension.is_none() && details.matches.is_empty(), "{details:?}");
    let shown = async {
        while show(white.user.id).await?.matches.is_empty() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        anyhow::Ok(show(white.user.id).await?)
    };
    let details = timeout(PATIENCE, shown).await.context("the archive")??;
    ensure!(details.matches.len() == 1 && details.matches[0].match_id == contest.match_id, "{details:?}");
    for nobody in ["nothing", "00000000-0000-0000-0000-000000000000"] {
        let refused = operator.get(&format!("/api/admin/users/{nobody}")).await?;
        ensure!(refused.refusal(404)? == RefusalCode::NotFound);
    }

    suspend(&operator, ben.user.id, Some(2)).await?.json::<AdminUserDetails>(200)?;
    let suspended = find("suspended=true").await?;
    let [AdminUser { user, suspension: Some(suspension), .. }] = suspended.as_slice() else {
        anyhow::bail!("{suspended:?}")
    };
    ensure!(user.id == ben.user.id && suspension.reason == "abusive chat", "{suspended:?}");
    let log = launch.log();
    for entry in ["users_searched", "user_shown", "user_suspended"] {
        ensure!(log.lines().any(|line| line.contains(entry) && line.contains(&olga.user.id.to_string())));
    }
    let reason = log.lines().find(|line| line.contains("user_suspended")).context("an entry")?;
    ensure!(reason.contains(&ben.user.id.to_string()) && reason.contains("abusive chat"), "{reason}");
    Ok(())
}

#[tokio::test]
async fn operators_find_users_on_sqlite() -> Result<()> {
    check_search(Database::Sqlite).await
}

#[tokio::test]
async fn operators_find_users_on_postgres() -> Result<()> {
    check_search(Database::postgres().await?).await
}

/// Otherwise, the first user to take a listed name would be an operator.
#[tokio::test]
async fn nobody_can_take_the_name_of_an_operator_without_an_account() -> Result<()> {
    let server = InProcessServer::start_with(&[("QUADREX_OPERATORS__ACCOUNTS", "Ben,Eva")]).await?;
    let guest = server.guest("Quiet Otter").await?;
    let http = server.http().as_guest(&guest);
    let account = |name: &str| NewAccount { name: name.to_owned(), password: PASSWORD.to_owned() };
    for name in ["Eva", "eva!", "ben"] {
        let refused = http.post("/api/account", &account(name)).await?;
        ensure!(refused.refusal(409)? == RefusalCode::NameTaken, "{name}");
    }
    http.create_account("Eve").await?;
    let rename = serde_json::to_string(&RenameUser { name: "Eva".to_owned() })?;
    ensure!(http.request("PATCH", "/api/me", Some(&rename)).await?.refusal(409)? == RefusalCode::NameTaken);
    ensure!(http.get("/api/admin/users?name=Eve").await?.refusal(404)? == RefusalCode::NotFound);
    Ok(())
}

/// Runs `quadrex admin` with a token in the environment. Returns its exit status and its output.
pub(crate) async fn admin(server: &str, token: &str, arguments: &[&str]) -> Result<(bool, String)> {
    let mut command = tokio::process::Command::new(program::path()?);
    command.args(["admin", "--server", server]).args(arguments).env("QUADREX_ADMIN_TOKEN", token);
    let output = timeout(PATIENCE, command.output()).await.context("waiting for quadrex admin")??;
    let text = if output.status.success() { output.stdout } else { output.stderr };
    Ok((output.status.success(), String::from_utf8(text)?))
}

#[tokio::test]
async fn operators_act_from_the_command_line() -> Result<()> {
    let launch = launch(&Database::Sqlite)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let url = format!("http://{}", server.address());
    let token = token_with(&server.http(), &olga, &[TokenScope::Admin]).await?.token;
    let rude = server.guest("Rude Guest").await?;
    let (id, twin) = (rude.user.id.to_string(), server.guest("Twin").await?);
    let run = async |arguments: &[&str]| admin(&url, &token, arguments).await;

    let (is_done, found) = run(&["search", "rude g"]).await?;
    ensure!(is_done && found.starts_with(&id) && found.contains("Rude Guest"), "{found}");
    let arguments = ["suspend", "rude guest", "--days", "7", "--reason", "insults"];
    let (is_done, details) = run(&arguments).await?;
    ensure!(is_done && details.contains("suspended:") && details.contains(": insults by"), "{details}");
    let refused = server.http().as_guest(&rude).post("/api/tables", &plain(Variant::Classic)).await?;
    ensure!(refused.refusal(403)? == RefusalCode::Suspended);
    let (_, json) = run(&["--json", "search", "--suspended"]).await?;
    let list: AdminUserList = serde_json::from_str(&json)?;
    let [AdminUser { suspension: Some(suspension), .. }] = list.users.as_slice() else {
        anyhow::bail!("{json}")
    };
    let days = suspension.until_ms.map(|until| (until - suspension.since_ms) / 86_400_000);
    ensure!(days == Some(7), "{json}");
    let (is_done, details) = run(&["restore", &id, "--reason", "an apology"]).await?;
    ensure!(is_done && !details.contains("suspended:"), "{details}");
    let (is_done, details) = run(&["show", "Rude Guest"]).await?;
    ensure!(is_done && details.contains("guest") && details.contains(&id), "{details}");

    let (is_done, details) = run(&["rename", &id, "--to", "Polite Guest", "--reason", "rude"]).await?;
    ensure!(is_done && details.contains("Polite Guest"), "{details}");
    let (is_done, data) = run(&["export", &id]).await?;
    ensure!(is_done && serde_json::from_str::<PersonalData>(&data)?.user.name == "Polite Guest", "{data}");
    let (is_done, details) = run(&["revoke", "polite guest", "--reason", "stolen"]).await?;
    ensure!(is_done && details.contains("sessions:      0"), "{details}");
    let second = server.guest("twin").await?;
    let (is_done, error) = run(&["show", "Twin"]).await?;
    let both = [twin, second].iter().all(|twin| error.contains(&twin.user.id.to_string()));
    ensure!(!is_done && both, "{error}");
    let (is_done, error) = run(&["show", "Nobody"]).await?;
    ensure!(!is_done && error.contains("no user with the name"), "{error}");
    let (is_done, error) = admin(&url, &rude.token, &["search", "rude"]).await?;
    ensure!(!is_done && error.contains("not that of an operator"), "{error}");
    Ok(())
}

async fn check_rename_and_revoke(database: Database) -> Result<()> {
    let launch = launch(&database)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let operator = server.http().as_guest(&olga);
    let act = async |user: UserId, action: &str, request: serde_json::Value| {
        operator.post(&format!("/api/admin/users/{user}/{action}"), &request).await
    };
    let rename = async |user: UserId, name: &str| {
        act(user, "rename", serde_json::json!({"name": name, "reason": "unsuitable"})).await
    };
    let (rude, ben) = (server.guest("Rude Word").await?, Browser::visit(server.address()).await?);
    let token = token_with(&server.http(), &rude, &[TokenScope::Play]).await?;
    let mut connections = [server.connect(&rude).await?, server.connect(&token).await?, ben.connect().await?];
    let details: AdminUserDetails = rename(rude.user.id, "Quiet Otter").await?.json(200)?;
    ensure!(details.user.name == "Quiet Otter", "{details:?}");
    ben.http().create_account("Rude Account").await?;
    for name in ["Ben", "Ben Smith"] {
        let details: AdminUserDetails = rename(ben.user.id, name).await?.json(200)?;
        ensure!(details.user.name == name && details.user.account, "an operator need not wait: {details:?}");
    }
    ensure!(rename(rude.user.id, "ben-smith").await?.refusal(409)? == RefusalCode::NameTaken);
    ensure!(rename(rude.user.id, "Rude Account").await?.refusal(409)? == RefusalCode::NameTaken);
    ensure!(rename(rude.user.id, "Olga").await?.refusal(409)? == RefusalCode::NameTaken);
    ensure!(rename(rude.user.id, "Admin").await?.refusal(400)? == RefusalCode::BadSetting);
    ensure!(rename(olga.user.id, "Eva").await?.refusal(403)? == RefusalCode::Forbidden);

    let reason = serde_json::json!({"reason": "stolen"});
    ensure!(act(olga.user.id, "revoke", reason.clone()).await?.refusal(403)? == RefusalCode::Forbidden);
    for user in [rude.user.id, ben.user.id] {
        let details: AdminUserDetails = act(user, "revoke", reason.clone()).await?.json(200)?;
        ensure!(details.sessions == 0 && details.tokens == 0, "{details:?}");
    }
    for connection in &mut connections {
        ensure!(connection.close_code().await? == 4001);
    }
    for guest in [&rude, &token] {
        let unknown = server.http().as_guest(guest).get("/api/me").await?;
        ensure!(unknown.refusal(401)? == RefusalCode::BadToken);
    }
    let log = launch.log();
    ensure!(log.lines().any(|line| line.contains("access_revoked") && line.contains("stolen")));
    ensure!(log.lines().any(|line| line.contains("user_renamed") && line.contains("unsuitable")));
    Ok(())
}

#[tokio::test]
async fn operators_rename_users_and_end_their_sessions_on_sqlite() -> Result<()> {
    check_rename_and_revoke(Database::Sqlite).await
}

#[tokio::test]
async fn operators_rename_users_and_end_their_sessions_on_postgres() -> Result<()> {
    check_rename_and_revoke(Database::postgres().await?).await
}

/// A user exports everything that the server stores about the user, and an operator the same.
async fn check_export(database: Database) -> Result<()> {
    let launch = launch(&database)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let operator = server.http().as_guest(&olga);
    let contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let white = contest.players[&Color::White].guest()?.clone();
    let token = token_with(&server.http(), &white, &[TokenScope::Read]).await?;
    let http = server.http().as_guest(&white);
    ensure!(http.request("POST", "/api/recovery-key", None).await?.status == 201);

    let answer = http.get("/api/me/export").await?;
    ensure!(answer.header("content-disposition").is_some_and(|value| value.starts_with("attachment")));
    let data: PersonalData = answer.json(200)?;
    ensure!(data.user == white.user && data.recovery_key && data.suspension.is_none(), "{data:?}");
    ensure!(data.sessions.len() == 1 && data.tokens.len() == 1 && data.tokens[0].name == "tool", "{data:?}");
    ensure!(data.tables.len() == 1 && data.tables[0].table == contest.table, "{data:?}");
    ensure!(data.matches.len() == 1 && data.matches[0].match_id == contest.match_id, "{data:?}");
    let refused = server.http().as_guest(&token).get("/api/me/export").await?;
    ensure!(refused.refusal(403)? == RefusalCode::Forbidden);
    ensure!(server.http().get("/api/me/export").await?.refusal(401)? == RefusalCode::Unauthenticated);

    suspend(&operator, white.user.id, None).await?.json::<AdminUserDetails>(200)?;
    ensure!(http.get("/api/me/export").await?.json::<PersonalData>(200)?.suspension.is_some());
    let path = format!("/api/admin/users/{}/export", white.user.id);
    let same: PersonalData = operator.get(&path).await?.json(200)?;
    let is_same = same.user == data.user && same.matches == data.matches && same.tokens.len() == 1;
    ensure!(is_same && same.suspension.is_some(), "{same:?}");
    let log = launch.log();
    let exports: Vec<_> = log.lines().filter(|line| line.contains("data_exported")).collect();
    ensure!(exports.len() == 3 && exports[2].contains(&olga.user.id.to_string()), "{exports:?}");
    Ok(())
}

#[tokio::test]
async fn users_and_operators_export_personal_data_on_sqlite() -> Result<()> {
    check_export(Database::Sqlite).await
}

#[tokio::test]
async fn users_and_operators_export_personal_data_on_postgres() -> Result<()> {
    check_export(Database::postgres().await?).await
}
