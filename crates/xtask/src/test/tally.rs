//! The counts of passed and failed tests, from the output of test runners.

use std::ops::AddAssign;

/// The counts of tests of one or more runners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub passed: u32,
    pub failed: u32,
    /// The number of skipped tests. It must be 0, because skipped tests would hide failures.
    pub skipped: u32,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// Parses the summary of `cargo nextest`: `Summary [ 1.2s] 9 tests run: 8 passed (1 slow), 1
/// failed, 0 skipped`. Returns `None` if there is no summary, which means that no tests ran.
pub(crate) fn nextest(output: &str) -> Option<Tally> {
    let plain = without_colors(output);
    let summary = plain.lines().rev().find(|line| line.trim_start().starts_with("Summary ["))?;
    let (_, counts) = summary.split_once(" run: ")?;
    tally(counts.split(','))
}

/// Parses the summary of vitest: `Tests  1 failed | 11 passed | 2 skipped (14)`.
pub(crate) fn vitest(output: &str) -> Option<Tally> {
    let plain = without_colors(output);
    let counts = plain.lines().rev().find_map(|line| line.trim_start().strip_prefix("Tests  "))?;
    tally(counts.split('|'))
}

/// Sums the summaries of rustdoc's test runs: `test result: ok. 3 passed; 0 failed; 0 ignored;
/// ...`.
pub(crate) fn doc_tests(output: &str) -> Option<Tally> {
    let plain = without_colors(output);
    let mut sum = None;
    for line in plain.lines() {
        let Some((_, counts)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        else {
            continue;
        };
        let counts =
            counts.split(';').filter(|count| !count.contains("filtered out") && !count.contains("finished"));
        *sum.get_or_insert(Tally::default()) += tally(counts)?;
    }
    sum
}

/// Parses counts such as `8 passed (1 slow`, `1 timed out`, `0 skipped`. Returns `None` for an
/// unknown word, because the total would be wrong.
fn tally<'a>(counts: impl Iterator<Item = &'a str>) -> Option<Tally> {
    let mut tally = Tally::default();
    for count in counts.map(str::trim) {
        // The rest of a remark in parentheses that was split at its comma.
        if count.ends_with(')') && !count.contains('(') {
            continue;
        }
        let (number, what) = count.split_once(' ')?;
        let number: u32 = number.parse().ok()?;
        match what.split('(').next()?.trim() {
            "passed" | "measured" => tally.passed += number,
            "failed" | "exec failed" | "timed out" => tally.failed += number,
            "skipped" | "ignored" | "todo" => tally.skipped += number,
            _ => return None,
        }
    }
    Some(tally)
}

/// Returns a text without the escape sequences for colors (ECMA-48, CSI ... final byte).
fn without_colors(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            let _ = chars.by_ref().skip(1).find(|c| ('@'..='~').contains(c));
        } else {
            plain.push(c);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(passed: u32, failed: u32, skipped: u32) -> Option<Tally> {
        Some(Tally { passed, failed, skipped })
    }

    #[test]
    fn the_summary_of_nextest_is_parsed_with_its_remarks() {
        let good = "     Summary [   4.02s] 120 tests run: 120 passed (2 slow, 1 leaky), 3 skipped\n";
        assert_eq!(nextest(good), counted(120, 0, 3));
        let bad = "Summary [ 1s] 7/9 tests run: 4 passed, 1 failed, 1 exec failed, 1 timed out, 0 skipped\nerror: test run failed\n";
        assert_eq!(nextest(bad), counted(4, 3, 0));
        assert_eq!(nextest("Summary [ 1s] 1 test run: 1 passed, 0 skipped"), counted(1, 0, 0));
    }

    #[test]
    fn the_summary_of_vitest_is_parsed_despite_color_codes() {
        let colored = "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[31m1 failed\u{1b}[39m\u{1b}[2m | \u{1b}[22m\u{1b}[32m11 passed\u{1b}[39m\u{1b}[90m (12)\u{1b}[39m\n   Duration  1s\n";
        assert_eq!(vitest(colored), counted(11, 1, 0));
        let skipping = " Test Files  2 passed (2)\n      Tests  11 passed | 2 skipped | 1 todo (14)\n";
        assert_eq!(vitest(skipping), counted(11, 0, 3));
    }

    #[test]
    fn the_results_of_doc_tests_are_summed() {
        let output = "running 2 tests\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s\n\n\
            test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.2s\n";
        assert_eq!(doc_tests(output), counted(3, 1, 1));
    }

    #[test]
    fn an_output_without_a_summary_has_no_counts() {
        assert_eq!(nextest("error: could not compile `quadrex`"), None);
        assert_eq!(vitest("      Tests  no tests\n"), None);
        assert_eq!(doc_tests("error: no library"), None);
        assert_eq!(nextest("Summary [ 1s] 2 tests run: 1 passed, 1 vanished"), None);
    }
}
