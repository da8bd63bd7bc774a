//! The check of relative links between documents.

use anyhow::Result;

use super::tree::Tree;

pub(crate) fn check(tree: &Tree) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (path, text) in tree.texts_in("", ".md") {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (number, target) in links(text) {
            let file = target.split(['#', '?']).next().unwrap_or_default();
            let found = resolved(folder, file).is_some_and(|file| tree.contains_path(&file));
            if !file.is_empty() && !found {
                faults.push(format!("{path}:{number}: {target} leads nowhere"));
            }
        }
    }
    Ok(faults)
}

/// Returns the targets of relative inline links and images, with their line numbers. Code blocks
/// are skipped.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            // Every second part is between backticks.
            let prose = line.split('`').step_by(2);
            let targets = prose
                .flat_map(|piece| piece.split("](").skip(1))
                .filter_map(|rest| rest.split([')', ' ']).next());
            links.extend(targets.filter(|target| !target.contains(':')).map(|target| (number + 1, target)));
        }
    }
    links
}

/// Resolves a relative path to a path from the root, or to `None` if it is outside of the
/// repository.
fn resolved(folder: &str, target: &str) -> Option<String> {
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in target.split('/').filter(|name| !name.is_empty() && *name != ".") {
        if name == ".." {
            names.pop()?;
        } else {
            names.push(name);
        }
    }
    Some(names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_are_faults_and_valid_external_and_quoted_links_are_not() {
        let text = "[a](b.md) [c](../README.md#top) [d](https://example.org/x.md) [e](#here)\n\
            [f](gone.md), `[g](quoted.md)` ![h](img/gone.png \"title\")\n\
            ```\n[i](fenced.md)\n```\n[j](../../outside.md)\n";
        let tree =
            Tree::with_files(&[("docs/a.md", text), ("docs/b.md", ""), ("README.md", "[docs](docs/)")]);
        let expected = [
            "docs/a.md:2: gone.md leads nowhere",
            "docs/a.md:2: img/gone.png leads nowhere",
            "docs/a.md:6: ../../outside.md leads nowhere",
        ];
        assert_eq!(check(&tree).unwrap(), expected);
    }
}
