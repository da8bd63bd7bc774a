//! The start of the server, reasons to refuse it, and its shutdown.

use std::net::TcpListener;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::ServerFrame;
use quadrex_rules::Variant;
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::server::Ended;
use quadrex_tests::{Database, Launch, Received};

/// Checks that a program exited with status 1 and wrote one line with these words.
fn check_one_line_error(ended: &Ended, words: &[&str]) -> Result<()> {
    ensure!(ended.status.code() == Some(1), "{ended:?}");
    ensure!(ended.stderr.lines().count() == 1, "not one line: {}", ended.stderr);
    ensure!(ended.stdout.is_empty(), "it wrote {} nevertheless", ended.stdout);
    for word in words {
        ensure!(ended.stderr.contains(word), "{word:?} is not in {:?}", ended.stderr);
    }
    Ok(())
}

fn sqlite() -> Result<Launch> {
    Launch::new(&Database::Sqlite)
}

#[tokio::test]
async fn a_file_that_is_not_a_database_is_reported_on_one_line() -> Result<()> {
    let launch = sqlite()?;
    std::fs::create_dir_all(launch.data())?;
    let file = launch.data().join("quadrex.db");
    std::fs::write(&file, "this is a letter to a friend, not a database\n".repeat(400))?;
    let name = file.to_string_lossy().into_owned();
    check_one_line_error(&launch.run().await?, &[&name])?;
    check_one_line_error(&launch.with_argument("--check").run().await?, &[&name])
}

/// SQLite accepts an empty file as a new database, but here the database has been lost.
#[tokio::test]
async fn an_empty_database_file_is_refused() -> Result<()> {
    let launch = sqlite()?;
    std::fs::create_dir_all(launch.data())?;
    let file = launch.data().join("quadrex.db");
    std::fs::write(&file, "")?;
    for launch in [launch.clone(), launch.clone().with_argument("--check")] {
        check_one_line_error(&launch.run().await?, &[&file.to_string_lossy(), "the file is empty"])?;
    }
    ensure!(std::fs::metadata(&file)?.len() == 0, "the file was changed");
    std::fs::remove_file(&file)?;
    launch.start().await?;
    Ok(())
}

#[tokio::test]
async fn a_truncated_database_file_is_reported_on_one_line() -> Result<()> {
    let launch = sqlite()?;
    let mut server = launch.start().await?;
    Contest::start(&server, &plain(Variant::Classic)).await?;
    server.terminate().await?;
    server.ended().await?;
    let file = launch.data().join("quadrex.db");
    let whole = std::fs::read(&file)?;
    std::fs::write(&file, &whole[..whole.len() / 2])?;
    check_one_line_error(&launch.run().await?, &["quadrex.db"])
}

#[tokio::test]
async fn a_data_folder_that_cannot_be_created_is_reported_on_one_line() -> Result<()> {
    let launch = sqlite()?;
    std::fs::write(launch.data(), "a file where the folder should be")?;
    check_one_line_error(&launch.run().await?, &["data"])
}

#[tokio::test]
async fn an_unreachable_database_is_reported_on_one_line() -> Result<()> {
    // This port was free a moment ago, so nothing listens there.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let url = format!("postgres://quadrex:swordfish@127.0.0.1:{port}/quadrex");
    let launch = sqlite()?.with_env("DATABASE_URL", url);
    for launch in [launch.clone(), launch.with_argument("--check")] {
        let ended = launch.run().await?;
        check_one_line_error(&ended, &[&format!("127.0.0.1:{port}")])?;
        ensure!(!ended.stderr.contains("swordfish"), "the password is logged: {}", ended.stderr);
    }
    Ok(())
}

#[tokio::test]
async fn a_port_in_use_is_reported_on_one_line() -> Result<()> {
    let taken = TcpListener::bind("127.0.0.1:0")?;
    let address = taken.local_addr()?;
    check_one_line_error(&sqlite()?.bound_to(address).run().await?, &[&address.to_string()])
}

