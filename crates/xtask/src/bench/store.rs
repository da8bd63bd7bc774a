//! The benchmark of appends to the store.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use quadrex_progress::Progress;
use serde_json::{Value, json};

use super::criterion::Build;
use crate::process;

/// The number of rounds. Both variants run in each round, so that conditions are equal.
const ROUNDS: usize = 3;

const DATABASES: [&str; 2] = ["sqlite", "postgres"];
const MATCHES: [&str; 3] = ["1 matches", "16 matches", "256 matches"];
const SINGLE: &str = "one by one";
const GROUPED: &str = "grouped";

/// A line that the benchmark prints: durable appends of one row per second, and their latency.
#[derive(Clone, Debug, PartialEq)]
struct Figures {
    name: String,
    rows_per_s: f64,
    p50_ms: f64,
    p99_ms: f64,
}

/// Runs the benchmark and prints a table.
///
/// # Errors
/// Returns an error if the benchmark does not build or run, or a figure is missing.
pub(super) fn run() -> Result<Vec<Value>> {
    let program = Build::Default.build("quadrex-tests", "store")?;
    let mut figures = Vec::new();
    let each = DATABASES.len() * MATCHES.len() * [SINGLE, GROUPED].len();
    let progress = Progress::of_steps((ROUNDS * each) as u64, "store");
    for round in 1..=ROUNDS {
        progress.print(|| println!("measuring, round {round} of {ROUNDS}"));
        let mut bench = Command::new(&program);
        let output = process::watch(bench.arg("--bench"), |_| progress.add(1))?;
        process::checked(output.status, &bench)?;
        figures.append(&mut read(&String::from_utf8(output.stdout)?)?);
    }
    drop(progress);
    let pairs = pairs(&figures)?;
    println!(
        "\nappends of one row; rows a second, and milliseconds until one is durable; the best of {ROUNDS} rounds"
    );
    println!("{}", table(&pairs));
    Ok(pairs.iter().flat_map(|(single, grouped)| file_rows(single, grouped)).collect())
}

fn read(text: &str) -> Result<Vec<Figures>> {
    let figures = |line: &str| {
        let object: Value = serde_json::from_str(line).ok()?;
        let number = |key| object.get(key)?.as_f64();
        Some(Figures {
            name: object.get("name")?.as_str()?.to_owned(),
            rows_per_s: number("rows_per_s")?,
            p50_ms: number("p50_ms")?,
            p99_ms: number("p99_ms")?,
        })
    };
    text.lines().map(|line| figures(line).with_context(|| format!("{line:?} is no measurement"))).collect()
}

/// Returns the best rounds in pairs, one for each way to commit. Other activity of the machine only
/// adds time.
fn pairs(figures: &[Figures]) -> Result<Vec<(Figures, Figures)>> {
    let best = |name: String| {
        let rounds = figures.iter().filter(|figures| figures.name == name);
        let best = rounds.max_by(|one, other| one.rows_per_s.total_cmp(&other.rows_per_s));
        let best = best.with_context(|| format!("{name} was not measured"))?;
        ensure!(best.rows_per_s > 0.0, "{name}: nothing was written");
        Ok(best.clone())
    };
    let names = DATABASES.iter().flat_map(|database| MATCHES.map(|matches| format!("{database}, {matches}")));
    names.map(|name| Ok((best(format!("{name}, {SINGLE}"))?, best(format!("{name}, {GROUPED}"))?))).collect()
}

fn table(pairs: &[(Figures, Figures)]) -> String {
    let mut table = format!("{:<22} {:>26} {:>26}\n", "", SINGLE, GROUPED);
    let _ = writeln!(table, "{:<22} {1:>10} {2:>7} {3:>7} {1:>10} {2:>7} {3:>7}", "", "rows/s", "p50", "p99");
    for (single, grouped) in pairs {
        let name = single.name.trim_end_matches(SINGLE).trim_end_matches(", ");
        let columns = |figures: &Figures| {
            format!("{:>10.0} {:>7.2} {:>7.2}", figures.rows_per_s, figures.p50_ms, figures.p99_ms)
        };
        let ratio = grouped.rows_per_s / single.rows_per_s;
        let _ =
            writeln!(table, "{name:<22} {} {}   {ratio:>5.2} x as many", columns(single), columns(grouped));
    }
    table
}

