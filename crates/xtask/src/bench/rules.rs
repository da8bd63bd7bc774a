//! The comparison of the rules crate with `cozy-chess`: its rows and their targets.

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::{Value, json};

use super::criterion::{Build, Figures};

/// The number of rounds. Both programs run in each round, so that conditions are equal.
const ROUNDS: u32 = 3;

const OURS: &str = "quadrex";
const PEER: &str = "cozy-chess";

/// One row of the table: a benchmark group of `crates/rules/benches`.
struct Row {
    /// The group's name.
    name: &'static str,
    ratio: Ratio,
}

/// The direction of the comparison with `cozy-chess`.
#[derive(Clone, Copy)]
enum Ratio {
    /// The time of `cozy-chess` divided by ours; at least the target.
    TimesAsFast(Bound),
    /// Our time divided by that of `cozy-chess`; at most the target.
    ShareOfItsTime(Bound),
}

use Ratio::{ShareOfItsTime, TimesAsFast};

/// The target of a ratio. Missing a target is not an error, because measurements on a shared
/// machine are unreliable.
#[derive(Clone, Copy)]
struct Bound {
    asked: Option<f64>,
    /// A better value that is a long-term goal.
    aim: Option<f64>,
}

const fn asked(asked: f64) -> Bound {
    Bound { asked: Some(asked), aim: None }
}

const fn asked_and_aim(asked: f64, aim: f64) -> Bound {
    Bound { asked: Some(asked), aim: Some(aim) }
}

/// The bound of a row without a target.
const FREE: Bound = Bound { asked: None, aim: None };

/// All rows. On the 8 x 8 board both programs do the same work. Cross-shaped boards are compared
/// with the times of `cozy-chess` on 8 x 8. `is_legal` is compared with generating all moves and
/// searching the list.
const ROWS: [Row; 14] = [
    Row { name: "start perft", ratio: TimesAsFast(asked_and_aim(1.80, 2.10)) },
    Row { name: "kiwipete perft", ratio: TimesAsFast(asked_and_aim(1.50, 1.80)) },
    Row { name: "start perft by making", ratio: TimesAsFast(asked(1.80)) },
    Row { name: "start list", ratio: ShareOfItsTime(asked(0.90)) },
    Row { name: "kiwipete list", ratio: ShareOfItsTime(asked(0.90)) },
    Row { name: "middlegame list", ratio: ShareOfItsTime(asked(0.90)) },
    Row { name: "start is_legal", ratio: ShareOfItsTime(asked(0.30)) },
    Row { name: "kiwipete is_legal", ratio: ShareOfItsTime(asked(0.30)) },
    Row { name: "dilkel perft", ratio: ShareOfItsTime(asked(2.20)) },
    Row { name: "dilkel perft by making", ratio: ShareOfItsTime(asked(2.00)) },
    Row { name: "dilkel list", ratio: ShareOfItsTime(asked(4.00)) },
    Row { name: "dilkel is_legal", ratio: ShareOfItsTime(asked(0.80)) },
    Row { name: "dilkel-compact perft", ratio: ShareOfItsTime(FREE) },
    Row { name: "dilkel-compact list", ratio: ShareOfItsTime(FREE) },
];

/// Measures a default build, and a native build if requested, and prints a table for each.
///
/// # Errors
/// Returns an error if the benchmark does not build or run, or a row is missing.
pub(super) fn run(native: bool) -> Result<Vec<Value>> {
    let mut rows = measure(Build::Default, "default build", "")?;
    if native {
        rows.append(&mut measure(Build::Native, "build for this processor", ", native")?);
    }
    Ok(rows)
}

fn measure(build: Build, about: &str, suffix: &str) -> Result<Vec<Value>> {
    let figures = Figures::measure(build, "quadrex-rules", "rules", 2 * ROWS.len() as u64, ROUNDS)?;
    let pairs = pairs(&figures)?;
    println!("\n{about}; nanoseconds of processor time a node or call, the best of {ROUNDS} rounds");
    println!("{}", table(&pairs));
    Ok(file_rows(&pairs, suffix))
}

/// Our time and that of `cozy-chess` for one row, in nanoseconds.
struct Pair {
    row: &'static Row,
    ours: f64,
    peers: f64,
}

fn pairs(figures: &Figures) -> Result<Vec<Pair>> {
    let pair = |row: &'static Row| {
        let (ours, peers) = (figures.best(row.name, OURS)?, figures.best(row.name, PEER)?);
        Ok(Pair { row, ours, peers })
    };
    ROWS.iter().map(pair).collect()
}

fn table(pairs: &[Pair]) -> String {
    let mut table = format!("{:<24} {:>9} {PEER:>12}\n", "", "ours");
    for Pair { row, ours, peers } in pairs {
        let ratio = row.ratio.describe(*ours, *peers);
        let _ = writeln!(table, "{:<24} {ours:>9.2} {peers:>12.2}   {ratio}", row.name);
    }
    table
}

