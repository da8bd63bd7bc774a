//! Tests of the store on a SQLite file.

use std::fs;
use std::path::Path;

use quadrex_store::{Location, Store};
use tempfile::TempDir;

use crate::run_conformance_tests;
use crate::test_store::{TestStore, numbers};

async fn refusal(file: &Path) -> String {
    let location = Location::Sqlite(file.to_owned());
    let refusal = Store::connect(&location, 2).await.expect_err("it opened").to_string();
    assert!(!refusal.contains('\n'), "{refusal}");
    refusal
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_passes_the_conformance_tests() {
    let folder = TempDir::new().unwrap();
    run_conformance_tests(async |number| {
        let file = folder.path().join("made").join(number.to_string()).join("quadrex.db");
        TestStore::open(Location::Sqlite(file)).await
    })
    .await;
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_refused_and_unchanged() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("quadrex.db");
    let text = "this is not a database, but a text of some length ".repeat(100);
    fs::write(&file, &text).unwrap();
    assert_eq!(refusal(&file).await, format!("sqlite {} is broken: file is not a database", file.display()));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

/// Simulates a damaged disk: pages of the log's table, in the middle of a real database, have a
/// wrong content.
#[tokio::test]
async fn a_damaged_database_is_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("quadrex.db");
    let test = TestStore::open(Location::Sqlite(file.clone())).await;
    for _ in 0..50 {
        test.table().await;
    }
    test.store.close().await;
    let whole = fs::read(&file).unwrap();

    let mut damaged = whole.clone();
    let page = damaged.len() / 2 / 4096 * 4096;
    damaged[page..page + 4096].fill(0xa5);
    fs::write(&file, &damaged).unwrap();
    let text = refusal(&file).await;
    assert!(text.starts_with(&format!("sqlite {} is broken: ", file.display())), "{text}");

    fs::write(&file, &whole[..page]).unwrap();
    let text = refusal(&file).await;
    assert!(text.starts_with(&format!("sqlite {} is broken: ", file.display())), "{text}");

    fs::write(&file, &whole).unwrap();
    let again = TestStore::open(Location::Sqlite(file)).await;
    assert_eq!(again.store.unfinished().await.unwrap().len(), 50);
}

#[tokio::test]
async fn a_path_where_no_file_can_be_created_is_refused() {
    let folder = TempDir::new().unwrap();
    let text = refusal(folder.path()).await;
    assert_eq!(
        text,
        format!("sqlite {} cannot be opened: unable to open database file", folder.path().display())
    );
    fs::write(folder.path().join("file"), "").unwrap();
    let text = refusal(&folder.path().join("file/quadrex.db")).await;
    assert!(text.starts_with("the folder for sqlite "), "{text}");
}

/// Two programs use one file. The second waits for the lock of the first, and then sees its rows.
#[tokio::test(flavor = "multi_thread")]
async fn two_stores_on_one_file_see_each_others_writes() {
    let folder = TempDir::new().unwrap();
    let location = Location::Sqlite(folder.path().join("quadrex.db"));
    let (first, second) = (TestStore::open(location.clone()).await, TestStore::open(location).await);
    let test_table = first.table().await;
    second.store.append(&test_table.command(&test_table.host, "m-1")).await.unwrap();
    assert_eq!(numbers(&first.store, test_table.match_id).await, [1, 2, 3]);
}
