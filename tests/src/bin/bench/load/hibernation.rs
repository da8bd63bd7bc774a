//! Many hibernating matches: the memory and the start of a server that has them, and the time until
//! one of them is shown.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{CommandId, Event, LotKey, TableId};
use quadrex_rules::{Timestamp, Variant};
use quadrex_table::{
    Action, Invitation, MatchTerms, PlayerCommand, TableIdentity, TableState, legal_moves, seat_holders,
    validate_settings,
};
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::rng::Rng;
use quadrex_tests::swarm;
use quadrex_tests::{Database, Guest, Launch};
use sqlx::{Connection, SqliteConnection, SqliteTransaction};

use super::process::Usage;
use super::{SERVER_CORE, add_latencies};
use crate::figures::Figures;

/// The number of tables that are shown, by each of the two requests.
const SHOWN: usize = 1_000;

/// The number of matches in a transaction.
const BATCH: usize = 10_000;

/// The number of moves of each match.
const PLIES: usize = 12;

/// One of this number of matches is public, and the lobby lists it.
const PUBLIC_SHARE: usize = 10;

/// Measures a server with this number of hibernating matches of two users.
///
/// # Errors
/// If the matches cannot be written, or a request fails.
pub(super) async fn measure(count: usize, figures: &mut Figures) -> Result<()> {
    let launch = without_rate_limits(Launch::new(&Database::Sqlite)?)
        .on_core(SERVER_CORE)
        .with_env("QUADREX_LOG__FILTER", "warn");
    let mut server = launch.start().await?;
    let guests = [server.guest("Ann").await?, server.guest("Ben").await?];
    server.kill().await?;
    let since = swarm::now();
    let tables = write(&launch.data().join("quadrex.db"), &guests, count).await?;
    println!("  {count} matches written in {:.0?}", since.elapsed());

    let since = swarm::now();
    let server = launch.start().await?;
    let name = format!("{count} hibernating");
    figures.add(&format!("{name}: start"), since.elapsed().as_secs_f64(), "s");
    let process = server.process()?;
    figures.add(&format!("{name}: resident"), Usage::of(process)?.resident_kib as f64 / 1024.0, "MiB");

    let mut rng = Rng::new(1);
    let http = server.http().as_guest(&guests[0]);
    let mut times = Vec::new();
    for _ in 0..SHOWN {
        let table = tables[rng.index(tables.len())];
        let since = swarm::now();
        let page = http.get(&format!("/api/tables/{table}")).await?;
        times.push(since.elapsed());
        anyhow::ensure!(page.status == 200, "{page:?}");
    }
    add_latencies(&format!("{name}: GET of a table"), summary(&mut times), figures);
    let mut client = server.connect(&guests[1]).await?;
    let mut times = Vec::new();
    for _ in 0..SHOWN {
        let table = tables[rng.index(tables.len())];
        let since = swarm::now();
        client.watch(table).await?;
        times.push(since.elapsed());
    }
    add_latencies(&format!("{name}: watch of a table"), summary(&mut times), figures);
    let usage = Usage::of(process)?;
    figures.add(&format!("{name}: resident after that"), usage.resident_kib as f64 / 1024.0, "MiB");
    Ok(())
}

fn summary(times: &mut [Duration]) -> swarm::LatencySummary {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    swarm::LatencySummary {
        count: times.len() as u64,
        p50: at(0.5),
        p99: at(0.99),
        p999: at(0.999),
        longest: at(1.0),
    }
}

/// Writes matches into the database of a server that does not run.
async fn write(file: &Path, guests: &[Guest; 2], count: usize) -> Result<Vec<TableId>> {
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", file.display())).await?;
    sqlx::raw_sql("pragma synchronous = off").execute(&mut connection).await?;
    let users = [guests[0].user.clone(), guests[1].user.clone()];
    let now = Timestamp::from_millis(now_ms()?);
    let mut rng = Rng::new(7);
    let mut tables = Vec::with_capacity(count);
    let numbers: Vec<usize> = (0..count).collect();
    for batch in numbers.chunks(BATCH) {
        let mut transaction = connection.begin_with("begin immediate").await?;
        for &number in batch {
            let generated = Generated::new(number, &users, now, &mut rng)?;
            generated.write(&mut transaction).await?;
            tables.push(generated.identity.table);
        }
        transaction.commit().await?;
    }
    sqlx::raw_sql("pragma wal_checkpoint(truncate); analyze").execute(&mut connection).await?;
    connection.close().await?;
    Ok(tables)
}

fn now_ms() -> Result<u64> {
    #[expect(clippy::disallowed_methods, reason = "the generated matches must be of today")]
    let now = std::time::SystemTime::now();
    Ok(u64::try_from(now.duration_since(std::time::UNIX_EPOCH)?.as_millis())?)
}

/// A generated match.
struct Generated {
    identity: TableIdentity,
    state: TableState,
    events: Vec<(Option<UserView>, Event)>,
    at: Timestamp,
}

