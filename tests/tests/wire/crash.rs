//! The server is killed repeatedly at different moments. No acknowledged command is lost or
//! duplicated.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::http::{CreateTable, NewInvite, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{ClientFrame, ServerFrame, TableId};
use quadrex_rules::{Color, Move, Variant};
use quadrex_tests::checker;
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::ledger::{LedgerEntry, RecordedAnswer};
use quadrex_tests::rng::Rng;
use quadrex_tests::{Answer, Database, Launch, Script, Server};

/// The environment variable that makes the server abort right after its n-th COMMIT, before any
/// client is notified.
const ABORT_AFTER_COMMIT: &str = "QUADREX_ABORT_AFTER_COMMIT";

/// The number of kills in one match.
const KILLS: usize = 20;

/// The moment of a kill during a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// Before the move is sent.
    Before,
    /// This number of microseconds after the move was sent.
    OnTheWay(u64),
    /// After the COMMIT and before anything is published.
    AfterCommit,
    /// After the player has received the acknowledgement. The others may not have received the
    /// event yet.
    Acknowledged,
}

/// Returns the plies with a kill, and the moment of each. The tenth kill is between COMMIT and
/// publication.
fn moments(plies: usize, seed: u64) -> Vec<(usize, Moment)> {
    let mut rng = Rng::new(seed);
    let chosen = rng.sample(KILLS, plies);
    let mut moment = |number| match (number, rng.index(4)) {
        (9, _) => Moment::AfterCommit,
        (_, 0) => Moment::Before,
        (_, 1) => Moment::Acknowledged,
        _ => Moment::OnTheWay(rng.index(4_000) as u64),
    };
    chosen.into_iter().enumerate().map(|(number, ply)| (ply, moment(number))).collect()
}

struct CrashRun {
    launch: Launch,
    server: Server,
    contest: Contest,
    noted: Vec<LedgerEntry>,
}

impl CrashRun {
    /// Kills the server, starts it on the same data, and reconnects all clients.
    async fn restart(&mut self) -> Result<()> {
        self.server.kill().await?;
        self.back(&self.launch.clone()).await
    }

    async fn back(&mut self, launch: &Launch) -> Result<()> {
        self.server = launch.start().await?;
        for client in self.contest.everybody() {
            client.reconnect(self.server.address()).await?;
        }
        Ok(())
    }

    /// Makes a move of the player to move, in spite of a kill at this moment.
    async fn play(&mut self, mv: Move, moment: Option<Moment>) -> Result<()> {
        let table = self.contest.table;
        match moment {
            Some(Moment::Before) => self.restart().await?,
            Some(Moment::AfterCommit) => {
                self.server.kill().await?;
                // The first commit of the new server is the interruption.
                self.back(&self.launch.clone().with_env(ABORT_AFTER_COMMIT, 2)).await?;
            }
            _ => {}
        }
        self.settle(table).await?;
        let color = self.contest.turn()?.context("the match runs")?;
        let mover = self.contest.player(color)?;
        let command = mover.mv(table, mv)?;
        let before = mover.table(table)?.seq();
        let cmd = command.command_id().context("a move is a command")?.clone();
        mover.send(&command).await?;
        let mut early = None;
        match moment {
            Some(Moment::OnTheWay(micros)) => {
                // The sleep waits for nothing. It varies the moment of the kill.
                tokio::time::sleep(Duration::from_micros(micros)).await;
                self.restart().await?;
                let mover = self.contest.player(color)?;
                early = mover.early_answer(&cmd);
                mover.send(&command).await?;
            }
            Some(Moment::AfterCommit) => {
                let ended = self.server.ended().await?;
                ensure!(ended.status.code().is_none(), "it must abort and not exit: {ended:?}");
                self.back(&self.launch.clone()).await?;
                self.contest.until_seq(before + 1).await.context("the committed move is there again")?;
                self.contest.player(color)?.send(&command).await?;
            }
            _ => {}
        }
        let mover = self.contest.player(color)?;
        let Answer::Ack(seq) = mover.answer(&cmd).await? else { bail!("{mv} was refused") };
        ensure!(
            early.is_none_or(|answer| answer == Answer::Ack(seq)),
            "acknowledged as another, and then as {seq}"
        );
        let by = mover.guest()?.user.id;
        let answer = RecordedAnswer::Done { seq, mv: Some(mv) };
        self.noted.push(LedgerEntry { match_id: self.contest.match_id, by, command_id: cmd, answer });
        if moment == Some(Moment::Acknowledged) {
            self.restart().await?;
        }
        self.contest.until_seq(seq).await
    }

