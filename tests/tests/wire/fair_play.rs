//! Fair play in rated matches: the wait of users who leave matches, and the users whom a quick join
//! does not seat at the same table.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::archive::MatchList;
use quadrex_protocol::http::{CreateTable, Me, PersonalData, QuickJoin};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::{ClientFrame, RefusalCode, RequestAction, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{plain, without_rate_limits};
use quadrex_tests::{Client, Database, Guest, Http, Launch, Server};

const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 0 };

fn rated(variant: Variant) -> CreateTable {
    CreateTable { time: Some(BLITZ), rated: Some(true), ..plain(variant) }
}

fn rated_wish(variant: Variant) -> QuickJoin {
    QuickJoin { time: Some(BLITZ), rated: true, ..QuickJoin::plain(variant) }
}

async fn accounts<const N: usize>(server: &Server, names: [&str; N]) -> Result<[Guest; N]> {
    let mut accounts = Vec::new();
    for name in names {
        accounts.push(server.http().account(name).await?);
    }
    accounts.try_into().ok().context("there is an account for each name")
}

/// Starts a rated match of these players, and returns their connections.
async fn begin(server: &Server, players: &[Guest], variant: Variant) -> Result<(TableId, Vec<Client>)> {
    let host = players.first().context("there are players")?;
    let table = server.http().as_guest(host).create(&rated(variant)).await?.table;
    let mut clients = Vec::new();
    let mut seq = 0;
    for player in players {
        let mut client = server.connect(player).await?;
        client.watch(table).await?;
        let sit = client.sit(table, None, None);
        seq = client.accepted(&sit).await?;
        clients.push(client);
    }
    for client in &mut clients {
        client.until_seq(table, seq).await?;
    }
    Ok((table, clients))
}

/// Makes a player resign.
async fn resign(client: &mut Client, table: TableId) -> Result<()> {
    let resign = client.resign(table);
    client.accepted(&resign).await.map(drop)
}

/// Returns the answer to `GET /api/me`, after all matches have been archived.
async fn me(http: &Http, user: &Guest) -> Result<Me> {
    let _: MatchList = http.get("/api/matches").await?.json(200)?;
    http.as_guest(user).get("/api/me").await?.json(200)
}

/// A player resigns in the first moves of two matches. The wait begins while the others play on.
async fn a_user_who_leaves_rated_matches_waits(database: Database) -> Result<()> {
    let launch = without_rate_limits(Launch::new(&database)?)
        .with_env("QUADREX_FAIR_PLAY__LEAVER_WAIT_MINUTES", "0,5,60");
    let server = launch.start().await?;
    let http = server.http();
    let players = accounts(&server, ["Ada", "Ben", "Cem", "Dan"]).await?;
    let ada = &players[0];

    let (first, mut clients) = begin(&server, &players, Variant::Dilkel).await?;
    resign(&mut clients[0], first).await?;
    ensure!(me(&http, ada).await?.rated_wait.is_none(), "the first time is free");
    let (second, mut clients) = begin(&server, &players, Variant::Dilkel).await?;
    resign(&mut clients[0], second).await?;
    let wait = me(&http, ada).await?.rated_wait.context("the second time is not free")?;
    let as_ada = http.as_guest(ada);
    let data: PersonalData = as_ada.get("/api/me/export").await?.json(200)?;
    let [last, _] = &data.left_matches[..] else { anyhow::bail!("{data:?}") };
    ensure!(wait.until_ms == last.at_ms + 300_000 && wait.leaves == 2, "{wait:?} {last:?}");
    ensure!(data.seat_networks.is_empty(), "{data:?}");
    for other in &players[1..] {
        ensure!(me(&http, other).await?.rated_wait.is_none(), "{other:?}");
    }

    let refused = as_ada.post("/api/quick-join", &rated_wish(Variant::Dilkel)).await?;
    ensure!(refused.refusal(429)? == RefusalCode::RatedWait, "{refused:?}");
    let retry_after: u64 = refused.header("retry-after").context("no `retry-after`")?.parse()?;
    ensure!((290..=300).contains(&retry_after), "{retry_after} seconds");
    let seated = CreateTable { seat: Some(Color::Red), ..rated(Variant::Dilkel) };
    ensure!(as_ada.post("/api/tables", &seated).await?.refusal(429)? == RefusalCode::RatedWait);
    let open = as_ada.create(&rated(Variant::Dilkel)).await?.table;
    let mut client = server.connect(ada).await?;
    let sit = client.sit(open, None, None);
    ensure!(client.refused(&sit).await? == RefusalCode::RatedWait);

    // Casual tables are open to her, and others take rated seats.
    let casual = as_ada.quick_join(&QuickJoin::plain(Variant::Dilkel)).await?;
    ensure!(casual.table != open);
    let of_ben = http.as_guest(&players[1]).create(&plain(Variant::Dilkel)).await?.table;
    let sit = client.sit(of_ben, None, None);
    client.accepted(&sit).await?;
    let joined = http.as_guest(&players[1]).quick_join(&rated_wish(Variant::Dilkel)).await?;
    ensure!(joined.table != open, "nobody sits at her table, so nobody is seated there: {joined:?}");

    // At a table where she has sat before, she may not agree to a rematch.
    for client in &mut clients[1..3] {
        resign(client, second).await?;
    }
    let cmd = clients[0].next_command_id();
    let ask = ClientFrame::Rematch {
        table: second,
        cmd,
        match_id: None,
        action: RequestAction::Ask,
        nonce: None,
        seat: None,
    };
    ensure!(clients[0].refused(&ask).await? == RefusalCode::RatedWait);
    Ok(())
}

