//! Simulated visitors who come and go: they abandon tables, leave matches and lose connections.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result};
use quadrex_protocol::http::{CreateTable, NewInvite, Uses};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::{ClientFrame, RequestAction};
use quadrex_rules::{Color, Variant};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::client::Client;
use crate::contest::{Contest, plain};
use crate::http::Http;

/// All kinds of visits.
const VISITS: [Visit; 6] =
    [Visit::Abandon, Visit::Private, Visit::Leave, Visit::Return, Visit::Rematch, Visit::Look];

/// The kind of a visit.
#[derive(Clone, Copy, Debug)]
enum Visit {
    /// Creates a table and never takes a seat there.
    Abandon,
    /// Two players play at a private table, with an invite, and disconnect.
    Private,
    /// Two players begin a match and disconnect.
    Leave,
    /// Two players play. One loses the connection and reconnects.
    Return,
    /// Two players play, one resigns, and they play two rematches.
    Rematch,
    /// One visitor watches the lobby and disconnects.
    Look,
}

/// Visitors who repeat visits in background tasks.
pub struct Crowd {
    stop: watch::Sender<bool>,
    done: Arc<watch::Sender<u64>>,
    visitors: JoinSet<Result<()>>,
}

impl Crowd {
    /// Starts this number of visitors. Each makes visits of different kinds until the crowd is
    /// stopped.
    pub fn start(address: SocketAddr, visitors: usize) -> Self {
        let (stop, done) = (watch::Sender::new(false), Arc::new(watch::Sender::new(0)));
        let mut crowd = Self { stop, done, visitors: JoinSet::new() };
        for first in 0..visitors {
            let (stop, done) = (crowd.stop.subscribe(), Arc::clone(&crowd.done));
            crowd.visitors.spawn(async move {
                for visit in VISITS.into_iter().cycle().skip(first) {
                    if *stop.borrow() {
                        break;
                    }
                    visit.pay(address).await.with_context(|| format!("{visit:?}"))?;
                    done.send_modify(|done| *done += 1);
                }
                Ok(())
            });
        }
        crowd
    }

    /// Waits until this number of visits is finished.
    ///
    /// # Errors
    /// If a visit failed.
    pub async fn until_done(&mut self, count: u64) -> Result<()> {
        let mut done = self.done.subscribe();
        while *done.borrow_and_update() < count {
            tokio::select! {
                changed = done.changed() => changed.context("the visitors have stopped")?,
                Some(visitor) = self.visitors.join_next() => visitor.context("a visitor's task")??,
            }
        }
        Ok(())
    }

    /// Returns the number of finished visits.
    pub fn done(&self) -> u64 {
        *self.done.borrow()
    }

    /// Waits until all current visits are finished and stops the visitors. Returns the number of
    /// finished visits.
    ///
    /// # Errors
    /// If a visit failed.
    pub async fn finish(mut self) -> Result<u64> {
        self.stop.send_replace(true);
        while let Some(visitor) = self.visitors.join_next().await {
            visitor.context("a visitor's task")??;
        }
        Ok(self.done())
    }
}

impl Visit {
    async fn pay(self, address: SocketAddr) -> Result<()> {
        let http = Http::new(address);
        match self {
            Self::Abandon => {
                let host = http.guest("Host").await?;
                http.as_guest(&host).create(&plain(Variant::Dilkel)).await.map(drop)
            }
            Self::Private => private(address).await,
            Self::Leave => begun(address, 1_000).await.map(drop),
            Self::Return => {
                let mut contest = begun(address, 60_000).await?;
                contest.player(Color::White)?.cut().await?;
                contest.player(Color::White)?.reconnect(address).await?;
                contest.play("g1f3".parse()?).await?;
                resigned(&mut contest).await
            }
            Self::Rematch => {
                let mut contest = begun(address, 60_000).await?;
                resigned(&mut contest).await?;
                rematched(&mut contest).await?;
                resigned(&mut contest).await
            }
            Self::Look => {
                let mut client = Client::open(address, None).await?;
                client.send(&ClientFrame::WatchLobby {}).await?;
                client.next().await.map(drop)
            }
        }
    }
}

/// Creates a public table with two players, who have both made a move.
async fn begun(address: SocketAddr, base_ms: u64) -> Result<Contest> {
    let mut contest = Contest::start_at(address, &timed(Privacy::Public, base_ms)).await?;
    for mv in ["e2e4", "e7e5"] {
        contest.play(mv.parse()?).await?;
    }
    Ok(contest)
}

fn timed(privacy: Privacy, base_ms: u64) -> CreateTable {
    let time = Some(TimeSetting::Fischer { base_ms, increment_ms: 0 });
    CreateTable { time, privacy, ..plain(Variant::Classic) }
}

async fn private(address: SocketAddr) -> Result<()> {
    let http = Http::new(address);
    let (host, friend) = (http.guest("Host").await?, http.guest("Friend").await?);
    let http = http.as_guest(&host);
    let table = http.create(&timed(Privacy::Private, 1_000)).await?.table;
    let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Single }).await?.secret;
    let (mut white, mut black) =
        (Client::open(address, Some(&host)).await?, Client::open(address, Some(&friend)).await?);
    white.watch(table).await?;
    let sit = white.sit(table, Some(Color::White), None);
    white.accepted(&sit).await?;
    black.watch_with(table, Some(invite.clone())).await?;
    let sit = black.sit(table, Some(Color::Black), Some(&invite));
    let mut seq = black.accepted(&sit).await?;
    for mv in ["e2e4", "e7e5"] {
        white.until_seq(table, seq).await?;
        black.until_seq(table, seq).await?;
        let mover = if mv == "e2e4" { &mut white } else { &mut black };
        let mv = mover.mv(table, mv.parse()?)?;
        seq = mover.accepted(&mv).await?;
    }
    Ok(())
}

async fn resigned(contest: &mut Contest) -> Result<()> {
    let table = contest.table;
    let player = contest.player(Color::White)?;
    let resign = player.resign(table);
    let seq = player.accepted(&resign).await?;
    contest.until_seq(seq).await
}

/// Lets both players agree to a rematch, in which they have swapped colors.
async fn rematched(contest: &mut Contest) -> Result<()> {
    let (table, first) = (contest.table, contest.match_id);
    for (color, action) in [(Color::White, RequestAction::Ask), (Color::Black, RequestAction::Accept)] {
        let player = contest.player(color)?;
        let cmd = player.next_command_id();
        player
            .accepted(&ClientFrame::Rematch { table, cmd, action, nonce: None, seat: None, match_id: None })
            .await?;
    }
    for client in contest.everybody() {
        let is_next = |client: &Client| client.table(table).is_ok_and(|watched| watched.match_id() != first);
        client.until("the next match", is_next).await?;
    }
    Ok(())
}
