//! The deletion of users. Their past matches stay, without their names.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::archive::{MatchList, UserPage};
use quadrex_protocol::chat::{ChatMessage, Phrase, Room};
use quadrex_protocol::http::{
    AdminReason, AdminUserDetails, CreateTable, DeleteUser, NewAccount, NewToken, TableSummary, TokenCreated,
    TokenScope,
};
use quadrex_protocol::rating::RatingHistory;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, MatchId, RefusalCode, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::browser::page;
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::http::PASSWORD;
use quadrex_tests::operator::add_operator;
use quadrex_tests::{Database, Guest, Http};
use tokio::time::timeout;

use super::accounts::sign_in;
use super::operators::launch;

const NAME: &str = "Deleted user";
const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 0 };

fn with_password(password: &str) -> DeleteUser {
    DeleteUser { password: Some(password.to_owned()) }
}

async fn ensure_nameless(http: &Http, match_id: MatchId, name: &str) -> Result<()> {
    for path in ["", "/record", "/notation"] {
        let path = format!("/api/matches/{match_id}{path}");
        let answer = http.get(&path).await?;
        ensure!(answer.status == 200, "{path}: {answer:?}");
        ensure!(answer.body.contains(NAME) && !answer.body.contains(name), "{path}: {}", answer.body);
    }
    Ok(())
}

async fn a_deleted_account_leaves_its_matches_without_its_name(database: Database) -> Result<()> {
    let launch = launch(&database)?;
    let server = launch.start().await?;
    let http = server.http();
    let rated = CreateTable { time: Some(BLITZ), rated: Some(true), ..plain(Variant::Classic) };
    let mut past = Contest::start(&server, &rated).await?;
    past.play("e2e4".parse()?).await?;
    let (table, past_match) = (past.table, past.match_id);
    let ada = past.player(Color::White)?.guest()?.clone();
    let as_ada = http.as_guest(&ada);
    let winner = past.player(Color::White)?;
    let hello = ClientFrame::Chat {
        table,
        cmd: winner.next_command_id(),
        room: Room::Seated,
        message: ChatMessage::Phrase(Phrase::Hello),
        seat: None,
        match_id: None,
    };
    winner.accepted(&hello).await?;
    let loser = past.player(Color::Black)?;
    let ben = loser.guest()?.clone();
    let resign = loser.resign(table);
    loser.accepted(&resign).await?;

    let seated = |variant| CreateTable { seat: Some(Color::White), ..plain(variant) };
    let open = as_ada.create(&CreateTable { seat: Some(Color::Red), ..plain(Variant::Dilkel) }).await?;
    let running = as_ada.create(&seated(Variant::Classic)).await?;
    let mut client = server.connect(&ben).await?;
    client.watch(running.table).await?;
    let sit = client.sit(running.table, None, None);
    client.accepted(&sit).await?;
    let tool = NewToken { name: "tool".to_owned(), scopes: vec![TokenScope::Read], expires_in_days: None };
    let tool: TokenCreated = as_ada.post("/api/tokens", &tool).await?.json(201)?;
    let as_tool = http.as_guest(&Guest { user: ada.user.clone(), token: tool.token });

    let refused = as_tool.post("/api/me/delete", &with_password(PASSWORD)).await?;
    ensure!(refused.refusal(403)? == RefusalCode::Forbidden, "{}", refused.body);
    for wrong in [with_password("a wrong password"), DeleteUser::default()] {
        let refused = as_ada.post("/api/me/delete", &wrong).await?;
        ensure!(refused.refusal(403)? == RefusalCode::WrongCredentials, "{}", refused.body);
    }
    ensure!(http.get(&format!("/api/matches/{past_match}")).await?.body.contains(&ada.user.name));
    let mut socket = server.connect(&ada).await?;
    let deleted = as_ada.post("/api/me/delete", &with_password(PASSWORD)).await?;
    ensure!(deleted.status == 204, "{deleted:?}");
    timeout(Duration::from_secs(1), socket.close_code()).await.context("the socket is still open")??;
    for http in [&as_ada, &as_tool] {
        ensure!(http.get("/api/me").await?.refusal(401)? == RefusalCode::BadToken);
    }

    // Her seats are free, and the running match has ended.
    let open: TableSummary = http.get(&format!("/api/tables/{}", open.table)).await?.json(200)?;
    ensure!(open.seats.iter().all(|seat| seat.user.is_none()), "{open:?}");
    let running_table: TableSummary = http.get(&format!("/api/tables/{}", running.table)).await?.json(200)?;
    ensure!(running_table.phase == Phase::Ended, "{running_table:?}");

    // Her name is nowhere, but nobody else gets it.
    ensure_nameless(&http, past_match, &ada.user.name).await?;
    let of_name: MatchList = http.get("/api/matches?player=white").await?.json(200)?;
    ensure!(of_name.matches.is_empty(), "{of_name:?}");
    let of_user = http.get(&format!("/api/matches?user={}", ada.user.id)).await?;
    ensure!(of_user.json::<MatchList>(200)?.matches.len() == 2 && !of_user.body.contains(&ada.user.name));
    let shown: UserPage = http.get(&format!("/api/users/{}", ada.user.id)).await?.json(200)?;
    ensure!(shown.user.name == NAME && !shown.user.account && shown.ratings.is_empty(), "{shown:?}");
    let history = http.get(&format!("/api/users/{}/ratings/classic/blitz", ada.user.id)).await?;
    ensure!(history.json::<RatingHistory>(200)?.points.is_empty(), "{}", history.body);
    let other = http.as_guest(&http.guest("Cleo").await?);
    for name in [ada.user.name.as_str(), NAME] {
        let account = NewAccount { name: name.to_owned(), password: PASSWORD.to_owned() };
        let refused = other.post("/api/account", &account).await?;
        ensure!(refused.status == if name == NAME { 400 } else { 409 }, "{name}: {refused:?}");
    }
    let refused = sign_in(&page(server.address()), &ada.user.name, PASSWORD).await?;
    ensure!(refused.refusal(403)? == RefusalCode::WrongCredentials, "{}", refused.body);

    // The ratings of the others do not change.
    let checked = launch.database_command(&["ratings"]).await?;
    ensure!(checked.status.success(), "{checked:?}");
    let erased = launch.database_command(&["erase-names"]).await?;
    ensure!(
        erased.stdout.contains("replaced names in") && !erased.stdout.contains(" 0 events"),
        "{erased:?}"
    );
    let again = launch.database_command(&["erase-names"]).await?;
    ensure!(again.stdout.contains(" 0 events and 0 entries"), "{again:?}");
    ensure_nameless(&http, past_match, &ada.user.name).await?;
    Ok(())
}

