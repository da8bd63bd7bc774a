//! Users who follow others, and the users with whom a user has played.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::archive::UserPage;
use quadrex_protocol::bot::{BotChoice, BotSeat};
use quadrex_protocol::http::{
    CreateTable, ErrorBody, FollowedUser, FollowedUsers, NewInvite, Opponents, PersonalData, Relation, Uses,
};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{RefusalCode, TableId, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::{Client, Guest, InProcessServer};

async fn change(server: &InProcessServer, by: &Guest, method: &str, list: &str, of: &Guest) -> Result<()> {
    let path = format!("/api/me/{list}/{}", of.user.id);
    let answer = server.http().as_guest(by).request(method, &path, None).await?;
    ensure!(answer.status == 204, "{method} {path}: {answer:?}");
    Ok(())
}

async fn followed(server: &InProcessServer, by: &Guest) -> Result<Vec<FollowedUser>> {
    let list: FollowedUsers = server.http().as_guest(by).get("/api/me/follows").await?.json(200)?;
    Ok(list.users)
}

/// Starts a match between two users at a table of this privacy. Returns the table and the
/// connection of the second one.
async fn start(
    server: &InProcessServer,
    [host, other]: [&Guest; 2],
    privacy: Privacy,
) -> Result<(TableId, Client)> {
    let request = CreateTable { privacy, seat: Some(Color::White), ..plain(Variant::Classic) };
    let http = server.http().as_guest(host);
    let table = http.create(&request).await?.table;
    let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Single }).await?.secret;
    let mut client = server.connect(other).await?;
    let sit = client.sit(table, None, Some(&invite));
    client.accepted(&sit).await?;
    Ok((table, client))
}

/// Plays a match between two users, which the second one gives up.
async fn play(server: &InProcessServer, players: [&Guest; 2], privacy: Privacy) -> Result<()> {
    let (table, mut client) = start(server, players, privacy).await?;
    let resign = client.resign(table);
    client.accepted(&resign).await?;
    Ok(())
}

#[tokio::test]
async fn a_user_sees_which_followed_users_are_online_and_where_they_play() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http();
    let ada = server.guest("Ada").await?;
    let [ben, cleo] = [http.account("Ben").await?, http.account("Cleo").await?];
    ensure!(followed(&server, &ada).await?.is_empty());
    change(&server, &ada, "PUT", "follows", &ben).await?;
    server.skip(Duration::from_secs(1));
    change(&server, &ada, "PUT", "follows", &cleo).await?;
    let users = followed(&server, &ada).await?;
    ensure!(users.iter().map(|followed| &followed.user).eq([&cleo.user, &ben.user]), "{users:?}");
    ensure!(users.iter().all(|followed| !followed.online && followed.table.is_none()), "{users:?}");
    ensure!(followed(&server, &ben).await?.is_empty());

    let (_, mut private) = start(&server, [&ada, &cleo], Privacy::Private).await?;
    let users = followed(&server, &ada).await?;
    ensure!(users[0].online && users[0].table.is_none(), "the table of Cleo is private: {users:?}");
    ensure!(!users[1].online, "{users:?}");
    private.cut().await?;
    let (table, mut public) = start(&server, [&ben, &cleo], Privacy::Public).await?;
    let users = followed(&server, &ada).await?;
    ensure!(users.iter().all(|followed| followed.table == Some(table)), "{users:?}");
    let resign = public.resign(table);
    public.accepted(&resign).await?;
    ensure!(followed(&server, &ada).await?.iter().all(|followed| followed.table.is_none()));

    let data: PersonalData = server.http().as_guest(&ada).get("/api/me/export").await?.json(200)?;
    ensure!(data.follows.len() == 2, "{:?}", data.follows);
    change(&server, &ada, "DELETE", "follows", &cleo).await?;
    let users = followed(&server, &ada).await?;
    ensure!(users.len() == 1 && users[0].user == ben.user, "{users:?}");
    Ok(())
}

