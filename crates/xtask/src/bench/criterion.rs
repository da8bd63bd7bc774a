//! Benchmarks made with criterion: running them and reading their results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use quadrex_progress::Progress;
use serde_json::{Value, json};

use crate::{process, workspace};

/// The processor that a benchmark is built for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Build {
    /// Any processor of the platform, as in a distributed program.
    Default,
    /// The processor of this machine.
    Native,
}

impl Build {
    /// Builds a benchmark and returns the path of its program.
    ///
    /// # Errors
    /// Returns an error if the benchmark does not build.
    pub(super) fn build(self, package: &str, bench: &str) -> Result<PathBuf> {
        let mut cargo = workspace::cargo();
        cargo.args(["bench", "--no-run", "--package", package, "--bench", bench]);
        cargo.arg("--message-format=json-render-diagnostics");
        if self == Self::Native {
            // Other compiler flags would rebuild everything in a shared target folder, so this
            // build has its own.
            cargo.arg("--target-dir").arg(workspace::target().join("native"));
            cargo.env("RUSTFLAGS", "-C target-cpu=native");
        }
        let messages = process::stdout_of(&mut cargo)?;
        executable(&messages, bench).with_context(|| format!("{} built no program", process::line(&cargo)))
    }
}

/// Returns the benchmark's program from cargo's messages, which are JSON objects on separate lines.
fn executable(messages: &str, bench: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut built = messages.filter(|message| {
        message["target"]["name"] == bench && message["target"]["kind"] == json!(["bench"])
    });
    built.find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

/// The results of the rounds of one benchmark.
pub(super) struct Figures {
    /// Criterion's folder of each round.
    rounds: Vec<PathBuf>,
}

impl Figures {
    /// Builds a benchmark with this many `functions` and runs it in all rounds.
    ///
    /// # Errors
    /// Returns an error if the benchmark does not build, or if a round fails. The error then
    /// contains the output of the round.
    pub(super) fn measure(
        build: Build,
        package: &str,
        bench: &str,
        functions: u64,
        rounds: u32,
    ) -> Result<Self> {
        let program = build.build(package, bench)?;
        let mut folders = Vec::new();
        let progress = Progress::of_steps(functions * u64::from(rounds), bench);
        for round in 1..=rounds {
            progress.print(|| println!("measuring, round {round} of {rounds}"));
            let folder = workspace::target().join(format!("bench/criterion/{bench}-{round}"));
            if folder.exists() {
                // Results of an earlier run must not be mistaken for those of this run.
                fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
            }
            let mut run = Command::new(&program);
            run.args(["--bench", "--noplot"]).env("CRITERION_HOME", &folder);
            let output = process::watch(run.stderr(Stdio::piped()), |line| {
                if is_measurement(line) {
                    progress.add(1);
                }
            })?;
            if !output.status.success() {
                progress.warn(|| eprint!("{}", String::from_utf8_lossy(&output.stderr)));
                bail!("{} ended with {}", process::line(&run), output.status);
            }
            folders.push(folder);
        }
        Ok(Self { rounds: folders })
    }

    /// Returns the best sample of all rounds, in nanoseconds per element of an iteration. Other
    /// activity of the machine only adds time, so the smallest value is the most accurate.
    ///
    /// # Errors
    /// Returns an error if no round has measured the function, or the function's file has another
    /// form.
    pub(super) fn best(&self, group: &str, function: &str) -> Result<f64> {
        let mut best = f64::INFINITY;
        for round in &self.rounds {
            let folder = round.join(group).join(function).join("new");
            let sample = best_sample(&folder).with_context(|| format!("reading {group}/{function}"))?;
            best = best.min(sample);
        }
        Ok(best)
    }
}

/// Returns whether a line of criterion reports the time of a function.
fn is_measurement(line: &str) -> bool {
    line.contains(" time:   [")
}

/// Returns the shortest sample of one benchmark, divided by the number of elements.
fn best_sample(folder: &Path) -> Result<f64> {
    let elements = read(&folder.join("benchmark.json"))?["throughput"]["Elements"].as_f64();
    let elements = elements.context("no number of elements in benchmark.json")?;
    let sample = read(&folder.join("sample.json"))?;
    let (iterations, times) = (numbers(&sample, "iters")?, numbers(&sample, "times")?);
    ensure!(iterations.len() == times.len(), "sample.json has not a time for every count of iterations");
    let each = times.iter().zip(&iterations).map(|(time, iterations)| time / iterations / elements);
    let best = each.fold(f64::INFINITY, f64::min);
    ensure!(best.is_finite() && best > 0.0, "its best sample is {best} ns");
    Ok(best)
}

fn numbers(value: &Value, key: &str) -> Result<Vec<f64>> {
    let list = value[key].as_array().with_context(|| format!("no {key} in sample.json"))?;
    list.iter().map(|number| number.as_f64().with_context(|| format!("{key} holds {number}"))).collect()
}

fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::scratch::Scratch;

    /// Writes the files that criterion writes for a benchmark.
    pub(in crate::bench) fn plant(scratch: &Scratch, path: &str, elements: u64, sample: &str) {
        let benchmark = format!(r#"{{"group_id":"g","throughput":{{"Elements":{elements}}}}}"#);
        scratch.write(&format!("{path}/new/benchmark.json"), &benchmark);
        scratch.write(&format!("{path}/new/sample.json"), sample);
    }

    /// Returns the results in the named folders of a scratch folder.
    pub(in crate::bench) fn figures(scratch: &Scratch, rounds: &[&str]) -> Figures {
        Figures { rounds: rounds.iter().map(|round| scratch.path().join(round)).collect() }
    }

    #[test]
    fn the_benchmark_program_is_found_in_cargo_s_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"rules"},"executable":null}
            {"reason":"compiler-artifact","target":{"kind":["bin"],"name":"rules"},"executable":"/t/bin"}
            {"reason":"compiler-artifact","target":{"kind":["bench"],"name":"other"},"executable":"/t/other"}
            {"reason":"compiler-artifact","target":{"kind":["bench"],"name":"rules"},"executable":"/t/rules-1f"}
            {"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages, "rules"), Some(PathBuf::from("/t/rules-1f")));
        assert_eq!(executable(messages, "none"), None);
    }

    #[test]
    fn a_measurement_is_parsed_from_a_line_of_criterion() {
        let text = "Benchmarking start list/quadrex\nstart list/quadrex      time:   [10.1 ns 10.2 ns 10.3 ns]\n\
            \u{20}                       thrpt:  [97 Melem/s 98 Melem/s 99 Melem/s]\nFound 2 outliers\n\
            dilkel-compact perft/cozy-chess\n                        time:   [1.1 ms 1.2 ms 1.3 ms]\n";
        assert_eq!(text.lines().filter(|line| is_measurement(line)).count(), 2);
    }

    #[test]
    fn the_best_sample_of_all_rounds_counts_by_element() {
        let scratch = Scratch::new("criterion-best");
        plant(&scratch, "one/g/f", 10, r#"{"iters":[2.0,4.0],"times":[100.0,120.0]}"#);
        plant(&scratch, "two/g/f", 10, r#"{"iters":[2.0,4.0],"times":[50.0,160.0]}"#);
        assert_eq!(figures(&scratch, &["one"]).best("g", "f").unwrap(), 3.0);
        for rounds in [["one", "two"], ["two", "one"]] {
            assert_eq!(figures(&scratch, &rounds).best("g", "f").unwrap(), 2.5);
        }
    }

    #[test]
    fn a_missing_or_invalid_figure_is_an_error_with_its_name() {
        let scratch = Scratch::new("criterion-missing");
        plant(&scratch, "one/g/f", 10, r#"{"iters":[2.0],"times":[100.0]}"#);
        plant(&scratch, "one/g/empty", 10, r#"{"iters":[],"times":[]}"#);
        plant(&scratch, "one/g/zero", 10, r#"{"iters":[1.0],"times":[0.0]}"#);
        plant(&scratch, "one/g/uneven", 10, r#"{"iters":[1.0,2.0],"times":[3.0]}"#);
        plant(&scratch, "one/g/words", 10, r#"{"iters":["a"],"times":[3.0]}"#);
        plant(&scratch, "one/g/nothing", 0, r#"{"iters":[1.0],"times":[3.0]}"#);
        for function in ["empty", "zero", "uneven", "words", "nothing", "not-there"] {
            let error = figures(&scratch, &["one"]).best("g", function).unwrap_err();
            assert_eq!(error.to_string(), format!("reading g/{function}"));
        }
        assert!(figures(&scratch, &["one", "two"]).best("g", "f").is_err());
    }
}
