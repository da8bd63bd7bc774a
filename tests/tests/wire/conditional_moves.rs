//! Conditional moves of correspondence matches: the server makes them, once, and shows them to nobody
//! but their player.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::explore::Exploration;
use quadrex_protocol::http::{ConditionalMoves, CreateTable, PersonalData};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::{Event, RefusalCode, RequestAction};
use quadrex_rules::{Color, Request, Timestamp, Variant};
use quadrex_store::{LoggedEvent, Store};
use quadrex_tests::contest::Contest;
use quadrex_tests::http::Http;
use quadrex_tests::in_process::InProcessServer;
use quadrex_tests::{Database, Launch};
use serde_json::{Value, json};

/// The environment variable that makes the server abort right after its n-th COMMIT, before any
/// client is notified.
const ABORT_AFTER_COMMIT: &str = "QUADREX_ABORT_AFTER_COMMIT";

fn correspondence(variant: Variant) -> CreateTable {
    CreateTable {
        time: Some(TimeSetting::Correspondence { days: 3 }),
        ..CreateTable::plain(variant, Privacy::Public)
    }
}

/// Returns the JSON of a line, from steps such as `black e7e5`, or `blue *` for any move.
fn line(steps: &[&str]) -> Value {
    let step = |text: &&str| match text.split_once(' ') {
        Some((color, "*")) => json!({"color": color}),
        Some((color, mv)) => json!({"color": color, "move": mv}),
        None => json!({}),
    };
    steps.iter().map(step).collect()
}

/// The requests of a player of a match.
struct Player {
    http: Http,
    path: String,
}

impl Player {
    fn of(contest: &mut Contest, http: &Http, color: Color) -> Result<Self> {
        let path = format!("/api/tables/{}/conditional-moves", contest.table);
        Ok(Self { http: http.as_guest(contest.player(color)?.guest()?), path })
    }

    fn body(contest: &Contest, lines: &[&[&str]]) -> Result<String> {
        let first = contest.players.values().next().context("there are players")?;
        let lines: Vec<Value> = lines.iter().map(|steps| line(steps)).collect();
        let after = first.table(contest.table)?.seq();
        Ok(json!({"match": contest.match_id, "after": after, "lines": lines}).to_string())
    }

    /// Stores lines at the present event.
    async fn set(&self, contest: &Contest, lines: &[&[&str]]) -> Result<ConditionalMoves> {
        let body = Self::body(contest, lines)?;
        self.http.request("PUT", &self.path, Some(&body)).await?.json(200)
    }

    async fn get(&self) -> Result<ConditionalMoves> {
        self.http.get(&self.path).await?.json(200)
    }

    /// Returns the number of lines that can still come true.
    async fn line_count(&self) -> Result<usize> {
        Ok(self.get().await?.seats.iter().map(|seat| seat.lines.len()).sum())
    }
}

/// Returns the moves of a match with their times.
fn moves(log: &[LoggedEvent]) -> Vec<(String, Timestamp)> {
    let mv = |logged: &LoggedEvent| match &logged.event {
        Event::Moved { mv, .. } => Some((mv.to_string(), logged.at)),
        _ => None,
    };
    log.iter().filter_map(mv).collect()
}

fn texts(moves: &[(String, Timestamp)]) -> Vec<&str> {
    moves.iter().map(|(mv, _)| mv.as_str()).collect()
}

/// The server makes a conditional move at once, and it costs no time. The player alone can see which
/// moves were conditional.
#[tokio::test]
async fn a_conditional_move_is_made_at_once_and_costs_no_time() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&correspondence(Variant::Classic)).await?;
    let black = Player::of(&mut contest, &server.http(), Color::Black)?;
    let white = Player::of(&mut contest, &server.http(), Color::White)?;
    let lines: &[&[&str]] =
        &[&["white e2e4", "black e7e5", "white g1f3", "black b8c6"], &["white d2d4", "black d7d5"]];
    let stored = black.set(&contest, lines).await?;
    ensure!(stored.seats.len() == 1 && stored.seats[0].lines.len() == 2, "{stored:?}");
    ensure!(white.get().await?.seats.is_empty(), "White sees no moves of Black");

    let seq = contest.play("e2e4".parse()?).await?;
    contest.until_seq(seq + 1).await?;
    ensure!(contest.turn()? == Some(Color::White), "Black has replied");
    let left = black.get().await?;
    let steps =
        left.seats.first().map(|seat| (seat.after, seat.lines.iter().map(Vec::len).collect::<Vec<_>>()));
    ensure!(steps == Some((seq + 1, vec![2])), "only the rest of one line can still come true: {left:?}");
    let table = contest.table;
    let shown = serde_json::to_string(contest.player(Color::White)?.table(table)?.view())?;
    ensure!(!shown.contains("b8c6"), "White sees nothing of the next conditional move: {shown}");
    let seq = contest.play("g1f3".parse()?).await?;
    contest.until_seq(seq + 1).await?;
    ensure!(
        black.get().await?
            == ConditionalMoves { match_id: contest.match_id, seats: vec![], played: vec![seq - 1, seq + 1] }
    );
    ensure!(white.get().await?.played.is_empty(), "White's moves were not conditional");

    let store = server.store().await?;
    ensure!(store.conditional_moves(contest.match_id).await?.is_empty(), "the used lines are removed");
    let made = moves(&store.events(contest.match_id, 0).await?);
    ensure!(texts(&made) == ["e2e4", "e7e5", "g1f3", "b8c6"], "{made:?}");
    let is_instant = made[0].1 == made[1].1 && made[2].1 == made[3].1;
    ensure!(is_instant, "a conditional move costs no time: {made:?}");
    Ok(())
}