#[tokio::test]
async fn an_unknown_setting_is_reported_on_one_line() -> Result<()> {
    check_one_line_error(&sqlite()?.with_env("QUADREX_SERVER__BNID", "x").run().await?, &["bnid"])?;
    check_one_line_error(&sqlite()?.with_env("QUADREX_SREVER__BIND", "x").run().await?, &["srever"])?;
    let texts = [
        ("[server]\nbnid = \"127.0.0.1:0\"\n", "bnid"),
        ("[srever]\n", "srever"),
        ("[log]\nformat = \"yaml\"\n", "format"),
        ("[server\n", "line 1"),
    ];
    for (text, word) in texts {
        let launch = sqlite()?;
        let file = launch.sibling_path("quadrex.toml");
        std::fs::write(&file, text)?;
        let path = file.to_string_lossy().into_owned();
        let launch = launch.with_argument("--config").with_argument(path.clone());
        check_one_line_error(&launch.run().await?, &[word]).with_context(|| text.to_owned())?;
        check_one_line_error(&launch.with_argument("--check").run().await?, &[word])?;
    }
    let launch = sqlite()?.with_argument("--config").with_argument("/nowhere/quadrex.toml");
    check_one_line_error(&launch.run().await?, &["/nowhere/quadrex.toml"])
}

#[tokio::test]
async fn a_setting_out_of_range_is_reported_on_one_line() -> Result<()> {
    check_one_line_error(
        &sqlite()?.with_env("QUADREX_DATABASE__MAX_CONNECTIONS", "many").run().await?,
        &["max_connections"],
    )?;
    check_one_line_error(
        &sqlite()?.with_env("QUADREX_SERVER__PUBLIC_URL", "nonsense").run().await?,
        &["public_url"],
    )
}

async fn checked(database: &Database) -> Result<()> {
    let ended = Launch::new(database)?.with_argument("--check").run().await?;
    ensure!(ended.status.success(), "{ended:?}");
    ensure!(ended.stdout.trim_end().ends_with("ok"), "{ended:?}");
    Ok(())
}

#[tokio::test]
async fn a_check_of_valid_settings_prints_ok() -> Result<()> {
    checked(&Database::Sqlite).await
}

#[tokio::test]
async fn a_check_of_valid_settings_on_postgres_prints_ok() -> Result<()> {
    checked(&Database::postgres().await?).await
}

#[tokio::test]
async fn the_second_line_of_output_is_the_location_of_the_data() -> Result<()> {
    let launch = sqlite()?;
    let server = launch.start().await?;
    let file = launch.data().join("quadrex.db");
    ensure!(server.data_line() == format!("Data: sqlite {}", file.display()), "{}", server.data_line());
    ensure!(file.is_file());
    let postgres = Launch::new(&Database::postgres().await?)?.start().await?;
    ensure!(postgres.data_line().starts_with("Data: postgres "), "{}", postgres.data_line());
    Ok(())
}

/// SIGTERM: clients are notified, the match is stored, and it continues after a start on the same
/// data.
async fn stopped_and_started(database: &Database) -> Result<()> {
    let launch = Launch::new(database)?;
    let mut server = launch.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    contest.play("e2e4".parse()?).await?;
    server.terminate().await?;
    for client in contest.everybody() {
        let retry = client.find("the goodbye", |frame| match frame {
            ServerFrame::Closing { retry_after_ms, open_for_ms: None } => Some(retry_after_ms),
            _ => None,
        });
        ensure!(retry.await? > 0);
        let after = client.receive().await?;
        ensure!(after == Received::Closed(1012), "{after:?}");
    }
    let ended = server.ended().await?;
    ensure!(ended.status.success(), "{ended:?}");
    let server = launch.start().await?;
    for client in contest.everybody() {
        client.reconnect(server.address()).await?;
    }
    contest.play("e7e5".parse()?).await?;
    Ok(())
}

#[tokio::test]
async fn a_stopped_server_on_sqlite_notifies_clients_and_loses_no_command() -> Result<()> {
    stopped_and_started(&Database::Sqlite).await
}

#[tokio::test]
async fn a_stopped_server_on_postgres_notifies_clients_and_loses_no_command() -> Result<()> {
    stopped_and_started(&Database::postgres().await?).await
}