    /// Waits until all clients have received the same events.
    async fn settle(&mut self, table: TableId) -> Result<()> {
        let mut head = 0;
        for client in self.contest.everybody() {
            head = head.max(client.table(table)?.seq());
        }
        self.contest.until_seq(head).await
    }
}

async fn check_twenty_kills(database: &Database, seed: u64) -> Result<()> {
    let script = Script::read("dilkel")?;
    let launch = Launch::new(database)?;
    let server = launch.start().await?;
    let contest = Contest::start(&server, &plain(Variant::Dilkel)).await?;
    let beginner = contest.turn()?.context("the match runs")?;
    let mut run = CrashRun { launch, server, contest, noted: Vec::new() };
    let mut kills = moments(script.plies(), seed);
    for (ply, mv) in script.begun_by(beginner).into_iter().enumerate() {
        let moment = kills.iter().find(|(at, _)| *at == ply).map(|(_, moment)| *moment);
        run.play(mv, moment).await.with_context(|| format!("ply {}, {mv}, {moment:?}", ply + 1))?;
        kills.retain(|(at, _)| *at != ply);
    }
    ensure!(kills.is_empty(), "{kills:?} did not happen");
    let table = run.contest.table;
    for client in run.contest.everybody() {
        ensure!(client.table(table)?.state().outcome.is_some(), "the match goes on to its end");
    }
    run.server.kill().await?;
    let checked = checker::check_all(&run.launch, &run.noted, &[]).await?;
    ensure!(checked.acknowledged == script.plies() as u64, "{checked:?}");
    Ok(())
}

#[tokio::test]
async fn a_match_on_sqlite_survives_twenty_kills() -> Result<()> {
    check_twenty_kills(&Database::Sqlite, 0x5eed).await
}

#[tokio::test]
async fn a_match_on_postgres_survives_twenty_kills() -> Result<()> {
    check_twenty_kills(&Database::postgres().await?, 0xfeed).await
}

/// Open seats, invites and the lobby entry are there again after a kill.
async fn check_open_table_after_kill(database: &Database) -> Result<()> {
    let launch = Launch::new(database)?;
    let mut server = launch.start().await?;
    let host = server.guest("host").await?;
    let public = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    let hidden = CreateTable { privacy: Privacy::Private, ..public.clone() };
    let public = server.http().as_guest(&host).create(&public).await?.table;
    let hidden = server.http().as_guest(&host).create(&hidden).await?.table;
    let invite = NewInvite { seat: None, uses: Uses::Single };
    let invite = server.http().as_guest(&host).invite(hidden, &invite).await?.secret;
    server.kill().await?;
    let server = launch.start().await?;
    let mut guest = server.connect(&server.guest("guest").await?).await?;
    guest.send(&ClientFrame::WatchLobby {}).await?;
    let listed = guest.find("the lobby", |frame| match frame {
        ServerFrame::Lobby { tables, .. } => Some(tables),
        _ => None,
    });
    let listed: Vec<TableId> = listed.await?.into_iter().map(|table| table.table).collect();
    ensure!(listed == [public], "{listed:?}");
    let sit = guest.sit(hidden, None, Some(&invite));
    guest.accepted(&sit).await?;
    let mut host = server.connect(&host).await?;
    host.watch(hidden).await?;
    let mv = host.mv(hidden, "e2e4".parse()?)?;
    host.accepted(&mv).await?;
    Ok(())
}

#[tokio::test]
async fn an_open_table_on_sqlite_survives_a_kill() -> Result<()> {
    check_open_table_after_kill(&Database::Sqlite).await
}

#[tokio::test]
async fn an_open_table_on_postgres_survives_a_kill() -> Result<()> {
    check_open_table_after_kill(&Database::postgres().await?).await
}
