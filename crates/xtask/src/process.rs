//! Running other programs.

use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::process::{self, Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// Formats a command as a user would type it: the program's name and the arguments, without folders
/// and environment.
pub(crate) fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

/// Runs a command with this process's standard input and output until it exits.
///
/// # Errors
/// Returns an error if the command cannot be started, or exits with a status other than 0.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("starting {}", line(command)))?;
    checked(status, command)
}

/// Returns the standard output of a command. Its standard error goes to this process's.
///
/// # Errors
/// Returns an error if the command cannot be started, exits with a status other than 0, or writes
/// invalid UTF-8.
pub(crate) fn stdout_of(command: &mut Command) -> Result<String> {
    command.stderr(Stdio::inherit());
    let output = command.output().with_context(|| format!("starting {}", line(command)))?;
    checked(output.status, command)?;
    String::from_utf8(output.stdout).with_context(|| format!("reading what {} wrote", line(command)))
}

/// Runs a command and calls `watch` for each line of its standard output. Returns the whole output,
/// and the standard error if it is piped. The caller checks the status.
///
/// # Errors
/// Returns an error if the command cannot be started, or its output cannot be read.
pub(crate) fn watch(command: &mut Command, mut watch: impl FnMut(&str)) -> Result<process::Output> {
    let name = line(command);
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("starting {name}"))?;
    let errors = child.stderr.take().map(|mut stream| {
        std::thread::spawn(move || {
            let mut errors = Vec::new();
            stream.read_to_end(&mut errors).map(|_| errors)
        })
    });
    let mut output = BufReader::new(child.stdout.take().context("its output is piped")?);
    let (mut text, mut start) = (Vec::new(), 0);
    while output.read_until(b'\n', &mut text).with_context(|| format!("reading from {name}"))? > 0 {
        watch(String::from_utf8_lossy(&text[start..]).trim_end_matches(['\r', '\n']));
        start = text.len();
    }
    let status = child.wait().with_context(|| format!("waiting for {name}"))?;
    let stderr = match errors {
        Some(errors) => errors.join().expect("reading does not panic")?,
        None => Vec::new(),
    };
    Ok(process::Output { status, stdout: text, stderr })
}

/// Checks that a command exited with status 0.
///
/// # Errors
/// Returns an error with the command and its status if the status is not 0.
pub(crate) fn checked(status: ExitStatus, command: &Command) -> Result<()> {
    if !status.success() {
        bail!("{} ended with {status}", line(command));
    }
    Ok(())
}

/// Replaces this process by a program. The program then receives signals such as Ctrl-C, and its
/// status is the status of this command.
///
/// # Errors
/// Returns an error if the program cannot be started.
#[cfg(unix)]
pub(crate) fn replace_by(command: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(error).with_context(|| format!("starting {}", line(command)))
}

/// Runs a program and ends this process with its status.
///
/// # Errors
/// Returns an error if the program cannot be started.
#[cfg(not(unix))]
pub(crate) fn replace_by(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("starting {}", line(command)))?;
    process::exit(status.code().unwrap_or(1))
}

/// The status of a command, and the lines of both output streams in order.
#[derive(Debug)]
pub(crate) struct Output {
    pub status: ExitStatus,
    pub text: String,
}

/// Runs a command, prints its output line by line, and returns a copy. If standard output is a
/// terminal, the command is asked for colors.
///
/// # Errors
/// Returns an error if the command cannot be started, or its output cannot be read. The caller
/// checks the status.
pub(crate) fn run_printed(mut command: Command) -> Result<Output> {
    let name = line(&command);
    let (reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always").env("FORCE_COLOR", "1");
    }
    let mut child = command.spawn().with_context(|| format!("starting {name}"))?;
    // The command holds copies of the pipe's writing end. While they are open, the reader would
    // never see the end.
    drop(command);

    let mut text = String::new();
    let mut reader = BufReader::new(reader);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes).with_context(|| format!("reading from {name}"))? > 0 {
        std::io::stdout().write_all(&bytes)?;
        text.push_str(&String::from_utf8_lossy(&bytes));
        bytes.clear();
    }
    let status = child.wait().with_context(|| format!("waiting for {name}"))?;
    Ok(Output { status, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn the_error_for_a_failing_command_contains_the_command_and_status() {
        let error = run(&mut shell("exit 3")).unwrap_err().to_string();
        assert_eq!(error, "sh -c 'exit 3' ended with exit status: 3");
    }

    #[test]
    fn the_error_for_a_missing_program_contains_its_name() {
        let error = run(&mut Command::new("no-such-program-here")).unwrap_err().to_string();
        assert_eq!(error, "starting no-such-program-here");
    }

    #[test]
    fn each_line_of_output_is_reported_as_it_is_written() {
        let mut lines = Vec::new();
        let mut command = shell("echo one; echo error >&2; printf 'two\\r\\n\\nrest'; exit 5");
        let output = watch(command.stderr(Stdio::piped()), |line| lines.push(line.to_owned())).unwrap();
        assert_eq!(lines, ["one", "two", "", "rest"]);
        assert_eq!(output.status.code(), Some(5));
        assert_eq!(
            (output.stdout.as_slice(), output.stderr.as_slice()),
            (&b"one\ntwo\r\n\nrest"[..], &b"error\n"[..])
        );
    }

    #[test]
    fn both_streams_are_returned_with_the_status() {
        let output = run_printed(shell("echo out; echo err >&2; exit 4")).unwrap();
        assert_eq!(output.status.code(), Some(4));
        assert_eq!(output.text, "out\nerr\n");
    }
}
