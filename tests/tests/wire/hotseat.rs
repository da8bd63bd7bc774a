//! Tables where a user holds several seats: one user with four seats, and two users with two seats
//! each.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::event::Event;
use quadrex_protocol::http::{CreateTable, NewInvite, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, MatchRecord, RefusalCode, RequestAction, TableId};
use quadrex_rules::{Color, Reason, Request, Variant};
use quadrex_tests::client::{Answer, Client};
use quadrex_tests::contest::plain;
use quadrex_tests::database::Database;
use quadrex_tests::server::{Launch, Server};

fn hotseat(seat: Color) -> CreateTable {
    CreateTable {
        hotseat: Some(true),
        seat: Some(seat),
        ..CreateTable::plain(Variant::Dilkel, Privacy::Private)
    }
}

fn resign(client: &mut Client, table: TableId, seat: Option<Color>) -> ClientFrame {
    ClientFrame::Resign { table, cmd: client.next_command_id(), seat, match_id: None }
}

fn draw(client: &mut Client, table: TableId, action: RequestAction, seat: Option<Color>) -> ClientFrame {
    ClientFrame::Request {
        table,
        cmd: client.next_command_id(),
        request: Request::Draw,
        action,
        seat,
        match_id: None,
    }
}

/// Makes the first legal move of the seat to move, which this client holds.
async fn play(client: &mut Client, table: TableId, is_named: bool) -> Result<u64> {
    let view = client.table(table)?.view().clone();
    let legal = view.legal_moves.context("a seat of this client's is to move")?;
    let first = *legal.first().context("there is a move")?;
    let mut command = client.mv(table, first)?;
    if let ClientFrame::Move { seat, .. } = &mut command {
        *seat = view.state.turn.filter(|_| is_named);
    }
    client.accepted(&command).await
}

async fn record(server: &Server, client: &Client, table: TableId) -> Result<MatchRecord> {
    let match_id = client.table(table)?.match_id();
    let http = server.http().as_guest(client.guest()?);
    http.get(&format!("/api/matches/{match_id}/record")).await?.json(200)
}

/// One user plays all four armies over one connection to the end, and starts a rematch with one
/// request. Both matches are there after a restart. Their records are valid, and invalid if the
/// table is changed to one without hotseat.
#[tokio::test]
async fn one_user_plays_all_four_seats_on_one_connection() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?;
    let mut server = launch.start().await?;
    let ann = server.guest("Ann").await?;
    let table = server.http().as_guest(&ann).create(&hotseat(Color::Red)).await?.table;
    let mut client = server.connect(&ann).await?;
    client.watch(table).await?;
    for color in [Color::Blue, Color::Yellow, Color::Green] {
        let sit = client.sit(table, Some(color), None);
        let seq = client.accepted(&sit).await?;
        client.until_seq(table, seq).await?;
    }
    ensure!(
        client.table(table)?.view().your_seats == Variant::Dilkel.colors(),
        "the user has all four seats"
    );
    for ply in 0..8 {
        let seq = play(&mut client, table, ply % 2 == 0).await?;
        client.until_seq(table, seq).await?;
    }
    let first = client.table(table)?.match_id();
    for _ in 0..3 {
        let seq = {
            let resign = resign(&mut client, table, None);
            client.accepted(&resign).await?
        };
        client.until_seq(table, seq).await?;
    }
    let outcome = client.table(table)?.state().outcome.clone().context("three resigned")?;
    ensure!(outcome.reason == Reason::Resign, "{outcome:?}");
    let exported = record(&server, &client, table).await?;
    let verified = exported.verify()?.to_string();
    ensure!(verified.contains("lot, ") && verified.contains("resign"), "{verified}");
    let mut elsewhere = exported;
    if let Some(Event::Opened { settings, .. }) =
        elsewhere.events.first_mut().map(|recorded| &mut recorded.event)
    {
        settings.hotseat = false;
    }
    let error = elsewhere.verify().err().context("two seats are invalid without hotseat")?;
    ensure!(error.to_string().starts_with("event 3 cannot have happened there: one person"), "{error}");

    let again = ClientFrame::Rematch {
        table,
        cmd: client.next_command_id(),
        action: RequestAction::Ask,
        nonce: None,
        seat: Some(Color::Yellow),
        match_id: None,
    };
    let seq = client.accepted(&again).await?;
    let is_next = |client: &Client| client.table(table).is_ok_and(|watched| watched.match_id() != first);
    client.until("the next match", is_next).await?;
    server.kill().await?;
    server = launch.clone().bound_to(server.address()).start().await?;
    client.reconnect(server.address()).await?;
    ensure!(client.ask(&again).await? == Answer::Ack(seq), "it may be sent again");
    client.watch(table).await?;
    let view = client.table(table)?.view();
    ensure!((view.your_seats.len(), view.state.phase) == (4, Phase::Running), "{:?}", view.state);
    play(&mut client, table, true).await?;
    record(&server, &client, table).await?.verify()?;
    Ok(())
}

