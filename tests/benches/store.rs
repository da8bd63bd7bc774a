//! Measures appends to the logs of many matches at once, committed one by one and in groups, on
//! both databases. `cargo xtask bench store` runs it. Prints one JSON object per line for each
//! measurement.

#![expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use futures_util::future::try_join_all;
use quadrex_clock::Entropy;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{Event, MatchId, TableId};
use quadrex_rules::{Color, Timestamp};
use quadrex_store::{
    Append, Author, CommitGrouping, Epoch, Location, LotKey, NewTable, SecretHash, Store, User,
};
use quadrex_tests::Postgres;
use serde_json::json;
use tempfile::TempDir;

/// The duration of a measurement. The warm-up before it is as long.
const LASTS: Duration = Duration::from_millis(1_000);

/// The numbers of matches that are written at the same time.
const MATCHES: [usize; 3] = [1, 16, 256];

/// The number of readers, and of connections to Postgres that do not append.
const CONNECTIONS: u32 = 8;

/// The ways to commit appends. Committing one by one uses as many Postgres connections as a pool
/// has.
const WAYS: [(&str, CommitGrouping); 2] =
    [("one by one", CommitGrouping { connections: CONNECTIONS, max_events: 1 }), ("grouped", GROUPED)];

/// The grouping that the server uses by default.
const GROUPED: CommitGrouping = CommitGrouping { connections: 2, max_events: 1024 };

fn main() -> Result<()> {
    // `cargo test` starts benchmarks without `--bench`, and there is no test here.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    assert!(GROUPED == CommitGrouping::default(), "the server's default is another one by now");
    let folder = TempDir::new()?;
    let sqlite = Location::Sqlite(folder.path().join("quadrex.db"));
    let server = Postgres::start()?;
    let postgres = Location::parse(&server.url(), Path::new("unused"))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        for (database, location) in [("sqlite", sqlite), ("postgres", postgres)] {
            let mut stores = Vec::new();
            for (way, grouping) in WAYS {
                stores.push((way, Store::connect_with(&location, CONNECTIONS, grouping).await?));
            }
            for matches in MATCHES {
                for (way, store) in &stores {
                    let name = format!("{database}, {matches} matches, {way}");
                    measure(store, &name, matches).await.with_context(|| name.clone())?;
                }
            }
            for (_, store) in stores {
                store.close().await;
            }
        }
        Ok(())
    })
}

/// Measures this number of owners. Each appends moves to its own match, one after another, as soon
/// as the previous move is durable.
async fn measure(store: &Store, name: &str, matches: usize) -> Result<()> {
    let owners = open(store, matches).await?;
    let begin = Instant::now() + LASTS;
    let owners = owners.into_iter().map(|append| {
        let store = store.clone();
        let owner = async move { own(&store, append, begin).await };
        async { tokio::spawn(owner).await? }
    });
    let mut took: Vec<_> = try_join_all(owners).await?.into_iter().flatten().collect();
    took.sort_unstable();
    let quantile = |share: f64| {
        let index = (took.len() as f64 * share) as usize;
        took.get(index.min(took.len().saturating_sub(1))).map(|took| took.as_secs_f64() * 1e3)
    };
    let figures = json!({
        "name": name,
        "rows_per_s": took.len() as f64 / LASTS.as_secs_f64(),
        "p50_ms": quantile(0.50),
        "p99_ms": quantile(0.99),
    });
    let mut out = std::io::stdout().lock();
    writeln!(out, "{figures}")?;
    Ok(out.flush()?)
}

/// Appends until the measurement ends. Returns the duration of each append that ended during the
/// measurement.
async fn own(store: &Store, mut append: Append, begin: Instant) -> Result<Vec<Duration>> {
    let mut took = Vec::new();
    loop {
        if let Some(author) = &mut append.by {
            author.command_id = format!("m-{}", append.head_seq).parse()?;
        }
        let asked = Instant::now();
        append.head_seq = store.append(&append).await?;
        let ended = Instant::now();
        if ended > begin + LASTS {
            return Ok(took);
        }
        if ended > begin {
            took.push(ended - asked);
        }
    }
}

/// Creates tables with a new host. Returns the next append to each match.
async fn open(store: &Store, matches: usize) -> Result<Vec<Append>> {
    let (entropy, at) = (Entropy::system(), Timestamp::from_millis(1_790_000_000_000));
    let host = User {
        id: quadrex_protocol::UserId(entropy.uuid(at)),
        name: "Quiet Otter".to_owned(),
        created_at: at,
        account: false,
        bot: None,
    };
    store.add_user(&host).await?;
    let moved =
        Event::Moved { color: Color::Red, mv: "h2h4".parse()?, left_ms: Some(59_000), away_ms: 0, lag_ms: 0 };
    let tables = (0..matches).map(|_| {
        let new = NewTable {
            table: TableId(entropy.uuid(at)),
            match_id: MatchId(entropy.uuid(at)),
            host: host.id,
            privacy: Privacy::Public,
            lot_key: LotKey(entropy.bytes()),
            at,
            events: vec![moved.clone()],
            holders: Vec::new(),
        };
        let by = Author {
            user: host.id,
            command_id: "m".parse().expect("it is a name"),
            redeem: None::<SecretHash>,
        };
        let append = Append {
            match_id: new.match_id,
            epoch: Epoch::FIRST,
            head_seq: 1,
            at,
            events: vec![moved.clone()],
            holders: None,
            by: Some(by),
            next: None,
        };
        async move { store.open_table(&new).await.map(|_| append) }
    });
    Ok(try_join_all(tables).await?)
}