impl Ratio {
    /// Formats a ratio and its target: `2.04 x as fast    asked >= 1.80: met, aim 2.10: not met`.
    fn describe(self, ours: f64, peers: f64) -> String {
        let (ratio, words, sign, bound) = match self {
            TimesAsFast(bound) => (peers / ours, "x as fast", ">=", bound),
            ShareOfItsTime(bound) => (ours / peers, "of its time", "<=", bound),
        };
        let met = |wanted: f64| match self {
            TimesAsFast(_) if ratio >= wanted => "met",
            ShareOfItsTime(_) if ratio <= wanted => "met",
            TimesAsFast(_) | ShareOfItsTime(_) => "not met",
        };
        let asked = bound.asked.map(|asked| format!("asked {sign} {asked:.2}: {}", met(asked)));
        let aim = bound.aim.map(|aim| format!("aim {sign} {aim:.2}: {}", met(aim)));
        let wanted: Vec<String> = asked.into_iter().chain(aim).collect();
        format!("{ratio:>5.2} {words:<11}   {}", wanted.join(", ")).trim_end().to_owned()
    }
}

/// Returns the rows of the file with the figures.
fn file_rows(pairs: &[Pair], suffix: &str) -> Vec<Value> {
    let both = pairs.iter().flat_map(|Pair { row, ours, peers }| {
        let (name, beside) = (format!("{}{suffix}", row.name), format!("{}, {PEER}{suffix}", row.name));
        [
            json!({"name": name, "value": ours, "unit": "ns", "ratio_to": beside}),
            json!({"name": beside, "value": peers, "unit": "ns"}),
        ]
    });
    both.collect()
}

#[cfg(test)]
mod tests {
    use super::super::criterion::tests::{figures, plant};
    use super::*;
    use crate::scratch::Scratch;

    fn pair(name: &str, ours: f64, peers: f64) -> Pair {
        Pair { row: ROWS.iter().find(|row| row.name == name).unwrap(), ours, peers }
    }

    #[test]
    fn a_ratio_is_printed_with_its_target() {
        let line = TimesAsFast(asked_and_aim(1.8, 2.1)).describe(1.0, 2.0);
        assert_eq!(line, " 2.00 x as fast     asked >= 1.80: met, aim >= 2.10: not met");
        let line = ShareOfItsTime(asked_and_aim(0.5, 0.25)).describe(1.0, 2.0);
        assert_eq!(line, " 0.50 of its time   asked <= 0.50: met, aim <= 0.25: not met");
        assert_eq!(ShareOfItsTime(FREE).describe(3.0, 2.0), " 1.50 of its time");
    }

    #[test]
    fn the_table_has_a_line_for_each_row_below_its_head() {
        let table = table(&[
            pair("start perft", 1.25, 2.5),
            pair("dilkel is_legal", 40.0, 100.0),
            pair("dilkel-compact list", 3.0, 2.0),
        ]);
        let expected = "                              ours   cozy-chess\n\
            start perft                   1.25         2.50    2.00 x as fast     asked >= 1.80: met, aim >= 2.10: not met\n\
            dilkel is_legal              40.00       100.00    0.40 of its time   asked <= 0.80: met\n\
            dilkel-compact list           3.00         2.00    1.50 of its time\n";
        assert_eq!(table, expected);
    }

    #[test]
    fn the_file_names_the_row_by_which_to_divide() {
        let expected = [
            json!({"name": "start perft, native", "value": 1.25, "unit": "ns", "ratio_to": "start perft, cozy-chess, native"}),
            json!({"name": "start perft, cozy-chess, native", "value": 2.5, "unit": "ns"}),
        ];
        assert_eq!(file_rows(&[pair("start perft", 1.25, 2.5)], ", native"), expected);
    }

    #[test]
    fn a_missing_row_is_an_error() {
        let scratch = Scratch::new("bench-rules");
        let sample = r#"{"iters":[1.0],"times":[3.0]}"#;
        for row in &ROWS {
            plant(&scratch, &format!("one/{}/quadrex", row.name), 1, sample);
            plant(&scratch, &format!("one/{}/cozy-chess", row.name), 2, sample);
        }
        let all = pairs(&figures(&scratch, &["one"])).unwrap();
        assert!(all.len() == ROWS.len() && all.iter().all(|pair| pair.ours == 3.0 && pair.peers == 1.5));
        std::fs::remove_dir_all(scratch.path().join("one/dilkel list/cozy-chess")).unwrap();
        let error = pairs(&figures(&scratch, &["one"])).err().unwrap();
        assert_eq!(error.to_string(), "reading dilkel list/cozy-chess");
    }
}