/// In a match of four players, the conditions are certain moves or any moves, and the moves of two
/// players can make each other due.
#[tokio::test]
async fn conditional_moves_of_four_players_can_follow_each_other() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&correspondence(Variant::Dilkel)).await?;
    let script = quadrex_tests::Script::read("dilkel")?;
    let beginner = contest.turn()?.context("the match runs")?;
    let order: Vec<Color> = Variant::Dilkel
        .colors()
        .iter()
        .copied()
        .cycle()
        .skip_while(|&color| color != beginner)
        .take(5)
        .collect();
    let script: Vec<String> = script.begun_by(beginner).iter().map(ToString::to_string).collect();
    let (second, third) = (
        Player::of(&mut contest, &server.http(), order[1])?,
        Player::of(&mut contest, &server.http(), order[2])?,
    );
    let first_moves = format!("{} {}", order[0], script[0]);
    let (any_first, any_second) = (format!("{} *", order[0]), format!("{} *", order[1]));
    let (own_second, own_third) =
        (format!("{} {}", order[1], script[1]), format!("{} {}", order[2], script[2]));
    second.set(&contest, &[&[&first_moves, &own_second]]).await?;
    third.set(&contest, &[&[&any_first, &any_second, &own_third]]).await?;
    let seq = contest.play(script[0].parse()?).await?;
    contest.until_seq(seq + 2).await?;
    ensure!(contest.turn()? == Some(order[3]), "two conditional moves were made");
    Ok(())
}

/// Lines that the rules do not allow, lines for an earlier board and lines of others are refused.
#[tokio::test]
async fn wrong_lines_are_refused() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&correspondence(Variant::Classic)).await?;
    let http = server.http();
    let black = Player::of(&mut contest, &http, Color::Black)?;
    let put = async |http: &Http, body: &str, status| {
        let answer = http.request("PUT", &black.path, Some(body)).await?;
        answer.refusal(status)
    };
    let fine = Player::body(&contest, &[&["white e2e4", "black e7e5"]])?;
    let illegal = Player::body(&contest, &[&["white e2e4", "black e7e4"]])?;
    ensure!(put(&black.http, &illegal, 409).await? == RefusalCode::IllegalMove);
    let open = Player::body(&contest, &[&["white e2e4"]])?;
    ensure!(put(&black.http, &open, 400).await? == RefusalCode::BadSetting);
    let stranger = http.as_guest(&http.guest("stranger").await?);
    ensure!(put(&stranger, &fine, 409).await? == RefusalCode::NotSeated);
    ensure!(put(&http, &fine, 401).await? == RefusalCode::Unauthenticated);
    contest.play("e2e4".parse()?).await?;
    ensure!(put(&black.http, &fine, 409).await? == RefusalCode::Stale);
    Ok(())
}

/// The board of a line shows the position after its steps, with the legal moves there.
#[tokio::test]
async fn the_board_of_a_line_shows_the_position_after_its_steps() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&correspondence(Variant::Classic)).await?;
    let black = Player::of(&mut contest, &server.http(), Color::Black)?;
    let path = format!("{}/board", black.path);
    let table = contest.table;
    let after = contest.player(Color::Black)?.table(table)?.seq();
    let body = json!({"match": contest.match_id, "after": after, "steps": line(&["white e2e4"])});
    let board: Exploration = black.http.post(&path, &body).await?.json(200)?;
    ensure!(
        board.state.turn == Some(Color::Black) && board.legal_moves.contains(&"e7e5".parse()?),
        "{board:?}"
    );
    let body = json!({"match": contest.match_id, "after": after, "steps": line(&["white e2e5"])});
    ensure!(black.http.post(&path, &body).await?.refusal(409)? == RefusalCode::IllegalMove);
    let other = uuid::Uuid::from_u128(7);
    let body = json!({"match": other, "after": after, "steps": line(&["white e2e4"])});
    ensure!(black.http.post(&path, &body).await?.refusal(409)? == RefusalCode::OtherMatch);
    Ok(())
}

