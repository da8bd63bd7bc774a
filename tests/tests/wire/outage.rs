//! The database stops during a match and returns: the server stays up, reports that it is not
//! ready, and loses nothing.

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::{RefusalCode, ServerFrame};
use quadrex_rules::{Color, Variant};
use quadrex_tests::checker;
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::ledger::{LedgerEntry, RecordedAnswer};
use quadrex_tests::{Answer, Database, Launch, Postgres, Received, Script};

/// The maximum number of times that a command is sent. A pool notices a dead connection only on its
/// next use, so each of its connections may fail one command.
const TRIES: usize = 40;

#[tokio::test]
async fn no_acknowledged_move_is_lost_in_a_database_outage() -> Result<()> {
    let mut postgres = Postgres::start()?;
    let launch = without_rate_limits(Launch::new(&Database::At(postgres.url()))?);
    let mut server = launch.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let mut noted = Vec::new();
    for (ply, mv) in Script::read("classic")?.begun_by(Color::White).into_iter().enumerate() {
        let mover = contest.mover()?;
        let command = mover.mv(table, mv)?;
        let cmd = command.command_id().context("a move is a command")?.clone();
        match ply {
            // The database is down until the server's lease expires. The server closes its
            // connections, and serves again when the database is back.
            5 => {
                postgres.sigkill()?;
                let http = server.http();
                http.until_status("/readyz", 503).await?;
                ensure!(http.get("/healthz").await?.status == 200);
                for client in contest.everybody() {
                    client
                        .find("the goodbye", |frame| {
                            matches!(frame, ServerFrame::Closing { .. }).then_some(())
                        })
                        .await?;
                    let after = client.receive().await?;
                    ensure!(after == Received::Closed(1012), "{after:?}");
                }
                let refused = http.get("/api/tables").await?;
                ensure!(refused.status == 503 && refused.header("retry-after").is_some(), "{refused:?}");
                postgres.restart()?;
                http.until_status("/readyz", 200).await?;
                for client in contest.everybody() {
                    client.reconnect(server.address()).await?;
                }
            }
            // The database restarts between two moves, so all its connections are dead.
            15 => {
                postgres.sigkill()?;
                postgres.restart()?;
            }
            _ => {}
        }
        let mover = contest.mover()?;
        let mut answer = mover.ask(&command).await?;
        for _ in 0..TRIES {
            if !matches!(answer, Answer::Refused(RefusalCode::Internal, _)) {
                break;
            }
            answer = mover.ask(&command).await?;
        }
        let Answer::Ack(seq) = answer else { bail!("ply {}, {mv}: {answer:?}", ply + 1) };
        let by = mover.guest()?.user.id;
        noted.push(LedgerEntry {
            match_id: contest.match_id,
            by,
            command_id: cmd,
            answer: RecordedAnswer::Done { seq, mv: Some(mv) },
        });
        contest.until_seq(seq).await?;
    }
    ensure!(contest.turn()?.is_none(), "the match goes on to its end");
    server.kill().await?;
    let checked = checker::check_all(&launch, &noted, &[]).await?;
    ensure!(checked.acknowledged == noted.len() as u64, "{checked:?}");
    Ok(())
}