#[tokio::test]
async fn a_user_who_leaves_rated_matches_waits_with_sqlite() -> Result<()> {
    a_user_who_leaves_rated_matches_waits(Database::Sqlite).await
}

#[tokio::test]
async fn a_user_who_leaves_rated_matches_waits_with_postgres() -> Result<()> {
    a_user_who_leaves_rated_matches_waits(Database::postgres().await?).await
}

/// A match of two that a player resigns at once is finished. Three of them make up for a left match.
#[tokio::test]
async fn finished_matches_end_the_wait() -> Result<()> {
    let launch = without_rate_limits(Launch::new(&Database::Sqlite)?)
        .with_env("QUADREX_FAIR_PLAY__LEAVER_WAIT_MINUTES", "0,60");
    let server = launch.start().await?;
    let http = server.http();
    let players = accounts(&server, ["Ada", "Ben", "Cem", "Dan"]).await?;
    let mut of_two = Vec::new();
    for other in &players[1..] {
        let both = [players[0].clone(), other.clone()];
        of_two.push(begin(&server, &both, Variant::Classic).await?);
    }
    for _ in 0..2 {
        let (left, mut clients) = begin(&server, &players, Variant::Dilkel).await?;
        resign(&mut clients[0], left).await?;
    }
    for (finished, (table, mut clients)) in of_two.into_iter().enumerate() {
        let wait = me(&http, &players[0]).await?.rated_wait;
        ensure!(wait.is_some_and(|wait| wait.leaves == 2), "{finished} are finished: {wait:?}");
        resign(&mut clients[0], table).await?;
    }
    let wait = me(&http, &players[0]).await?.rated_wait;
    ensure!(wait.is_none(), "{wait:?}");
    Ok(())
}

/// Returns requests as an account from this address.
fn from(server: &Server, user: &Guest, address: &str) -> Http {
    server.http().as_guest(user).with_header("X-Forwarded-For", address)
}

async fn behind_a_proxy(database: &Database, relax_seconds: u32) -> Result<Server> {
    let launch = without_rate_limits(Launch::new(database)?)
        .with_env("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.0/8")
        .with_env("QUADREX_FAIR_PLAY__RECENT_RELAX_SECONDS", relax_seconds);
    launch.start().await
}