/// Returns the rows of the file with the figures.
fn file_rows(single: &Figures, grouped: &Figures) -> Vec<Value> {
    let each = |figures: &Figures, beside: Option<&Figures>| {
        let row = |what: &str, value: f64, unit: &str| {
            let mut row = json!({"name": format!("{}, {what}", figures.name), "value": value, "unit": unit});
            if let Some(beside) = beside {
                row["ratio_to"] = json!(format!("{}, {what}", beside.name));
            }
            row
        };
        [
            row("rows", figures.rows_per_s, "1/s"),
            row("p50", figures.p50_ms, "ms"),
            row("p99", figures.p99_ms, "ms"),
        ]
    };
    each(grouped, Some(single)).into_iter().chain(each(single, None)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(name: &str, rows_per_s: f64) -> Figures {
        Figures { name: name.to_owned(), rows_per_s, p50_ms: 0.5, p99_ms: 12.25 }
    }

    #[test]
    fn the_table_has_both_databases_and_their_ratio() {
        let pair = (
            figures("sqlite, 16 matches, one by one", 2_000.0),
            figures("sqlite, 16 matches, grouped", 5_000.0),
        );
        let expected = concat!(
            "                                       one by one                    grouped\n",
            "                           rows/s     p50     p99     rows/s     p50     p99\n",
            "sqlite, 16 matches           2000    0.50   12.25       5000    0.50   12.25    2.50 x as many\n",
        );
        assert_eq!(table(&[pair]), expected);
    }

    #[test]
    fn the_best_round_counts_and_a_missing_measurement_is_an_error() {
        let names =
            DATABASES.iter().flat_map(|database| MATCHES.map(|matches| format!("{database}, {matches}")));
        let names = names.flat_map(|name| [SINGLE, GROUPED].map(|way| format!("{name}, {way}")));
        let mut all: Vec<_> = names.map(|name| figures(&name, 10.0)).collect();
        all.push(figures("postgres, 1 matches, grouped", 30.0));
        all.push(figures("postgres, 1 matches, grouped", 20.0));
        let pairs_of_all = pairs(&all).unwrap();
        assert_eq!(pairs_of_all.len(), 6);
        assert_eq!((pairs_of_all[3].0.rows_per_s, pairs_of_all[3].1.rows_per_s), (10.0, 30.0));
        all.retain(|figures| figures.name != "sqlite, 256 matches, grouped");
        assert_eq!(pairs(&all).unwrap_err().to_string(), "sqlite, 256 matches, grouped was not measured");
        all.push(figures("sqlite, 256 matches, grouped", 0.0));
        assert_eq!(pairs(&all).unwrap_err().to_string(), "sqlite, 256 matches, grouped: nothing was written");
    }

    #[test]
    fn the_file_names_the_row_by_which_to_divide() {
        let rows = file_rows(&figures("a, one by one", 2.0), &figures("a, grouped", 4.0));
        assert_eq!(rows.len(), 6);
        let expected = json!({"name": "a, grouped, rows", "value": 4.0, "unit": "1/s", "ratio_to": "a, one by one, rows"});
        assert_eq!(rows[0], expected);
        assert_eq!(rows[5], json!({"name": "a, one by one, p99", "value": 12.25, "unit": "ms"}));
    }

    #[test]
    fn the_benchmark_prints_a_line_for_each_measurement() {
        let line = r#"{"name":"sqlite, 1 matches, grouped","p50_ms":0.5,"p99_ms":12.25,"rows_per_s":7.0}"#;
        assert_eq!(read(line).unwrap(), [figures("sqlite, 1 matches, grouped", 7.0)]);
        let error = read(r#"{"name":"sqlite"}"#).unwrap_err();
        assert_eq!(error.to_string(), r#""{\"name\":\"sqlite\"}" is no measurement"#);
    }
}
