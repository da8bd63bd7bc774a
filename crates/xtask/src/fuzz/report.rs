//! The results of runs of fuzz targets.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::process::Output;

/// The result of running one target.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    target: &'static str,
    executions: u64,
    time: Duration,
    peak_mb: u64,
    /// The command that runs the target with the failing input.
    again: Option<String>,
}

impl Row {
    /// Parses the output of the fuzzing engine.
    ///
    /// # Errors
    /// Returns an error if the counts are missing in the output, or the engine failed without an
    /// input.
    pub(crate) fn read(
        target: &'static str,
        program: &Path,
        output: &Output,
        time: Duration,
    ) -> Result<Self> {
        let count = |name: &str| {
            let line = output.text.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|count| count.trim().parse().ok()).with_context(|| format!("{target}: no {name}"))
        };
        let input = output.text.lines().find_map(|line| line.split_once("Test unit written to "));
        let again = input.map(|(_, input)| format!("{} {}", program.display(), input.trim()));
        if again.is_none() && !output.status.success() {
            bail!("{target} ended with {} and left no input", output.status);
        }
        Ok(Self {
            target,
            executions: count("stat::number_of_executed_units:")?,
            time,
            peak_mb: count("stat::peak_rss_mb:")?,
            again,
        })
    }

    /// Returns whether the target failed for some input.
    pub(crate) fn is_finding(&self) -> bool {
        self.again.is_some()
    }
}

/// Returns a table with one line for each run.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut table = String::from("target  executions    exec/s   seconds  peak MB  findings\n");
    for row in rows {
        let seconds = row.time.as_secs_f64();
        let speed = row.executions as f64 / seconds.max(0.001);
        let findings = u8::from(row.is_finding());
        let (target, executions, peak) = (row.target, row.executions, row.peak_mb);
        let _ = writeln!(
            table,
            "{target:<7} {executions:>10} {speed:>9.0} {seconds:>9.1} {peak:>8} {findings:>9}"
        );
    }
    table
}

/// Describes the findings, if any: the command that reproduces the failure of each target.
pub(crate) fn findings(rows: &[Row]) -> Option<String> {
    let lines: Vec<String> =
        rows.iter().filter_map(|row| Some(format!("  {}: {}", row.target, row.again.as_ref()?))).collect();
    let inputs = if lines.len() == 1 { "an input" } else { "inputs" };
    (!lines.is_empty()).then(|| format!("found {inputs}; see it again with\n{}", lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, ExitStatus};

    use super::*;

    fn status(code: &str) -> ExitStatus {
        Command::new("sh").args(["-c", &format!("exit {code}")]).status().unwrap()
    }

    fn read(text: &str, code: &str) -> Result<Row> {
        let output = Output { status: status(code), text: text.to_owned() };
        Row::read("fen", Path::new("/q/fen"), &output, Duration::from_millis(2500))
    }

    const COUNTS: &str = "stat::number_of_executed_units: 20000\nstat::average_exec_per_sec:     0\nstat::peak_rss_mb:              31\n";

    #[test]
    fn a_run_without_findings_is_a_row_of_figures() {
        let row = read(&format!("Done 20000 runs in 2 second(s)\n{COUNTS}"), "0").unwrap();
        assert_eq!(findings(std::slice::from_ref(&row)), None);
        let expected = "target  executions    exec/s   seconds  peak MB  findings\n\
                        fen          20000      8000       2.5       31         0\n";
        assert_eq!(table(&[row]), expected);
    }

    #[test]
    fn a_finding_is_reported_with_the_command_that_reproduces_it() {
        let text = format!("artifact_prefix='/a/'; Test unit written to /a/crash-1\nBase64: eA==\n{COUNTS}");
        let row = read(&text, "77").unwrap();
        assert!(table(std::slice::from_ref(&row)).ends_with("1\n"));
        let report = findings(&[row]).unwrap();
        assert_eq!(report, "found an input; see it again with\n  fen: /q/fen /a/crash-1");
    }

    #[test]
    fn a_run_without_results_is_an_error() {
        assert!(read(COUNTS, "1").unwrap_err().to_string().contains("left no input"));
        assert!(read("Done 20000 runs in 2 second(s)\n", "0").is_err());
    }
}
