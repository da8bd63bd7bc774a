//! Quick join: every user gets a seat, even with concurrent requests.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, ensure};
use futures_util::future::try_join_all;
use quadrex_protocol::http::{CreateTable, QuickJoin, QuickJoined, TableSummary};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::{Phase, Presence};
use quadrex_protocol::{ClientFrame, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::plain;
use quadrex_tests::{Client, Database, Guest, Launch, Server};

const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 3_000 };

async fn guests(server: &Server, count: usize) -> Result<Vec<Guest>> {
    let mut guests = Vec::new();
    for number in 0..count {
        guests.push(server.guest(&format!("Guest {number}")).await?);
    }
    Ok(guests)
}

/// Sends the quick joins of all guests at the same time.
async fn join_together(server: &Server, guests: &[Guest]) -> Result<Vec<QuickJoined>> {
    let joins = guests.iter().map(|guest| {
        let http = server.http().as_guest(guest);
        async move { http.quick_join(&QuickJoin::plain(Variant::Dilkel)).await }
    });
    try_join_all(joins).await
}

async fn tables(server: &Server) -> Result<Vec<TableSummary>> {
    server.http().public_tables().await
}

/// Checks that every guest has the seat in the answer, that all tables are full and running, and
/// that nobody has two seats.
async fn check_full(server: &Server, guests: &[Guest], joined: &[QuickJoined], made: usize) -> Result<()> {
    let tables = tables(server).await?;
    ensure!(tables.len() == made, "{} tables for {} people", tables.len(), guests.len());
    let mut seated = BTreeMap::new();
    for table in &tables {
        ensure!(table.phase == Phase::Running, "{table:?}");
        for seat in &table.seats {
            seated.insert((table.table, seat.color), seat.user.clone());
        }
    }
    for (guest, joined) in guests.iter().zip(joined) {
        let holder = seated.get(&(joined.table, joined.seat)).cloned().flatten();
        ensure!(holder.as_ref() == Some(&guest.user), "{joined:?} is held by {holder:?}");
    }
    let people: BTreeSet<_> = seated.values().flatten().map(|user| user.id).collect();
    ensure!(people.len() == seated.len(), "a user has two seats: {seated:?}");
    Ok(())
}

/// Four concurrent quick joins without a table share a new one, and eight more fill two.
#[tokio::test]
async fn concurrent_quick_joins_fill_tables_without_duplicate_seats() -> Result<()> {
    for (count, made) in [(4, 1), (8, 2)] {
        let server = Launch::new(&Database::Sqlite)?.start().await?;
        let guests = guests(&server, count).await?;
        let joined = join_together(&server, &guests).await?;
        check_full(&server, &guests, &joined, made).await?;
    }
    Ok(())
}

/// Four users request the last two seats of a table at the same time. Two get them, and the other
/// two share a new table.
#[tokio::test]
async fn a_quick_join_whose_seat_was_just_taken_gets_another_seat() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let guests = guests(&server, 6).await?;
    let first = join_together(&server, &guests[..2]).await?;
    let old = first[0].table;
    ensure!(first.iter().all(|joined| joined.table == old), "{first:?}");
    let rest = join_together(&server, &guests[2..]).await?;
    let (there, elsewhere): (Vec<_>, Vec<_>) = rest.iter().partition(|joined| joined.table == old);
    ensure!(there.len() == 2 && elsewhere.len() == 2, "{rest:?}");
    ensure!(elsewhere[0].table == elsewhere[1].table, "{rest:?}");
    ensure!(elsewhere[0].seat != elsewhere[1].seat, "{rest:?}");
    Ok(())
}

/// A quick join skips tables where the user sits or was kicked, and tables with another time
/// control. A new table has the requested settings.
#[tokio::test]
async fn a_quick_join_selects_only_matching_tables() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let guests = guests(&server, 2).await?;
    let (ann, ben) = (server.http().as_guest(&guests[0]), server.http().as_guest(&guests[1]));
    let request = CreateTable { seat: Some(Color::Yellow), ..plain(Variant::Dilkel) };
    let table = ann.create(&request).await?.table;

    let timed = ben.quick_join(&QuickJoin { time: Some(BLITZ), ..QuickJoin::plain(Variant::Dilkel) }).await?;
    let made: TableSummary = ben.get(&format!("/api/tables/{}", timed.table)).await?.json(200)?;
    ensure!(timed.table != table && made.settings.time == BLITZ && !made.settings.rated, "{made:?}");

    let untimed = QuickJoin { time: Some(TimeSetting::None), ..QuickJoin::plain(Variant::Dilkel) };
    let sibling_path = ben.quick_join(&untimed).await?;
    ensure!(sibling_path.table == table && sibling_path.seat == Color::Red, "{sibling_path:?}");
    let own = ann.quick_join(&untimed).await?.table;
    ensure!(own != table, "a user gets another table than the own one");

    kick(&server, &guests[0], table, Color::Red).await?;
    let after = ben.quick_join(&untimed).await?.table;
    ensure!(after == own, "a kicked user gets a seat at another table");
    Ok(())
}