impl Generated {
    fn new(number: usize, users: &[UserView; 2], at: Timestamp, rng: &mut Rng) -> Result<Self> {
        let id = |kind: u64| {
            let time = u128::from(at.as_millis()) << 80;
            let rest = (0x7000_u128 << 64) | (0x8_u128 << 60) | u128::from(number as u64 * 2 + kind);
            format!("{:032x}", time | rest)
        };
        let identity =
            TableIdentity { table: id(0).parse()?, match_id: id(1).parse()?, lot_key: LotKey([3; 32]) };
        let privacy = if number.is_multiple_of(PUBLIC_SHARE) { Privacy::Public } else { Privacy::Private };
        let settings = validate_settings(CreateTable {
            time: Some(TimeSetting::Correspondence { days: 3 }),
            ..CreateTable::plain(Variant::Classic, privacy)
        })?;
        let terms = MatchTerms::new(settings, users[0].clone())?;
        let opened = terms.opened_event(identity.lot_key.secret(identity.match_id).commitment());
        let state = TableState::open(identity, terms, at)?;
        let mut generated = Self { identity, state, events: vec![(None, opened)], at };
        for user in users {
            let nonce: Nonce = "n".parse().context("a nonce")?;
            let invite = Some(Invitation { seat: None });
            generated.act(user, Action::Sit { seat: None, invite, nonce, rating: None })?;
        }
        for _ in 0..PLIES {
            let Some((color, moves)) = legal_moves(&generated.state) else { break };
            let player = generated.state.holder(color).context("the seat is held")?.clone();
            let mv = moves[rng.index(moves.len())];
            let after = generated.state.head();
            generated.act(&player, Action::Move { after, mv, claim_draw: false })?;
        }
        Ok(generated)
    }

    fn act(&mut self, by: &UserView, action: Action) -> Result<()> {
        let command = PlayerCommand { by: by.clone(), seat: None, action };
        let events = self.state.decide_player_command(&command, self.at)?;
        for event in events {
            self.state.apply(&event, self.at);
            self.events.push((Some(by.clone()), event));
        }
        Ok(())
    }

    async fn write(&self, transaction: &mut SqliteTransaction<'_>) -> Result<()> {
        let TableIdentity { table, match_id, lot_key } = self.identity;
        let (table, match_id) = (table.0.as_bytes().as_slice(), match_id.0.as_bytes().as_slice());
        let at = self.at.as_millis() as i64;
        let settings = &self.state.terms().settings;
        let is_public = settings.privacy == Privacy::Public;
        let host = self.state.host().id;
        sqlx::query("insert into tables (id, host, privacy, created_at_ms, lot_key) values (?, ?, ?, ?, ?)")
            .bind(table)
            .bind(host.0.as_bytes().as_slice())
            .bind(if is_public { "public" } else { "private" })
            .bind(at)
            .bind(&lot_key.0[..])
            .execute(&mut **transaction)
            .await?;
        let wake_at = self.state.next_deadline().map(|deadline| deadline.at.as_millis() as i64);
        sqlx::query(
            "insert into matches (id, table_id, number, epoch, head_seq, status, created_at_ms,
                                  hibernated_epoch, hibernated_at_ms, wake_at_ms, listed_players)
             values (?, ?, 1, 1, ?, 'running', ?, 1, ?, ?, ?)",
        )
        .bind(match_id)
        .bind(table)
        .bind(self.events.len() as i64)
        .bind(at)
        .bind(at)
        .bind(wake_at)
        .bind(is_public.then_some(2))
        .execute(&mut **transaction)
        .await?;
        for (seq, (by, event)) in (1_i64..).zip(&self.events) {
            let by = by.as_ref().map(|user| user.id.0.as_bytes().to_vec());
            let cmd = by.as_ref().map(|_| format!("g{seq}").parse::<CommandId>()).transpose()?;
            sqlx::query(
                "insert into match_event (match_id, seq, epoch, at_ms, by_user, cmd, event)
                 values (?, ?, 1, ?, ?, ?, ?)",
            )
            .bind(match_id)
            .bind(seq)
            .bind(at)
            .bind(by)
            .bind(cmd.as_ref().map(CommandId::as_str))
            .bind(serde_json::to_string(event)?)
            .execute(&mut **transaction)
            .await?;
        }
        for (user, is_playing) in seat_holders(&self.state) {
            sqlx::query(
                "insert into seat_holders (match_id, user_id, variant, is_playing) values (?, ?, 'classic', ?)",
            )
            .bind(match_id)
            .bind(user.0.as_bytes().as_slice())
            .bind(is_playing)
            .execute(&mut **transaction)
            .await?;
        }
        // Without these rows, the server would archive all matches at its start.
        sqlx::query(
            "insert into archived_matches (match_id, phase, variant, is_public, started_at_ms, summary)
             values (?, 'running', 'classic', ?, ?, '{}')",
        )
        .bind(match_id)
        .bind(is_public)
        .bind(at)
        .execute(&mut **transaction)
        .await?;
        sqlx::query("insert into archived_names (match_id, name, started_at_ms) values (?, 'ann', ?)")
            .bind(match_id)
            .bind(at)
            .execute(&mut **transaction)
            .await?;
        Ok(())
    }
}
