//! One fuzz target and a run of it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use quadrex_progress::Progress;

use super::report::Row;
use super::{folder, make, package};
use crate::process::{self, Output};
use crate::test::now;

/// A fuzz target: a program in `tests/fuzz/targets` that reads one kind of input.
pub(crate) struct Target {
    /// The name of the target, of its folder of seeds, and of its dictionary.
    pub name: &'static str,
    /// The maximum length of an input in bytes. Longer inputs take more time and rarely find more.
    longest: u32,
}

/// All targets.
pub(crate) const TARGETS: [Target; 6] = [
    Target { name: "fen", longest: 256 },
    Target { name: "fen4", longest: 1024 },
    Target { name: "pgn", longest: 1024 },
    Target { name: "pgn4", longest: 1024 },
    Target { name: "uci", longest: 512 },
    Target { name: "frames", longest: 1024 },
];

/// The limits of a run.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// The number of executions, unless the time ends first.
    pub runs: u64,
    /// The maximum duration.
    pub seconds: Option<u32>,
    /// The seed of the random numbers.
    pub seed: u32,
}

impl Effort {
    /// Returns the progress of the run. It is hidden if the run is limited by time.
    fn progress(self, name: &str) -> Progress {
        if self.seconds.is_some() { Progress::hidden() } else { Progress::of_steps(self.runs, name) }
    }
}

/// The maximum duration of an execution, in seconds.
const TIMEOUT: u32 = 1;
/// The interval between two reads of the log, and the number of bytes that are read from its end.
const LOOK: Duration = Duration::from_millis(500);
const TAIL: u64 = 16 * 1024;
/// The maximum memory of a target, in mebibytes.
const MEMORY: u32 = 512;

impl Target {
    /// Runs the target with its seeds and the inputs in `corpora` that earlier runs found.
    ///
    /// # Errors
    /// Returns an error if the target does not start, or stops before it prints results.
    pub(crate) fn run(&self, programs: &Path, corpora: &Path, effort: Effort) -> Result<Row> {
        let (corpus, artifacts) = (corpora.join(self.name), folder().join("artifacts").join(self.name));
        make(&corpus)?;
        make(&artifacts)?;
        let program = programs.join(self.name);
        let progress = effort.progress(self.name);
        let mut command = Command::new(&program);
        command
            .args(self.options(effort, progress.is_shown()))
            .arg(prefix(&artifacts))
            .arg(corpus)
            .arg(self.seeds());
        command.env("RUST_BACKTRACE", "0");
        let log = self.log()?;
        println!("{}: log in {}", self.name, log.display());
        let start = now();
        let output = run_logged(&mut command, &log, &progress)?;
        drop(progress);
        let row = Row::read(self.name, &program, &output, start.elapsed());
        if row.as_ref().map_or(true, Row::is_finding) {
            print!("{}", without_status(&output.text));
        }
        row
    }

    /// Returns the path of the log, which matters only after a finding.
    fn log(&self) -> Result<PathBuf> {
        let logs = folder().join("logs");
        make(&logs)?;
        Ok(logs.join(format!("{}.log", self.name)))
    }

    /// Returns the options of the engine. It prints its status only if the progress is displayed.
    fn options(&self, effort: Effort, shows_status: bool) -> Vec<String> {
        let mut options = vec![
            format!("-runs={}", effort.runs),
            format!("-seed={}", effort.seed),
            format!("-max_len={}", self.longest),
            format!("-timeout={TIMEOUT}"),
            format!("-rss_limit_mb={MEMORY}"),
            format!("-dict={}", package().join(format!("{}.dict", self.name)).display()),
            format!("-verbosity={}", u8::from(shows_status)),
            "-print_final_stats=1".to_owned(),
        ];
        options.extend(effort.seconds.map(|seconds| format!("-max_total_time={seconds}")));
        options
    }

    fn seeds(&self) -> PathBuf {
        package().join("seeds").join(self.name)
    }
}