#[tokio::test]
async fn a_deleted_account_leaves_its_matches_without_its_name_with_sqlite() -> Result<()> {
    a_deleted_account_leaves_its_matches_without_its_name(Database::Sqlite).await
}

#[tokio::test]
async fn a_deleted_account_leaves_its_matches_without_its_name_with_postgres() -> Result<()> {
    a_deleted_account_leaves_its_matches_without_its_name(Database::postgres().await?).await
}

#[tokio::test]
async fn operators_delete_users_and_guests_delete_themselves() -> Result<()> {
    let launch = launch(&Database::Sqlite)?;
    let olga = add_operator(&launch.location()?).await?;
    let server = launch.start().await?;
    let http = server.http();
    let (ben, cleo) = (http.account("Ben").await?, http.guest("Cleo").await?);
    let as_cleo = http.as_guest(&cleo);
    let refused = as_cleo.post("/api/me/delete", &with_password(PASSWORD)).await?;
    ensure!(refused.refusal(403)? == RefusalCode::WrongCredentials, "a guest has no password");
    ensure!(as_cleo.post("/api/me/delete", &DeleteUser::default()).await?.status == 204);
    ensure!(as_cleo.get("/api/me").await?.refusal(401)? == RefusalCode::BadToken);

    let operator = http.as_guest(&olga);
    let path = |user: UserId| format!("/api/admin/users/{user}/delete");
    let reason = AdminReason { reason: "asked for by mail".to_owned() };
    let deleted: AdminUserDetails = operator.post(&path(ben.user.id), &reason).await?.json(200)?;
    ensure!(deleted.user.name == NAME && deleted.sessions == 0, "{deleted:?}");
    ensure!(http.as_guest(&ben).get("/api/me").await?.refusal(401)? == RefusalCode::BadToken);
    ensure!(operator.post(&path(ben.user.id), &reason).await?.refusal(404)? == RefusalCode::NotFound);
    ensure!(operator.post(&path(olga.user.id), &reason).await?.refusal(403)? == RefusalCode::Forbidden);
    Ok(())
}
