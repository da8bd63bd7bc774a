//! `cargo xtask bench NAME`: a measurement, shown as a table and kept as `target/bench/NAME.json` to be compared with
//! another day's.

use std::fs;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::{process, workspace};

/// What can be measured.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Bench {
    /// Making and judging moves, beside cozy-chess
    Rules,
}

/// Measures, and writes a list of `{"name", "value", "unit", "ratio_to"?}`: `ratio_to` names the row to divide by.
///
/// # Errors
/// When the measurement does not build or run, or prints no table.
pub(crate) fn run(bench: Bench) -> Result<()> {
    let (name, rows) = match bench {
        Bench::Rules => ("rules", rules()?),
    };
    let folder = workspace::target().join("bench");
    let path = folder.join(format!("{name}.json"));
    fs::create_dir_all(&folder)?;
    let text = serde_json::to_string_pretty(&rows)? + "\n";
    fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    println!("kept in {}", path.display());
    Ok(())
}

fn rules() -> Result<Vec<Value>> {
    let mut speed = workspace::cargo();
    speed.args(["run", "--quiet", "--release", "--package", "quadrex-rules", "--example", "speed"]);
    let told = process::tell(speed)?;
    if !told.status.success() {
        bail!("the measurement ended with {}", told.status);
    }
    rows(&told.text)
}

/// The rows of a table whose head names its columns, `ours` and a peer: what, `1.25 ns`, `2.50 ns`, remarks.
fn rows(table: &str) -> Result<Vec<Value>> {
    let mut lines = table.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
    let ["ours", peer] = head[..] else { bail!("the table's head is {head:?}, not ours and a peer") };
    let mut rows = Vec::new();
    for line in lines {
        let [ours, theirs] = values(line)[..] else { bail!("{line:?} has not two values in ns") };
        // The name is parted from the numbers by the table's own padding.
        let name = line.split("  ").next().unwrap_or_default();
        let beside = format!("{name}, {peer}");
        rows.push(json!({"name": name, "value": ours, "unit": "ns", "ratio_to": beside}));
        rows.push(json!({"name": beside, "value": theirs, "unit": "ns"}));
    }
    if rows.is_empty() {
        bail!("the table has no row");
    }
    Ok(rows)
}

/// The numbers that stand before `ns`.
fn values(line: &str) -> Vec<f64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).filter(|pair| pair[1] == "ns").filter_map(|pair| pair[0].parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_becomes_ours_and_the_peer_s() {
        let table = "                     ours   cozy-chess\nstart, perft in sets   1.25 ns   2.50 ns    0.50 of its time\n";
        let expected = [
            json!({"name": "start, perft in sets", "value": 1.25, "unit": "ns", "ratio_to": "start, perft in sets, cozy-chess"}),
            json!({"name": "start, perft in sets, cozy-chess", "value": 2.5, "unit": "ns"}),
        ];
        assert_eq!(rows(table).unwrap(), expected);
    }

    #[test]
    fn what_is_no_table_is_an_error() {
        assert!(rows("").is_err());
        assert!(rows("ours  cozy-chess\n").is_err());
        assert!(rows("ours  cozy-chess\nstart  1.25 ns\n").is_err());
    }
}