async fn a_rated_quick_join_does_not_pair_users_of_one_network(database: Database) -> Result<()> {
    let server = behind_a_proxy(&database, 120).await?;
    let [ada, ben, cem, dan, eve] = &accounts(&server, ["Ada", "Ben", "Cem", "Dan", "Eve"]).await?;
    let wish = rated_wish(Variant::Dilkel);
    let hers = from(&server, ada, "203.0.113.1").quick_join(&wish).await?.table;
    let his = from(&server, ben, "203.0.113.1").quick_join(&wish).await?.table;
    ensure!(his != hers, "they share an address");
    let third = from(&server, cem, "2001:db8::1").quick_join(&wish).await?.table;
    ensure!(third == hers, "he joins the older table");
    let fourth = from(&server, dan, "2001:db8::ffff").quick_join(&wish).await?.table;
    ensure!(fourth == his, "his network sits at the fuller table already");
    let local = server.http().as_guest(eve).quick_join(&wish).await?.table;
    ensure!(local == hers || local == his, "the machine's own address is no network");

    let casual = QuickJoin { rated: false, ..wish };
    let first = from(&server, ada, "203.0.113.1").quick_join(&casual).await?.table;
    let second = from(&server, ben, "203.0.113.1").quick_join(&casual).await?.table;
    ensure!(first == second, "casual tables are for everybody");

    let data: PersonalData = server.http().as_guest(ada).get("/api/me/export").await?.json(200)?;
    let [stored] = &data.seat_networks[..] else { anyhow::bail!("{data:?}") };
    ensure!(stored.network == "203.0.113.1", "{stored:?}");

    // A user who chooses a table may sit at it.
    let open = from(&server, ada, "203.0.113.1").create(&rated(Variant::Dilkel)).await?.table;
    for user in [ada, ben] {
        let mut client = server.connect(user).await?;
        let sit = client.sit(open, None, None);
        client.accepted(&sit).await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_rated_quick_join_does_not_pair_users_of_one_network_with_sqlite() -> Result<()> {
    a_rated_quick_join_does_not_pair_users_of_one_network(Database::Sqlite).await
}

#[tokio::test]
async fn a_rated_quick_join_does_not_pair_users_of_one_network_with_postgres() -> Result<()> {
    a_rated_quick_join_does_not_pair_users_of_one_network(Database::postgres().await?).await
}

async fn follow(server: &Server, user: &Guest, other: &Guest) -> Result<()> {
    let path = format!("/api/me/follows/{}", other.user.id);
    let answer = server.http().as_guest(user).request("PUT", &path, None).await?;
    ensure!(answer.status == 204, "{answer:?}");
    Ok(())
}

#[tokio::test]
async fn a_rated_quick_join_does_not_pair_users_who_follow_each_other() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let [ada, ben, cem] = &accounts(&server, ["Ada", "Ben", "Cem"]).await?;
    follow(&server, ada, ben).await?;
    follow(&server, ben, ada).await?;
    follow(&server, cem, ada).await?;
    let join = async |user: &Guest| {
        let joined = server.http().as_guest(user).quick_join(&rated_wish(Variant::Dilkel)).await?;
        anyhow::Ok(joined.table)
    };
    let hers = join(ada).await?;
    ensure!(join(ben).await? != hers, "they follow each other");
    ensure!(join(cem).await? == hers, "she does not follow him");
    Ok(())
}

/// The tables of recent opponents accept each other at once if no wait is set.
async fn recent_opponents(database: Database, waits: &[(u32, bool)]) -> Result<()> {
    for &(relax_seconds, is_paired) in waits {
        let server = behind_a_proxy(&database, relax_seconds).await?;
        let name = |name: &str| format!("{name} {relax_seconds}");
        let names = ["Ada", "Ben", "Cem", "Dan"].map(name);
        let [ada, ben, cem, dan] = &accounts(&server, names.each_ref().map(String::as_str)).await?;
        let (table, mut clients) = begin(&server, &[ada.clone(), ben.clone()], Variant::Classic).await?;
        resign(&mut clients[0], table).await?;
        let casual = CreateTable { time: Some(BLITZ), ..plain(Variant::Classic) };
        let casual = server.http().as_guest(ada).create(&casual).await?.table;
        for user in [ada, cem] {
            let mut client = server.connect(user).await?;
            let sit = client.sit(casual, None, None);
            client.accepted(&sit).await?;
        }
        let _: MatchList = server.http().get("/api/matches").await?.json(200)?;
        let join = async |user: &Guest, variant: Variant| {
            let joined = server.http().as_guest(user).quick_join(&rated_wish(variant)).await?;
            anyhow::Ok(joined.table)
        };
        let hers = join(ada, Variant::Dilkel).await?;
        ensure!((join(ben, Variant::Dilkel).await? == hers) == is_paired, "{relax_seconds}");
        ensure!(join(cem, Variant::Dilkel).await? == hers, "only rated matches count");
        ensure!(join(dan, Variant::Dilkel).await? == hers);
    }
    Ok(())
}

#[tokio::test]
async fn a_rated_quick_join_does_not_pair_recent_opponents_with_sqlite() -> Result<()> {
    recent_opponents(Database::Sqlite, &[(120, false), (0, true)]).await
}

#[tokio::test]
async fn a_rated_quick_join_does_not_pair_recent_opponents_with_postgres() -> Result<()> {
    recent_opponents(Database::postgres().await?, &[(120, false)]).await
}
