//! Anonymous matches: nobody learns who plays before the match is over.

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::archive::{MatchList, MatchView};
use quadrex_protocol::chat::Room;
use quadrex_protocol::http::{
    CreateTable, FollowedUsers, Me, NewReport, ReportMoment, ReportReason, TableSummary,
};
use quadrex_protocol::rating::MatchRatings;
use quadrex_protocol::settings::{Chat, TimeSetting};
use quadrex_protocol::view::{Phase, SeatView};
use quadrex_protocol::{ClientFrame, Event, MatchId, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{plain, without_rate_limits};
use quadrex_tests::{Client, Database, Guest, Http, Launch, Server};

const NAMES: [&str; 4] = ["Adalbert Quill", "Berta Quill", "Cosima Quill", "Dagobert Quill"];

/// A connection that keeps all frames it has received.
struct Recorder {
    client: Client,
    frames: Vec<String>,
}

impl Recorder {
    async fn watch(server: &Server, user: &Guest, table: TableId) -> Result<Self> {
        let mut recorder = Self { client: server.connect(user).await?, frames: Vec::new() };
        recorder.client.send(&ClientFrame::WatchLobby {}).await?;
        let watch = ClientFrame::Watch { table, match_id: None, after: None, secret: None, preview: false };
        recorder.client.send(&watch).await?;
        while recorder.client.table(table).is_err() {
            recorder.next().await?;
        }
        Ok(recorder)
    }

    async fn next(&mut self) -> Result<ServerFrame> {
        let frame = self.client.next().await?;
        self.frames.push(serde_json::to_string(&frame)?);
        Ok(frame)
    }

    /// Sends a command and waits until it is accepted.
    async fn accepted(&mut self, command: &ClientFrame) -> Result<u64> {
        let sent = command.command_id().context("it is a command")?.clone();
        self.client.send(command).await?;
        loop {
            match self.next().await? {
                ServerFrame::Ack { cmd, seq, .. } if cmd == sent => return Ok(seq),
                ServerFrame::Refused { cmd: Some(cmd), code, message, .. } if cmd == sent => {
                    bail!("{code:?}: {message}")
                }
                _ => {}
            }
        }
    }

    async fn until_seq(&mut self, table: TableId, seq: u64) -> Result<()> {
        while self.client.table(table)?.seq() < seq {
            self.next().await?;
        }
        Ok(())
    }

    /// Receives frames until the seats have the names of their users.
    async fn until_names(&mut self, table: TableId) -> Result<()> {
        while self.client.table(table)?.view().seats.iter().any(|seat| !has_name(seat)) {
            self.next().await?;
        }
        Ok(())
    }
}

fn has_name(seat: &SeatView) -> bool {
    seat.user.as_ref().is_some_and(|user| NAMES.contains(&user.name.as_str()) && !user.anonymous)
}

/// Checks that a text contains neither the id nor the name of any of these users.
fn check_without(users: &[&Guest], text: &str, what: &str) -> Result<()> {
    for user in users {
        let id = user.user.id.to_string();
        ensure!(
            !text.contains(&id) && !text.contains(&user.user.name),
            "{} in {what}: {text}",
            user.user.name
        );
    }
    Ok(())
}

/// Checks all answers about the table that a user can get.
async fn check_answers(http: &Http, hidden: &[&Guest], table: TableId, match_id: MatchId) -> Result<()> {
    let mut paths = vec![
        "/api/tables".to_owned(),
        format!("/api/tables/{table}"),
        "/api/matches".to_owned(),
        format!("/api/matches/{match_id}"),
        format!("/api/matches/{match_id}/record"),
        format!("/api/matches/{match_id}/notation"),
        format!("/api/matches/{match_id}/ratings"),
        format!("/api/matches/{match_id}/review"),
        format!("/pictures/match/{match_id}.svg"),
        format!("/pictures/table/{table}.svg"),
        format!("/t/{table}"),
        format!("/m/{match_id}"),
        "/api/me".to_owned(),
        "/api/me/invitations".to_owned(),
        "/api/me/opponents".to_owned(),
    ];
    paths.extend(NAMES.iter().map(|name| format!("/api/matches?player={}", &name[..6])));
    for path in paths {
        let answer = http.get(&path).await?;
        check_without(hidden, &answer.body, &path)?;
    }
    // Answers about the users themselves do not lead to the table.
    for user in hidden {
        for path in [format!("/api/users/{}", user.user.id), format!("/api/matches?user={}", user.user.id)] {
            let answer = http.get(&path).await?;
            let is_silent =
                !answer.body.contains(&table.to_string()) && !answer.body.contains(&match_id.to_string());
            ensure!(is_silent && answer.status == 200, "{path}: {answer:?}");
        }
    }
    Ok(())
}

async fn names_are_hidden_until_the_match_is_over(database: Database) -> Result<()> {
    let server = without_rate_limits(Launch::new(&database)?).start().await?;
    let http = server.http();
    let mut players = Vec::new();
    for name in NAMES {
        players.push(http.account(name).await?);
    }
    let (watcher, stranger) = (http.account("Wanda").await?, http.guest("Xaver").await?);
    for player in &players {
        let path = format!("/api/me/follows/{}", player.user.id);
        ensure!(http.as_guest(&watcher).request("PUT", &path, None).await?.status == 204);
    }
    let anonymous = CreateTable {
        anonymous: Some(true),
        rated: Some(true),
        time: Some(TimeSetting::Correspondence { days: 3 }),
        chat: Some(Chat::On),
        ..plain(Variant::Dilkel)
    };
    let created = http.as_guest(&players[0]).create(&anonymous).await?;
    let (table, match_id) = (created.table, created.match_id);
    let all: Vec<&Guest> = players.iter().collect();

    let mut watching = Recorder::watch(&server, &watcher, table).await?;
    let mut seated = Vec::new();
    let mut seq = 0;
    for player in &players {
        let mut recorder = Recorder::watch(&server, player, table).await?;
        let sit = recorder.client.sit(table, None, None);
        seq = recorder.accepted(&sit).await?;
        if seated.is_empty() {
            let chat = recorder.client.chat(table, Room::Seated, "who are you?");
            seq = recorder.accepted(&chat).await?;
            let open: TableSummary = http.get(&format!("/api/tables/{table}")).await?.json(200)?;
            ensure!(open.phase == Phase::Open && open.host.anonymous && open.host.name == "Host", "{open:?}");
        }
        seated.push(recorder);
    }
    for recorder in seated.iter_mut().chain([&mut watching]) {
        recorder.until_seq(table, seq).await?;
    }
    let chat = seated[1].client.chat(table, Room::Seated, "guess");
    seated[1].accepted(&chat).await?;
    let chat = watching.client.chat(table, Room::Bystanders, "hm");
    watching.accepted(&chat).await?;
    let turn = seated[0].client.table(table)?.state().turn.context("the match runs")?;
    let mover = seated.iter_mut().find(|recorder| {
        recorder.client.table(table).is_ok_and(|known| known.view().your_seats.contains(&turn))
    });
    let mover = mover.context("somebody is to move")?;
    let mv = *mover
        .client
        .table(table)?
        .view()
        .legal_moves
        .as_ref()
        .and_then(|moves| moves.first())
        .context("a move")?;
    let command = mover.client.mv(table, mv)?;
    seq = mover.accepted(&command).await?;
    for recorder in seated.iter_mut().chain([&mut watching]) {
        recorder.until_seq(table, seq).await?;
    }

    // A watcher sees the colors, and a player sees the own name in addition.
    let view = watching.client.table(table)?.view().clone();
    let shown: Vec<_> = view.seats.iter().filter_map(|seat| seat.user.clone()).collect();
    let names: Vec<_> = shown.iter().map(|user| user.name.as_str()).collect();
    ensure!(
        names == ["Red", "Blue", "Yellow", "Green"] && shown.iter().all(|user| user.anonymous),
        "{shown:?}"
    );
    check_without(&all, &watching.frames.join("\n"), "the watcher's frames")?;
    let late = Recorder::watch(&server, &stranger, table).await?;
    check_without(&all, &late.frames.join("\n"), "the frames of a late watcher")?;
    for (index, recorder) in seated.iter().enumerate() {
        let others: Vec<&Guest> = players
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index)
            .map(|(_, player)| player)
            .collect();
        check_without(&others, &recorder.frames.join("\n"), "a player's frames")?;
        let own = http.as_guest(&players[index]);
        check_answers(&own, &others, table, match_id).await?;
        let me: Me = own.get("/api/me").await?.json(200)?;
        let own_seats = me.tables.iter().flat_map(|own| &own.seats).filter(|seat| has_name(seat)).count();
        ensure!(own_seats == 1, "{me:?}");
        let shown: MatchView = own.get(&format!("/api/matches/{match_id}")).await?.json(200)?;
        ensure!(shown.view.seats.iter().filter(|seat| has_name(seat)).count() == 1, "{shown:?}");
    }
    check_answers(&http.as_guest(&watcher), &all, table, match_id).await?;
    check_answers(&http, &all, table, match_id).await?;
    let followed: FollowedUsers = http.as_guest(&watcher).get("/api/me/follows").await?.json(200)?;
    ensure!(
        followed.users.len() == 4 && followed.users.iter().all(|user| user.table.is_none()),
        "{followed:?}"
    );

    let ratings: MatchRatings = http.get(&format!("/api/matches/{match_id}/ratings")).await?.json(200)?;
    ensure!(ratings.seats.is_empty(), "a rating would show who plays: {ratings:?}");

    // A player is reported by the made-up id. The real id is refused, so nobody can guess.
    let message = view.history.iter().find(|entry| matches!(entry.event, Event::MessageSent { .. }));
    let message = message.context("there is a message")?.seq;
    let report = |user| NewReport {
        user,
        reason: ReportReason::Chat,
        text: None,
        moment: Some(ReportMoment { match_id, at: message, message: Some(message) }),
    };
    let as_watcher = http.as_guest(&watcher);
    let author = seated[0].client.table(table)?.view().your_seats[0];
    let made_up = view.seats.iter().find(|seat| seat.color == author).and_then(|seat| seat.user.clone());
    for player in &players {
        let refused = as_watcher.post("/api/reports", &report(player.user.id)).await?;
        ensure!(refused.refusal(404)? == RefusalCode::NotFound, "{refused:?}");
    }
    let sent = as_watcher.post("/api/reports", &report(made_up.context("the author has a seat")?.id)).await?;
    ensure!(sent.status == 204, "{sent:?}");

    for recorder in &mut seated[..3] {
        let resign = recorder.client.resign(table);
        recorder.accepted(&resign).await?;
    }
    for recorder in seated.iter_mut().chain([&mut watching]) {
        recorder.until_names(table).await?;
    }
    let after =
        ClientFrame::Watch { table, match_id: Some(match_id), after: Some(3), secret: None, preview: false };
    let mut again = server.connect(&stranger).await?;
    again.send(&after).await?;
    let resumed = again.find("the first frame of the table", |frame| match frame {
        ServerFrame::Snapshot { view, .. } => Some(Ok(view)),
        ServerFrame::Watching { .. } => Some(Err(anyhow::anyhow!("the client would keep the colors"))),
        _ => None,
    });
    ensure!(resumed.await??.seats.iter().all(has_name));
    let list: MatchList = http.get(&format!("/api/matches?user={}", players[0].user.id)).await?.json(200)?;
    let [listed] = &list.matches[..] else { bail!("{list:?}") };
    ensure!(listed.match_id == match_id && listed.seats.iter().all(has_name), "{listed:?}");
    Ok(())
}

#[tokio::test]
async fn names_are_hidden_until_the_match_is_over_with_sqlite() -> Result<()> {
    names_are_hidden_until_the_match_is_over(Database::Sqlite).await
}

#[tokio::test]
async fn names_are_hidden_until_the_match_is_over_with_postgres() -> Result<()> {
    names_are_hidden_until_the_match_is_over(Database::postgres().await?).await
}

#[tokio::test]
async fn a_match_of_two_is_not_anonymous() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let host = server.http().guest("Ada").await?;
    let table = CreateTable { seat: Some(Color::White), anonymous: Some(true), ..plain(Variant::Classic) };
    let refused = server.http().as_guest(&host).post("/api/tables", &table).await?;
    ensure!(refused.refusal(400)? == RefusalCode::BadSetting, "{refused:?}");
    Ok(())
}
