//! The check of the CI workflows: they run every step of `cargo xtask test`, and pin their actions.

use anyhow::{Context, Result};
use saphyr::{LoadableYamlNode, Yaml};

use super::tree::Tree;
use crate::test::steps::STEPS;

/// The folder of all workflows.
const FOLDER: &str = ".github/workflows/";

/// The workflow that runs the checks and tests.
const TESTS: &str = ".github/workflows/test.yml";

/// The command that runs a step. The step's name follows.
const COMMAND: &str = "cargo xtask test ";

/// Returns a fault for each step that no job runs, for each job with an unknown step, and for each
/// action that is not pinned to a commit.
pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    let mut faults = faults_of_steps(tree.text(TESTS)?, &names)?;
    for (path, text) in tree.texts_in(FOLDER, ".yml") {
        Yaml::load_from_str(text).with_context(|| format!("reading {path}"))?;
        faults.extend(faults_of_actions(path, text));
    }
    Ok(faults)
}

/// Returns a fault for each step that no job runs, and for each unknown step of a job.
fn faults_of_steps(text: &str, steps: &[&str]) -> Result<Vec<String>> {
    let documents = Yaml::load_from_str(text).with_context(|| format!("reading {TESTS}"))?;
    let workflow = documents.first().with_context(|| format!("{TESTS} is empty"))?;
    let run = commands(workflow);
    let mut faults = Vec::new();
    for step in steps.iter().filter(|step| !run.iter().any(|name| name == *step)) {
        faults.push(format!("{TESTS}: no job runs the step {step}"));
    }
    for name in run.iter().filter(|name| !steps.contains(&name.as_str())) {
        faults.push(format!("{TESTS}: there is no step {name}"));
    }
    Ok(faults)
}

/// Returns the names of the steps that the jobs run, including those of a job's matrix.
fn commands(workflow: &Yaml) -> Vec<String> {
    let jobs = workflow.as_mapping_get("jobs").and_then(Yaml::as_mapping);
    let mut names = Vec::new();
    for (_, job) in jobs.into_iter().flatten() {
        let steps = job.as_mapping_get("steps").and_then(|steps| steps.as_vec());
        let lines = steps.into_iter().flatten().filter_map(|step| step.as_mapping_get("run")?.as_str());
        for name in lines.flat_map(str::lines).filter_map(|line| line.trim().strip_prefix(COMMAND)) {
            if name == "${{ matrix.step }}" {
                names.extend(matrix(job));
            } else {
                names.extend(name.split_whitespace().map(str::to_owned));
            }
        }
    }
    names
}

/// Returns the values of `step` in a job's matrix.
fn matrix(job: &Yaml) -> Vec<String> {
    let matrix = job.as_mapping_get("strategy").and_then(|strategy| strategy.as_mapping_get("matrix"));
    let steps = matrix.and_then(|matrix| matrix.as_mapping_get("step")).and_then(|steps| steps.as_vec());
    steps.into_iter().flatten().filter_map(|step| step.as_str().map(str::to_owned)).collect()
}

/// Returns a fault for each action without a commit hash. A tag is not enough, because it can be
/// moved.
fn faults_of_actions(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some(action) = line.trim_start().trim_start_matches("- ").strip_prefix("uses: ") else {
            continue;
        };
        let action = action.split(" #").next().unwrap_or_default().trim();
        let commit = action.rsplit_once('@').map_or("", |(_, commit)| commit);
        let is_pinned = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_pinned && !action.starts_with("./") {
            faults.push(format!("{path}:{}: {action} is not pinned to a commit", number + 1));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
jobs:
  quick:
    steps:
      - uses: actions/checkout@0123456789012345678901234567890123456789 # v7
      - run: |
          cargo xtask test fmt
          cargo xtask test tidy deny
  slow:
    strategy:
      matrix:
        step: [rust, browser]
    steps:
      - run: cargo xtask test ${{ matrix.step }}
";

    fn faults(text: &str) -> Vec<String> {
        faults_of_steps(text, &["fmt", "tidy", "deny", "rust", "browser"]).unwrap()
    }

    #[test]
    fn a_step_without_a_job_and_a_job_without_a_step_are_faults() {
        assert_eq!(faults(GOOD), Vec::<String>::new());
        let forgotten = GOOD.replace("rust, browser", "rust");
        assert_eq!(faults(&forgotten), [format!("{TESTS}: no job runs the step browser")]);
        let unknown = GOOD.replace("test fmt", "test fmt format");
        assert_eq!(faults(&unknown), [format!("{TESTS}: there is no step format")]);
    }

    #[test]
    fn an_action_with_a_tag_is_a_fault() {
        assert_eq!(faults_of_actions("a.yml", GOOD), Vec::<String>::new());
        let by_tag = GOOD.replace("0123456789012345678901234567890123456789", "v7");
        let expected = ["a.yml:4: actions/checkout@v7 is not pinned to a commit"];
        assert_eq!(faults_of_actions("a.yml", &by_tag), expected);
    }
}