/// A quick join skips tables whose players have left. They count again when they return to the
/// table, or to any place where the start of the match would reach them.
#[tokio::test]
async fn a_table_whose_players_have_left_is_passed_over() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let guests = guests(&server, 4).await?;
    let join = async |guest: &Guest| {
        server.http().as_guest(guest).quick_join(&QuickJoin::plain(Variant::Dilkel)).await
    };
    let table = join(&guests[0]).await?.table;
    let mut spectator = server.connect_as_nobody().await?;
    spectator.watch(table).await?;
    let mut host = server.connect(&guests[0]).await?;
    host.watch(table).await?;
    until_host(&mut spectator, Presence::Connected).await?;
    drop(host);
    until_host(&mut spectator, Presence::Gone).await?;
    let other = join(&guests[1]).await?.table;
    ensure!(other != table, "a user is seated with an absent player");

    let mut elsewhere = server.connect(&guests[0]).await?;
    elsewhere.send(&ClientFrame::WatchOwnTables {}).await?;
    let is_list = |frame| matches!(frame, ServerFrame::OwnTables { .. }).then_some(());
    elsewhere.find("the own tables", is_list).await?;
    let joined = join(&guests[2]).await?;
    ensure!(joined.table == table, "the host is back: {joined:?}");
    let change = |frame| match frame {
        ServerFrame::OwnTable { table } => Some(table),
        _ => None,
    };
    let own = elsewhere.find("the change of the own table", change).await?;
    ensure!(own.summary.seats[1].user.as_ref() == Some(&guests[2].user), "{own:?}");
    Ok(())
}

async fn until_host(spectator: &mut Client, expected: Presence) -> Result<()> {
    let is_so = |frame| match frame {
        ServerFrame::Presence { players, .. } => (players.first()?.presence == expected).then_some(()),
        _ => None,
    };
    spectator.find("the presence of the host", is_so).await
}

async fn kick(server: &Server, host: &Guest, table: TableId, color: Color) -> Result<()> {
    let mut client = server.connect(host).await?;
    client.watch(table).await?;
    let kick = ClientFrame::Kick { table, cmd: client.next_command_id(), color, match_id: None };
    client.accepted(&kick).await?;
    Ok(())
}

/// A quick join needs a user. An invalid time control is refused as for any table.
#[tokio::test]
async fn a_quick_join_without_a_user_or_with_invalid_settings_is_refused() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let path = "/api/quick-join";
    ensure!(
        server.http().post(path, &QuickJoin::plain(Variant::Classic)).await?.refusal(401)?
            == RefusalCode::Unauthenticated
    );
    let guest = server.http().as_guest(&server.guest("Ann").await?);
    let never = QuickJoin {
        time: Some(TimeSetting::Correspondence { days: 0 }),
        ..QuickJoin::plain(Variant::Classic)
    };
    ensure!(guest.post(path, &never).await?.refusal(400)? == RefusalCode::BadSetting);
    ensure!(tables(&server).await?.is_empty());
    Ok(())
}

/// A new table counts for the limit of its creator. A user over the limit gets no new table, while
/// other users still find seats.
#[tokio::test]
async fn a_table_created_by_a_quick_join_counts_for_the_rate_limit() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let guests = guests(&server, 2).await?;
    let (ann, ben) = (server.http().as_guest(&guests[0]), server.http().as_guest(&guests[1]));
    let mut made = BTreeSet::new();
    let refused = loop {
        let answer = ann.post("/api/quick-join", &QuickJoin::plain(Variant::Dilkel)).await?;
        if answer.status != 200 {
            break answer.refusal(429)?;
        }
        ensure!(made.insert(answer.json::<QuickJoined>(200)?.table), "a user has two seats at a table");
        ensure!(made.len() < 1_000, "the number of tables is not limited");
    };
    ensure!(refused == RefusalCode::RateLimited);
    ensure!(made.contains(&ben.quick_join(&QuickJoin::plain(Variant::Dilkel)).await?.table));
    Ok(())
}
