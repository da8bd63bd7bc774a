//! Checks of the Dockerfile against the repository and the program.

use super::surface::Surface;
use super::tree::Tree;

/// The path of the file from the root.
pub(crate) const PATH: &str = "Dockerfile";

/// An instruction: its keyword and its arguments, with continued lines joined.
struct Instruction {
    keyword: String,
    rest: String,
}

impl Instruction {
    /// Returns the words of the exec form, which is a JSON list, or `None` for the shell form.
    fn words(&self) -> Option<Vec<String>> {
        serde_json::from_str(self.rest.trim()).ok()
    }
}

/// Returns the faults of a Dockerfile.
pub(crate) fn faults(text: &str, tree: &Tree, surface: &Surface) -> Vec<String> {
    let instructions = instructions(text);
    let last_stage = instructions.iter().rposition(|instruction| instruction.keyword == "FROM").unwrap_or(0);
    let (_, runtime) = instructions.split_at(last_stage);

    let mut faults = faults_of_copies(&instructions, tree);
    faults.extend(faults_of_versions(&instructions, tree));
    faults.extend(faults_of_runtime(runtime, surface));
    faults.into_iter().map(|fault| format!("{PATH}: {fault}")).collect()
}

fn instructions(text: &str) -> Vec<Instruction> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let joined = lines.collect::<Vec<_>>().join("\n").replace("\\\n", " ");
    let split = joined.lines().filter_map(|line| line.trim().split_once(char::is_whitespace));
    split
        .map(|(keyword, rest)| Instruction { keyword: keyword.to_uppercase(), rest: rest.trim().to_owned() })
        .collect()
}

/// Checks that the sources of COPY are files in the repository or files of earlier stages.
fn faults_of_copies(instructions: &[Instruction], tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    let mut stages = Vec::new();
    for instruction in instructions {
        let words: Vec<&str> = instruction.rest.split_whitespace().collect();
        match instruction.keyword.as_str() {
            "FROM" => stages.extend(
                words
                    .iter()
                    .position(|word| word.eq_ignore_ascii_case("as"))
                    .and_then(|at| words.get(at + 1)),
            ),
            "COPY" => {
                let (options, paths): (Vec<&str>, Vec<&str>) =
                    words.iter().copied().partition(|word| word.starts_with("--"));
                let from = options.iter().find_map(|option| option.strip_prefix("--from="));
                let sources = paths.split_last().map_or(&[][..], |(_, sources)| sources);
                match from {
                    Some(stage) if !stages.contains(&stage) => {
                        faults.push(format!("copies from {stage}, which is no stage above"));
                    }
                    Some(_) => {}
                    None => {
                        let missing = sources.iter().filter(|source| {
                            **source != "." && !tree.contains_path(source.trim_start_matches("./"))
                        });
                        faults.extend(missing.map(|source| format!("copies {source}, which is not there")));
                    }
                }
            }
            _ => {}
        }
    }
    faults
}

/// Checks that the Rust image has the version that the workspace requires.
fn faults_of_versions(instructions: &[Instruction], tree: &Tree) -> Option<String> {
    let manifest: toml::Table = toml::from_str(tree.text("Cargo.toml").ok()?).ok()?;
    let asked = manifest["workspace"]["package"]["rust-version"].as_str()?.to_owned();
    let images = instructions.iter().filter(|instruction| instruction.keyword == "FROM");
    let mut tags = images.filter_map(|image| image.rest.strip_prefix("rust:"));
    let fits = tags.any(|tag| tag.split(['-', ' ']).next() == Some(&asked));
    (!fits).then(|| format!("builds with another Rust than {asked}"))
}

