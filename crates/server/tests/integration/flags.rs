//! The precision of flags while the server is busy.

use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::settings::{Privacy, TimeSetting};

use crate::fixture::{Fixture, match_of, mv, send, sit};

/// The number of tables whose flags fall.
const TABLES: usize = 40;

/// The time of each player, in milliseconds.
const BASE_MS: u64 = 400;

/// Forty flags fall while the players of another table move as fast as the store commits. The test
/// prints the delays (shown with `--no-capture`). It asserts only that no flag falls early or
/// never, because the machine may be busy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flags_fall_while_the_server_is_busy() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let busy = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    send(&busy, &ben, "sit", sit()).await;
    let load = tokio::spawn({
        let (ann, ben) = (ann.clone(), ben.clone());
        async move {
            for at in 4_u64.. {
                // The knights move out and back. After the match is drawn, the refused moves are
                // the load.
                let text = ["g1f3", "g8f6", "f3g1", "f6g8"][usize::try_from(at % 4).unwrap()];
                let by = if at % 2 == 0 { &ann } else { &ben };
                send(&busy, by, &format!("m{at}"), mv(at, text)).await;
            }
        }
    });
    let time = TimeSetting::Fischer { base_ms: BASE_MS, increment_ms: 0 };
    let mut late = Vec::new();
    for _ in 0..TABLES {
        let table = fixture.table(&ann, Privacy::Public, time).await;
        send(&table, &ben, "sit", sit()).await;
        send(&table, &ann, "a", mv(4, "e2e4")).await;
        send(&table, &ben, "b", mv(5, "e7e5")).await;
        late.push(table);
    }
    let mut errors = Vec::new();
    for table in late {
        let log = loop {
            let log = fixture.store.events(match_of(&table), 5).await.unwrap();
            if log.len() > 1 {
                break log;
            }
            tokio::task::yield_now().await;
        };
        assert!(matches!(log[1].event, Event::Ended { .. }), "{:?}", log[1]);
        let took = log[1].at.since(log[0].at);
        assert!(took >= Duration::from_millis(BASE_MS), "the flag fell early, after {took:?}");
        errors.push(took - Duration::from_millis(BASE_MS));
    }
    load.abort();
    errors.sort();
    println!(
        "{TABLES} flags under load: median {:?}, 95 % {:?}, the latest {:?} late",
        errors[TABLES / 2],
        errors[TABLES * 95 / 100],
        errors[TABLES - 1]
    );
}
