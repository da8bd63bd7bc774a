//! The check that no file contains a path outside of the repository, because the project must work
//! on every machine.

use anyhow::Result;

use super::tree::Tree;

/// The exception. On the machine that runs the checks, this file names the folder of additional
/// recorded games.
const EXCEPTION: &str = ".ci/run";

/// Paths of one machine. They are split, because this file would otherwise contain them.
const MACHINE_PATHS: [&str; 2] = [concat!("../", "shared"), concat!("/wo", "rk/")];

pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| *path != EXCEPTION) {
        for (number, line) in text.lines().enumerate() {
            let named = MACHINE_PATHS.into_iter().find(|place| line.contains(place));
            faults.extend(named.map(|place| format!("{path}:{}: names {place}", number + 1)));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_one_machine_is_a_fault_except_in_one_file() {
        let line = format!("# games in {}/data\n", MACHINE_PATHS[0]);
        let tree = Tree::with_files(&[("docs/a.md", &format!("x\n{line}")), (EXCEPTION, &line)]);
        assert_eq!(check(&tree).unwrap(), [format!("docs/a.md:2: names {}", MACHINE_PATHS[0])]);
    }
}