#[tokio::test]
async fn nobody_follows_guests_or_users_who_block_them() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http();
    let [ada, ben] = [http.account("Ada").await?, http.account("Ben").await?];
    let guest = server.guest("Guest").await?;
    change(&server, &ada, "PUT", "follows", &ben).await?;
    change(&server, &ben, "PUT", "follows", &ada).await?;
    change(&server, &ben, "PUT", "blocks", &ada).await?;
    ensure!(followed(&server, &ada).await?.is_empty() && followed(&server, &ben).await?.is_empty());
    let mut refusals = Vec::new();
    for other in [&ben, &guest, &ada] {
        let path = format!("/api/me/follows/{}", other.user.id);
        let refusal: ErrorBody = http.as_guest(&ada).request("PUT", &path, None).await?.json(403)?;
        ensure!(refusal.code == RefusalCode::Forbidden);
        refusals.push(refusal);
    }
    ensure!(refusals.iter().all(|refusal| *refusal == refusals[0]), "they reveal no block: {refusals:?}");
    change(&server, &ben, "DELETE", "blocks", &ada).await?;
    change(&server, &ada, "PUT", "follows", &ben).await
}

#[tokio::test]
async fn the_page_of_a_user_has_the_relation_of_the_viewer() -> Result<()> {
    let server = InProcessServer::start().await?;
    let http = server.http();
    let (ada, ben) = (server.guest("Ada").await?, http.account("Ben").await?);
    let page = async |viewer: Option<&Guest>, of: UserId| {
        let http = viewer.map_or(http.clone(), |viewer| http.as_guest(viewer));
        let answer = http.get(&format!("/api/users/{of}")).await?;
        ensure!(answer.header("cache-control") == Some("no-store"), "{answer:?}");
        anyhow::Ok(answer.json::<UserPage>(200)?.relation)
    };
    ensure!(page(Some(&ada), ben.user.id).await? == Some(Relation::default()));
    for (list, relation) in [
        ("follows", Relation { follows: true, ..Relation::default() }),
        ("mutes", Relation { follows: true, muted: true, ..Relation::default() }),
        ("blocks", Relation { blocked: true, muted: true, ..Relation::default() }),
    ] {
        change(&server, &ada, "PUT", list, &ben).await?;
        ensure!(page(Some(&ada), ben.user.id).await? == Some(relation), "{list}");
    }
    ensure!(page(Some(&ben), ada.user.id).await? == Some(Relation::default()), "Ben learns nothing");
    ensure!(page(Some(&ada), ada.user.id).await?.is_none() && page(None, ben.user.id).await?.is_none());
    Ok(())
}

#[tokio::test]
async fn opponents_are_the_people_of_the_last_matches() -> Result<()> {
    let server = InProcessServer::start().await?;
    let [ada, ben, cleo] =
        [server.guest("Ada").await?, server.http().account("Ben").await?, server.guest("Cleo").await?];
    let opponents = async |of: &Guest| {
        let list: Opponents = server.http().as_guest(of).get("/api/me/opponents").await?.json(200)?;
        anyhow::Ok(list.opponents)
    };
    ensure!(opponents(&ada).await?.is_empty());
    play(&server, [&ada, &ben], Privacy::Public).await?;
    play(&server, [&cleo, &ada], Privacy::Private).await?;
    server.skip(Duration::from_secs(1));
    play(&server, [&ben, &ada], Privacy::Private).await?;
    play(&server, [&ben, &cleo], Privacy::Public).await?;
    let bot = BotChoice::BuiltIn { level: 1.try_into()? };
    let bots = vec![BotSeat { seat: None, bot }];
    let with_bot = CreateTable { bots, seat: Some(Color::White), ..plain(Variant::Classic) };
    server.http().as_guest(&ada).create(&with_bot).await?;
    change(&server, &ada, "PUT", "follows", &ben).await?;
    change(&server, &ada, "PUT", "mutes", &cleo).await?;

    let of_ada = opponents(&ada).await?;
    let [last, first] = of_ada.as_slice() else { bail!("{of_ada:?}") };
    ensure!(last.user == ben.user && last.matches == 2, "{last:?}");
    ensure!(last.relation == Relation { follows: true, ..Relation::default() });
    ensure!(first.user == cleo.user && first.matches == 1, "{first:?}");
    ensure!(first.relation == Relation { muted: true, ..Relation::default() });
    ensure!(last.last_at_ms > first.last_at_ms);
    let of_cleo = opponents(&cleo).await?;
    ensure!(of_cleo.len() == 2 && of_cleo.iter().all(|opponent| opponent.matches == 1), "{of_cleo:?}");
    let of_ben = opponents(&ben).await?;
    let ada_of_ben = of_ben.iter().find(|opponent| opponent.user == ada.user).context("Ada has played")?;
    ensure!(ada_of_ben.relation == Relation::default(), "Ben learns nothing");
    Ok(())
}
