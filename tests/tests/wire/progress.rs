//! Progress bars of long commands, which appear on a terminal only.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use quadrex_tests::program;
use quadrex_tests::terminal::Terminal;

/// The sequences that move the cursor or clear a line. Plain text has none of them.
const ESCAPE: char = '\u{1b}';

fn quadrex(arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(program::path()?);
    command.args(arguments).env("TERM", "xterm").env_remove("NO_COLOR").stdin(Stdio::null());
    // The program would refuse these test variables as unknown settings.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"QUADREX_"))
    {
        command.env_remove(name);
    }
    Ok(command)
}

/// Runs a command with standard error on a terminal. Returns its standard output, and the output on
/// the terminal.
fn on_terminal(mut command: Command) -> Result<(Output, String)> {
    let terminal = Terminal::open()?;
    let child =
        command.stdout(Stdio::piped()).stderr(terminal.line()?).spawn().context("starting quadrex")?;
    // The command holds a copy of the terminal, which would never report the end while the copy is
    // open.
    drop(command);
    let screen = std::thread::spawn(move || terminal.read_to_end());
    let output = child.wait_with_output()?;
    let screen = screen.join().map_err(|_| anyhow!("the reader of the terminal panicked"))??;
    Ok((output, screen))
}

/// Runs a command with and without a terminal. Standard output and the last line of standard error
/// must be equal, and only the terminal shows a bar with these `words`. Returns standard output.
fn has_bar(command: impl Fn() -> Result<Command>, words: &[&str]) -> Result<String> {
    let plain = command()?.output()?;
    let stderr = String::from_utf8(plain.stderr)?;
    ensure!(plain.status.success(), "{stderr}");
    ensure!(!stderr.contains([ESCAPE, '\r']), "a bar without a terminal: {stderr:?}");
    let (shown, screen) = on_terminal(command()?)?;
    ensure!(shown.status.success() && shown.stdout == plain.stdout, "{screen:?}");
    for word in words {
        ensure!(screen.contains(word), "no {word:?} on the terminal: {screen:?}");
    }
    ensure!(screen.contains(ESCAPE), "nothing was cleared: {screen:?}");
    let last = |text: &str| text.trim_end().lines().last().unwrap_or_default().to_owned();
    let rest = last(&screen).rsplit([ESCAPE, '\r']).next().unwrap_or_default().to_owned();
    let expected = last(&stderr);
    ensure!(rest.ends_with(&expected), "{rest:?} is not {expected:?}");
    Ok(String::from_utf8(plain.stdout)?)
}

fn games() -> String {
    program::root().join("tests/games/own.pgn").display().to_string()
}

#[test]
fn convert_shows_a_progress_bar_only_on_a_terminal() -> Result<()> {
    let games = games();
    let file = || quadrex(&["convert", &games]);
    let records = has_bar(file, &["games", "] ", "KiB", "/s", " left"])?;
    ensure!(records.lines().count() > 3);
    // The length of a pipe is unknown.
    let pipe = || {
        let mut command = quadrex(&["convert", "-"])?;
        command.stdin(std::fs::File::open(&games)?);
        Ok(command)
    };
    ensure!(has_bar(pipe, &["games", "KiB", "/s"])? == records);
    Ok(())
}

#[test]
fn verify_shows_a_progress_bar_only_on_a_terminal() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let records = folder.path().join("records.jsonl");
    let records = records.to_str().context("a name in UTF-8")?;
    ensure!(quadrex(&["convert", &games(), records])?.status()?.success());
    let lines = has_bar(|| quadrex(&["verify", records]), &["records", "] ", "KiB", "/s", " left"])?;
    ensure!(lines.lines().count() > 3 && lines.lines().all(|line| line.starts_with("ok ")), "{lines}");
    Ok(())
}

/// Starts a server until it listens and kills it. Returns what it wrote to standard error.
fn started(data: &Path, is_terminal: bool) -> Result<String> {
    use std::io::{BufRead, BufReader, Read};

    let data = data.to_str().context("a name in UTF-8")?;
    let mut command = quadrex(&["serve", "--bind", "127.0.0.1:0", "--data", data])?;
    let terminal = Terminal::open()?;
    let stderr = if is_terminal { terminal.line()? } else { Stdio::piped() };
    let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().context("starting quadrex")?;
    drop(command);
    let mut line = String::new();
    BufReader::new(child.stdout.take().context("its output")?).read_line(&mut line)?;
    child.kill()?;
    child.wait()?;
    ensure!(line.starts_with("Quadrex listens on "), "{line:?}");
    let mut text = String::new();
    match child.stderr.take() {
        Some(mut stderr) => drop(stderr.read_to_string(&mut text)?),
        None => text = terminal.read_to_end()?,
    }
    Ok(text)
}

/// Migrations at the start take long in a large database.
#[test]
fn migrations_show_a_progress_bar_only_on_a_terminal() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (seen, unseen) = (folder.path().join("seen"), folder.path().join("unseen"));
    let plain = started(&unseen, false)?;
    ensure!(!plain.contains([ESCAPE, '\r']), "a bar without a terminal: {plain:?}");
    let screen = started(&seen, true)?;
    for word in ["migration 0001_", "migration 0002_", "] 0/", "] 1/", " left"] {
        ensure!(screen.contains(word), "no {word:?} on the terminal: {screen:?}");
    }
    let again = started(&seen, true)?;
    ensure!(!again.contains("migration 0"), "nothing was left to migrate: {again:?}");
    Ok(())
}

#[test]
fn backup_shows_a_progress_bar_only_on_a_terminal() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    started(&data, false)?;
    let data = data.to_str().context("a name in UTF-8")?;
    let copy = folder.path().join("copy");
    let copy = copy.to_str().context("a name in UTF-8")?;
    let backup = || {
        // A backup never overwrites a file.
        if Path::new(copy).exists() {
            std::fs::remove_file(copy)?;
        }
        quadrex(&["backup", "--data", data, "--to", copy])
    };
    let said = has_bar(backup, &["backup", "] ", "KiB", "/s", " left"])?;
    ensure!(said.contains("bytes in "), "{said}");
    Ok(())
}