/// Two users hold two seats each. Both receive the legal moves of their own seats only, and a draw
/// needs the agreement of both.
#[tokio::test]
async fn two_users_with_two_seats_each_play_a_hotseat_match() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let [ann, ben] = [server.guest("Ann").await?, server.guest("Ben").await?];
    let http = server.http().as_guest(&ann);
    let table = http.create(&hotseat(Color::Red)).await?.table;
    let invite = http.invite(table, &NewInvite { seat: Some(Color::Blue), uses: Uses::Single }).await?;
    let [mut a, mut b] = [server.connect(&ann).await?, server.connect(&ben).await?];
    a.watch(table).await?;
    let uninvited = b.sit(table, Some(Color::Blue), None);
    ensure!(b.refused(&uninvited).await? == RefusalCode::NotFound, "a stranger cannot see the table");
    let sit = b.sit(table, Some(Color::Blue), Some(&invite.secret));
    b.accepted(&sit).await?;
    b.watch(table).await?;
    let sit = a.sit(table, Some(Color::Yellow), None);
    a.accepted(&sit).await?;
    let sit = b.sit(table, Some(Color::Green), None);
    let mut seq = b.accepted(&sit).await?;
    for _ in 0..6 {
        a.until_seq(table, seq).await?;
        b.until_seq(table, seq).await?;
        let turn = a.table(table)?.state().turn.context("it runs")?;
        let (mover, other) =
            if a.table(table)?.view().your_seats.contains(&turn) { (&mut a, &b) } else { (&mut b, &a) };
        ensure!(other.table(table)?.view().legal_moves.is_none(), "{turn} is not the other's");
        seq = play(mover, table, false).await?;
    }
    a.until_seq(table, seq).await?;
    b.until_seq(table, seq).await?;
    ensure!(a.table(table)?.view().your_seats == [Color::Red, Color::Yellow]);
    ensure!(b.table(table)?.view().your_seats == [Color::Blue, Color::Green]);

    let turn = a.table(table)?.state().turn.context("it runs")?;
    let (mover, waiter) =
        if a.table(table)?.view().your_seats.contains(&turn) { (&mut a, &mut b) } else { (&mut b, &mut a) };
    let unclear = resign(waiter, table, None);
    let Answer::Refused(code, message) = waiter.ask(&unclear).await? else {
        anyhow::bail!("the seat was unambiguous")
    };
    ensure!(code == RefusalCode::WhichSeat && message.contains("say with seat"), "{code:?}: {message}");
    let theirs = resign(waiter, table, Some(turn));
    ensure!(waiter.refused(&theirs).await? == RefusalCode::NotSeated);
    let own = waiter.table(table)?.view().your_seats[1];
    let ask = draw(waiter, table, RequestAction::Ask, Some(own));
    let seq = waiter.accepted(&ask).await?;
    let open = mover.until_seq(table, seq).await?.state().requests.clone();
    ensure!(open.len() == 1 && open[0].by == own && open[0].agreed.len() == 2, "{open:?}");
    let accept = draw(mover, table, RequestAction::Accept, None);
    let seq = mover.accepted(&accept).await?;
    let outcome = waiter.until_seq(table, seq).await?.state().outcome.clone().context("both agreed")?;
    ensure!(outcome.reason == Reason::Agreement, "{outcome:?}");
    record(&server, &a, table).await?.verify()?;
    Ok(())
}

/// At all other tables, public and private, a second seat is refused.
#[tokio::test]
async fn a_second_seat_is_refused_at_a_table_without_hotseat() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let ann = server.guest("Ann").await?;
    let mut client = server.connect(&ann).await?;
    let private = CreateTable::plain(Variant::Dilkel, Privacy::Private);
    for request in [plain(Variant::Dilkel), private] {
        let request = CreateTable { seat: Some(Color::Red), ..request };
        let table = server.http().as_guest(&ann).create(&request).await?.table;
        client.watch(table).await?;
        for seat in [None, Some(Color::Blue)] {
            let sit = client.sit(table, seat, None);
            ensure!(client.refused(&sit).await? == RefusalCode::AlreadySeated);
        }
        ensure!(client.table(table)?.view().your_seats == [Color::Red]);
    }
    Ok(())
}
