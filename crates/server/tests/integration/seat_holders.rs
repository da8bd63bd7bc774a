//! The seat holders in the store: every process on the database knows which matches a user plays.

use quadrex_protocol::UserId;
use quadrex_protocol::http::{CreateTable, TableSummary};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::view::Phase;
use quadrex_rules::Variant;
use quadrex_store::SeatHolder;
use quadrex_table::Action;

use crate::fixture::{Fixture, match_of, mv, send, sit};
use crate::tables::{PAGE, done};

async fn tables_of(fixture: &Fixture, user: UserId) -> Vec<TableSummary> {
    let (tables, next) = fixture.lobby.tables_of(user, PAGE).await.unwrap();
    assert_eq!(next, None);
    tables
}

fn holder(user: UserId, is_playing: bool) -> SeatHolder {
    SeatHolder { user, variant: Variant::Classic, is_playing }
}

/// A process that runs no table lists the tables of a user as the process that runs them does, and
/// claims nothing. It also knows the variants that a user may not analyse.
#[tokio::test]
async fn a_process_without_actors_knows_the_matches_of_a_user() {
    let owner = Fixture::open().await;
    let (ann, ben) = (owner.user("Ann").await, owner.user("Ben").await);
    let hosted = CreateTable::plain(Variant::Dilkel, Privacy::Private);
    let hosted = owner.lobby.open(hosted, ann.clone(), Vec::new()).await.unwrap();
    let played = owner.table(&ann, Privacy::Public, TimeSetting::None).await;
    let match_id = match_of(&played);
    let other = owner.beside().await;
    assert_eq!(tables_of(&other, ann.id).await, tables_of(&owner, ann.id).await);
    assert!(!other.lobby.plays(ann.id, Variant::Classic).await.unwrap(), "the match has not started");

    let start = done(send(&played, &ben, "b1", sit()).await);
    for user in [&ann, &ben] {
        assert!(other.lobby.plays(user.id, Variant::Classic).await.unwrap());
        assert!(!other.lobby.plays(user.id, Variant::Dilkel).await.unwrap());
    }
    let listed = tables_of(&other, ann.id).await;
    assert_eq!(listed, tables_of(&owner, ann.id).await);
    let phases: Vec<_> = listed.iter().map(|table| (table.table, table.phase)).collect();
    assert_eq!(phases, [(played.table(), Phase::Running), (hosted.table(), Phase::Open)]);
    assert_eq!(tables_of(&other, ben.id).await, listed[..1]);

    // An actor that has only read the table does not learn of later events.
    let stale = other.find(played.table()).await;
    let head = done(send(&played, &ann, "a1", mv(start, "e2e4")).await);
    assert_eq!((stale.overview().head.seq, stale.overview().is_claimed), (head - 1, false));
    assert_eq!(tables_of(&other, ann.id).await[0].plies, 1);
    assert_eq!(tables_of(&other, ann.id).await, tables_of(&owner, ann.id).await);

    done(send(&played, &ann, "a2", Action::Resign).await);
    assert!(!other.lobby.plays(ann.id, Variant::Classic).await.unwrap());
    assert_eq!(tables_of(&other, ann.id).await, listed[1..]);
    assert_eq!(tables_of(&other, ben.id).await, []);
    let log = owner.store.events(match_id, 0).await.unwrap();
    assert!(log.iter().all(|logged| logged.epoch == quadrex_store::Epoch::FIRST), "the match was claimed");
}

/// The list has pages, in the order of the tables' creation.
#[tokio::test]
async fn the_tables_of_a_user_have_pages() {
    let owner = Fixture::open().await;
    let ann = owner.user("Ann").await;
    for _ in 0..5 {
        owner.table(&ann, Privacy::Private, TimeSetting::None).await;
    }
    let all = tables_of(&owner, ann.id).await;
    for fixture in [&owner, &owner.beside().await] {
        let mut page = quadrex_server::lobby::TablePage { before: None, limit: 2 };
        let mut listed = Vec::new();
        loop {
            let (tables, next) = fixture.lobby.tables_of(ann.id, page).await.unwrap();
            listed.extend(tables);
            let Some(next) = next else { break };
            page.before = Some(next);
        }
        assert_eq!(listed, all);
    }
}

/// The matches of a database of an older version get their seat holders when the server starts.
#[tokio::test]
async fn a_start_restores_the_seat_holders() {
    let fixture = Fixture::open().await;
    let (ann, ben) = (fixture.user("Ann").await, fixture.user("Ben").await);
    let table = fixture.table(&ann, Privacy::Public, TimeSetting::None).await;
    done(send(&table, &ben, "b1", sit()).await);
    let open = fixture.table(&ben, Privacy::Public, TimeSetting::None).await;
    let (running, open) = (match_of(&table), match_of(&open));
    let epoch = fixture.store.claim(running).await.unwrap().unwrap();
    fixture.store.repair_seat_holders(running, epoch, &[]).await.unwrap();
    let epoch = fixture.store.claim(open).await.unwrap().unwrap();
    fixture.store.repair_seat_holders(open, epoch, &[holder(ann.id, true)]).await.unwrap();

    let again = fixture.again().await;
    let mut expected = [holder(ann.id, true), holder(ben.id, true)];
    expected.sort_by_key(|holder| holder.user);
    assert_eq!(again.store.seat_holders(running).await.unwrap(), expected);
    assert_eq!(again.store.seat_holders(open).await.unwrap(), [holder(ben.id, false)]);
}
