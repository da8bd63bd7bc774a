//! Lag compensation for a browser on a slow connection. The server runs in the process of the test,
//! which moves the clock ahead while the server's ping is in transit.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::view::{Entry, Presence};
use quadrex_protocol::{ClientFrame, Event, TableId};
use quadrex_rules::{Color, Variant};
use quadrex_tests::{Browser, Client, InProcessServer};

use crate::absence::until_presence;
use crate::clocks::{MINUTE, timed};

/// A match of a browser with a slow connection against a program.
struct Slow {
    server: InProcessServer,
    table: TableId,
    white: Client,
    black: Client,
}

impl Slow {
    async fn start(round_trip: Duration) -> Result<Self> {
        let server = InProcessServer::start().await?;
        let browser = Browser::visit(server.address()).await?;
        let request = CreateTable { seat: Some(Color::White), ..timed(Variant::Classic, MINUTE) };
        let table = browser.http().create(&request).await?.table;
        let mut black = server.connect(&server.guest("Ben").await?).await?;
        black.watch(table).await?;
        let mut white = browser.connect().await?;
        white
            .send(&ClientFrame::Watch { table, match_id: None, after: None, secret: None, preview: false })
            .await?;
        // The server has sent its ping by then, but the browser has not read it.
        until_presence(&mut black, table, Color::White, Presence::Connected).await?;
        server.skip(round_trip);
        white.until("the snapshot", |white| white.table(table).is_ok()).await?;
        let sit = black.sit(table, None, None);
        let seq = black.accepted(&sit).await?;
        white.until_seq(table, seq).await?;
        let mut slow = Self { server, table, white, black };
        slow.play(Color::White, "e2e4").await?;
        slow.play(Color::Black, "e7e5").await?;
        Ok(slow)
    }

    /// Makes a move and waits until both players have received it. Returns the entry, and the time
    /// of the previous event.
    async fn play(&mut self, color: Color, mv: &str) -> Result<(Entry, u64)> {
        let by = if color == Color::White { &mut self.white } else { &mut self.black };
        let command = by.mv(self.table, mv.parse()?)?;
        let seq = by.accepted(&command).await?;
        self.black.until_seq(self.table, seq).await?;
        let history = &self.white.until_seq(self.table, seq).await?.view().history;
        match history.as_slice() {
            [.., before, moved] => Ok((moved.clone(), before.at_ms)),
            _ => anyhow::bail!("{history:?}"),
        }
    }

    /// Returns the clock of the player who just moved, by the opponent's copy.
    fn left_ms(&self, color: Color) -> Result<u64> {
        let clock = self.black.table(self.table)?.state().clock.as_ref().context("there are clocks")?;
        clock.left_ms.get(&color).copied().with_context(|| format!("{color} has a clock"))
    }
}

fn moved(entry: &Entry) -> Result<(u64, u64)> {
    match &entry.event {
        Event::Moved { left_ms: Some(left_ms), lag_ms, .. } => Ok((*left_ms, *lag_ms)),
        other => anyhow::bail!("{other:?} is not a move with a clock"),
    }
}

/// The lag of a browser is compensated to the millisecond and visible in all clocks. A program gets
/// no compensation.
#[tokio::test]
async fn network_lag_is_compensated() -> Result<()> {
    let mut slow = Slow::start(Duration::from_millis(200)).await?;
    for color in [Color::White, Color::Black] {
        let before = slow.left_ms(color)?;
        slow.server.skip(Duration::from_secs(5));
        let (entry, since) = slow.play(color, if color == Color::White { "g1f3" } else { "b8c6" }).await?;
        let (left, lag) = moved(&entry)?;
        let expected = if color == Color::White { 200..=300 } else { 0..=0 };
        ensure!(expected.contains(&lag), "{color} is credited {lag} ms");
        let took = entry.at_ms - since;
        ensure!(took >= 5_000 && before - left == took - lag, "{took} ms cost {} ms", before - left);
        ensure!(slow.left_ms(color)? == left);
    }
    Ok(())
}

/// A slow connection gets at most 300 ms per move, from a bank that starts with a second and gains
/// 100 ms per own move.
#[tokio::test]
async fn lag_compensation_is_bounded() -> Result<()> {
    let mut slow = Slow::start(Duration::from_secs(2)).await?;
    let mut given = Vec::new();
    for mv in ["g1f3", "f3g1", "b1c3", "c3b1", "g1h3", "h3f4", "b1a3"] {
        slow.server.skip(Duration::from_secs(1));
        given.push(moved(&slow.play(Color::White, mv).await?.0)?.1);
        slow.play(Color::Black, ["f6g8", "g8f6"][given.len() % 2]).await?;
    }
    ensure!(given == [300, 300, 300, 300, 300, 100, 100], "{given:?}");
    Ok(())
}