fn faults_of_runtime(runtime: &[Instruction], surface: &Surface) -> Vec<String> {
    let the = |keyword: &str| runtime.iter().rev().find(|instruction| instruction.keyword == keyword);
    let mut faults = Vec::new();

    if the("USER").is_none_or(|user| ["root", "0"].contains(&user.rest.split(':').next().unwrap_or_default()))
    {
        faults.push("runs as root".to_owned());
    }
    if the("STOPSIGNAL").is_some_and(|signal| signal.rest != "SIGTERM") {
        faults.push("is not stopped by SIGTERM, which lets everybody go".to_owned());
    }
    if the("EXPOSE").is_none_or(|port| port.rest != surface.port) {
        faults.push(format!("does not expose port {}", surface.port));
    }
    let volumes: Vec<&str> = runtime
        .iter()
        .filter(|instruction| instruction.keyword == "VOLUME")
        .flat_map(|volume| volume.rest.split_whitespace())
        .collect();
    for variables in
        runtime.iter().filter(|instruction| ["ENV", "ARG"].contains(&instruction.keyword.as_str()))
    {
        for (name, value) in variables.rest.split_whitespace().filter_map(|word| word.split_once('=')) {
            faults.extend(surface.fault_of_variable(name));
            if name == "QUADREX_SERVER__DATA" && !volumes.contains(&value) {
                faults.push(format!(
                    "keeps its data in {value}, which is no volume, so the root must be writable"
                ));
            }
            if name == "DATABASE_URL" {
                faults.push("holds the address of a database, which may have a password".to_owned());
            }
            if name == "QUADREX_SERVER__BIND"
                && value.trim_matches('"').rsplit(':').next() != Some(&surface.port)
            {
                faults.push(format!("binds {value}, not port {}", surface.port));
            }
        }
    }

    let start = [the("ENTRYPOINT"), the("CMD")]
        .map(|part| part.and_then(Instruction::words).unwrap_or_default())
        .concat();
    faults.extend(surface.faults_of_command(&start));
    let probe =
        the("HEALTHCHECK").and_then(|check| check.rest.split_once("CMD ")).map(|(_, command)| command);
    match probe.and_then(|command| serde_json::from_str::<Vec<String>>(command).ok()) {
        Some(probe) => faults.extend(surface.faults_of_command(&probe)),
        None => faults.push("has no HEALTHCHECK with a list of words".to_owned()),
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::surface::tests::small_program;
    use super::*;

    const GOOD: &str = r#"# two stages
FROM rust:1.95-slim AS build
COPY Cargo.toml ./crates /build/
RUN cargo build \
    --release
FROM debian:12
COPY --from=build /build/quadrex /usr/local/bin/
ENV QUADREX_SERVER__BIND=0.0.0.0:8080 QUADREX_SERVER__DATA=/data
USER quadrex
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s CMD ["quadrex", "probe", "http://127.0.0.1:8080/readyz"]
ENTRYPOINT ["quadrex"]
CMD ["serve"]
"#;

    fn faults_with(from: &str, to: &str) -> Vec<String> {
        assert!(GOOD.contains(from), "{from}");
        let manifest = "[workspace.package]\nrust-version = \"1.95\"\n";
        let tree = Tree::with_files(&[("Cargo.toml", manifest), ("crates/a/Cargo.toml", "")]);
        faults(&GOOD.replace(from, to), &tree, &small_program())
    }

    #[test]
    fn a_valid_file_has_no_faults() {
        assert_eq!(faults_with("two", "two"), [""; 0]);
    }

    #[test]
    fn every_kind_of_fault_is_detected() {
        for (from, to, fault) in [
            ("COPY Cargo.toml", "COPY Cargo.tom", "copies Cargo.tom, which is not there"),
            ("--from=build", "--from=builder", "copies from builder, which is no stage above"),
            ("rust:1.95", "rust:1.90", "builds with another Rust than 1.95"),
            ("USER quadrex", "USER root", "runs as root"),
            ("USER quadrex\n", "", "runs as root"),
            ("EXPOSE 8080", "EXPOSE 80", "does not expose port 8080"),
            ("__BIND=0.0.0.0:8080", "__BIND=0.0.0.0:80", "binds 0.0.0.0:80, not port 8080"),
            ("QUADREX_SERVER__DATA", "QUADREX_DATA", "QUADREX_DATA is no setting in config/default.toml"),
            (
                "VOLUME /data\n",
                "",
                "keeps its data in /data, which is no volume, so the root must be writable",
            ),
            (
                "USER quadrex\n",
                "USER quadrex\nSTOPSIGNAL SIGKILL\n",
                "is not stopped by SIGTERM, which lets everybody go",
            ),
            (
                "USER quadrex\n",
                "USER quadrex\nENV DATABASE_URL=postgres://a:b@c/d\n",
                "holds the address of a database, which may have a password",
            ),
            ("\"serve\"", "\"server\"", "quadrex has no command \"server\""),
            ("/readyz", "/ready", "the server answers no /ready"),
            (
                "HEALTHCHECK --interval=5s CMD [\"quadrex\", \"probe\", \"http://127.0.0.1:8080/readyz\"]\n",
                "",
                "has no HEALTHCHECK with a list of words",
            ),
        ] {
            assert_eq!(faults_with(from, to), [format!("Dockerfile: {fault}")], "{from} -> {to}");
        }
    }
}