/// Runs a program whose output goes to a file, displays its progress, and returns the content of
/// the file.
fn run_logged(command: &mut Command, log: &Path, progress: &Progress) -> Result<Output> {
    let file = File::create(log).with_context(|| format!("making {}", log.display()))?;
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let name = process::line(command);
    let mut child = command.spawn().with_context(|| format!("starting {name}"))?;
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || drop(sender.send(child.wait())));
    let status = loop {
        match ended.recv_timeout(LOOK) {
            Ok(status) => break status.with_context(|| format!("waiting for {name}"))?,
            Err(RecvTimeoutError::Timeout) => executions(log).into_iter().for_each(|done| progress.set(done)),
            Err(RecvTimeoutError::Disconnected) => bail!("nothing waits for {name} any more"),
        }
    };
    let text = std::fs::read(log).with_context(|| format!("reading {}", log.display()))?;
    Ok(Output { status, text: String::from_utf8_lossy(&text).into_owned() })
}

/// Returns the last number of executions in the log.
fn executions(log: &Path) -> Option<u64> {
    let mut file = File::open(log).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail).ok()?;
    last_count(&String::from_utf8_lossy(&tail))
}

/// Returns the number of executions in the last complete status line: `#4096 pulse ...`.
fn last_count(text: &str) -> Option<u64> {
    let whole = &text[..text.rfind('\n')?];
    whole.lines().rev().find_map(|line| line.strip_prefix('#')?.split_whitespace().next()?.parse().ok())
}

/// Returns the output of a program without its status lines.
fn without_status(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect()
}

/// Returns the prefix for inputs that the fuzzing engine finds. It ends with a slash.
fn prefix(artifacts: &Path) -> String {
    format!("-artifact_prefix={}/", artifacts.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    /// Every program in the manifest is a target with seeds and a dictionary.
    #[test]
    fn every_target_is_listed_with_its_seeds_and_dictionary() {
        let manifest = std::fs::read_to_string(package().join("Cargo.toml")).unwrap();
        let manifest: toml::Table = toml::from_str(&manifest).unwrap();
        let programs = manifest["bin"].as_array().unwrap().iter();
        let programs: Vec<&str> = programs.map(|program| program["name"].as_str().unwrap()).collect();
        assert_eq!(programs, TARGETS.map(|target| target.name));
        for target in TARGETS {
            assert!(std::fs::read_dir(target.seeds()).unwrap().count() > 1, "{}", target.name);
            assert!(package().join(format!("{}.dict", target.name)).is_file(), "{}", target.name);
        }
    }

    #[test]
    fn the_output_of_a_program_is_read_from_its_log() {
        let folder = Scratch::new("fuzz-log");
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo out; echo err >&2; exit 77"]);
        let output = run_logged(&mut shell, &folder.path().join("x.log"), &Progress::hidden()).unwrap();
        assert_eq!((output.status.code(), output.text.as_str()), (Some(77), "out\nerr\n"));
    }

    #[test]
    fn executions_are_read_from_the_last_complete_line() {
        let text = "INFO: seed corpus\n#2\tINITED cov: 9\n#4096\tpulse  cov: 9\n#8192\tpul";
        assert_eq!(last_count(text), Some(4096));
        assert_eq!(last_count("INFO: Seed: 1\n###### Recommended dictionary. ######\n"), None);
        assert_eq!(without_status(text), "INFO: seed corpus\n");
        let folder = Scratch::new("fuzz-tail");
        let log = folder.path().join("x.log");
        assert_eq!(executions(&log), None);
        let long = "x".repeat(2 * TAIL as usize) + "\n#77\tNEW cov: 1\n";
        std::fs::write(&log, long).unwrap();
        assert_eq!(executions(&log), Some(77));
    }

    #[test]
    fn status_lines_are_requested_only_on_a_terminal() {
        let effort = Effort { runs: 7, seconds: None, seed: 3 };
        for (is_shown, option) in [(false, "-verbosity=0"), (true, "-verbosity=1")] {
            let options = TARGETS[0].options(effort, is_shown);
            assert!(options.iter().any(|given| given == option), "{options:?}");
        }
    }

    #[test]
    fn a_run_is_limited_in_time_only_if_requested() {
        let effort = Effort { runs: 7, seconds: None, seed: 3 };
        let options = TARGETS[0].options(effort, false);
        assert_eq!(options[..5], ["-runs=7", "-seed=3", "-max_len=256", "-timeout=1", "-rss_limit_mb=512"]);
        assert!(!options.iter().any(|option| option.starts_with("-max_total_time")));
        let options = TARGETS[0].options(Effort { seconds: Some(8), ..effort }, false);
        assert_eq!(options.last().map(String::as_str), Some("-max_total_time=8"));
    }
}