/// After a takeback nothing of the lines is left, and they are not in the way of new ones.
#[tokio::test]
async fn a_takeback_drops_the_lines() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&correspondence(Variant::Classic)).await?;
    let table = contest.table;
    let white = Player::of(&mut contest, &server.http(), Color::White)?;
    contest.play("e2e4".parse()?).await?;
    white.set(&contest, &[&["black e7e5", "white g1f3"]]).await?;
    let ask = contest.player(Color::White)?.request(table, Request::Takeback, RequestAction::Ask);
    contest.player(Color::White)?.accepted(&ask).await?;
    let accept = contest.player(Color::Black)?.request(table, Request::Takeback, RequestAction::Accept);
    let seq = contest.player(Color::Black)?.accepted(&accept).await?;
    contest.until_seq(seq).await?;
    ensure!(white.line_count().await? == 0, "the lines are dropped");
    contest.play("d2d4".parse()?).await?;
    let seq = contest.play("e7e5".parse()?).await?;
    ensure!(contest.player(Color::White)?.table(table)?.seq() == seq, "no move was made");
    Ok(())
}

/// The export of the personal data has the conditional moves, and deleting the user removes them.
#[tokio::test]
async fn conditional_moves_are_personal_data() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&correspondence(Variant::Classic)).await?;
    let black = Player::of(&mut contest, &server.http(), Color::Black)?;
    let white = Player::of(&mut contest, &server.http(), Color::White)?;
    black.set(&contest, &[&["white e2e4", "black e7e5"]]).await?;
    let exported: PersonalData = black.http.get("/api/me/export").await?.json(200)?;
    ensure!(exported.conditional_moves.len() == 1, "{exported:?}");
    let other: PersonalData = white.http.get("/api/me/export").await?.json(200)?;
    ensure!(other.conditional_moves.is_empty(), "{other:?}");
    let store = server.store().await?;
    let user = contest.player(Color::Black)?.guest()?.user.id;
    store.delete_user(user, exported_at(&exported)).await?;
    ensure!(store.conditional_moves(contest.match_id).await?.is_empty(), "they are deleted with the user");
    Ok(())
}

fn exported_at(data: &PersonalData) -> Timestamp {
    Timestamp::from_millis(data.created_at_ms + 1_000)
}

/// The server aborts right after the COMMIT of the move that meets a condition, and then right after
/// the COMMIT of the conditional move. In both cases the conditional move is made exactly once.
async fn check_crashes(database: &Database) -> Result<()> {
    for commit in [1, 2] {
        let launch = Launch::new(database)?;
        let mut server = launch.start().await?;
        let mut contest = Contest::start(&server, &correspondence(Variant::Classic)).await?;
        let table = contest.table;
        let black = Player::of(&mut contest, &server.http(), Color::Black)?;
        black.set(&contest, &[&["white e2e4", "black e7e5"]]).await?;
        server.kill().await?;
        // The first commit of the new server is the interruption.
        server = launch.clone().with_env(ABORT_AFTER_COMMIT, commit + 1).start().await?;
        for client in contest.everybody() {
            client.reconnect(server.address()).await?;
        }
        let seq = contest.player(Color::Black)?.table(table)?.seq() + 1;
        contest.until_seq(seq).await.context("the interruption is there")?;
        let white = contest.player(Color::White)?;
        let before = white.table(table)?.seq();
        let mv = white.mv(table, "e2e4".parse()?)?;
        white.send(&mv).await?;
        let ended = server.ended().await?;
        ensure!(ended.status.code().is_none(), "it must abort and not exit: {ended:?}");
        let server = launch.start().await?;
        for client in contest.everybody() {
            client.reconnect(server.address()).await?;
        }
        contest.until_seq(before + 3).await.context("both moves and the interruption are there")?;
        contest.play("g1f3".parse()?).await?;
        let store = Store::connect(&launch.location()?, 1).await?;
        let made = moves(&store.events(contest.match_id, 0).await?);
        ensure!(texts(&made) == ["e2e4", "e7e5", "g1f3"], "{made:?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_conditional_move_is_made_once_in_spite_of_crashes_on_sqlite() -> Result<()> {
    check_crashes(&Database::Sqlite).await
}

#[tokio::test]
async fn a_conditional_move_is_made_once_in_spite_of_crashes_on_postgres() -> Result<()> {
    check_crashes(&Database::postgres().await?).await
}
