//! The check that the project is self-contained: no file contains a path outside of the repository.

use anyhow::Result;

use super::tree::Tree;

/// The exception. This file contains the folder of additional recorded games on the machine that
/// runs the checks.
const EXCEPTION: &str = ".ci/run";

/// Paths that exist only on one machine. They are split, because otherwise this file would contain
/// them.
const PLACES: [&str; 2] = [concat!("../", "shared"), concat!("/wo", "rk/")];

pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| *path != EXCEPTION) {
        for (number, line) in text.lines().enumerate() {
            let named = PLACES.into_iter().find(|place| line.contains(place));
            faults.extend(named.map(|place| format!("{path}:{}: names {place}", number + 1)));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_path_is_a_fault_outside_of_the_exceptions() {
        let line = format!("# games in {}/data\n", PLACES[0]);
        let tree = Tree::planted(&[("docs/a.md", &format!("x\n{line}")), (EXCEPTION, &line)]);
        assert_eq!(check(&tree).unwrap(), [format!("docs/a.md:2: names {}", PLACES[0])]);
    }
}
