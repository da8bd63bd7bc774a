//! The command line itself: its help, its completions and its manual pages.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn quadrex(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quadrex")).args(arguments).output().unwrap()
}

/// Returns the output of a successful command.
fn printed(arguments: &[&str]) -> String {
    let output = quadrex(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the commands that a help text lists, without `help` itself.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let words = lines.map_while(|line| line.strip_prefix("  ")?.split_whitespace().next());
    words.filter(|word| *word != "help").map(str::to_owned).collect()
}

/// Returns every command as its words: `["database", "grant"]`.
fn commands() -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(words) = open.pop() {
        let arguments: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
        for name in listed(&printed(&arguments)) {
            let inner: Vec<String> = words.iter().cloned().chain([name]).collect();
            commands.push(inner.clone());
            open.push(inner);
        }
    }
    assert!(commands.len() >= 10, "{commands:?}");
    commands
}

fn help(command: &[String]) -> String {
    printed(&command.iter().map(String::as_str).chain(["--help"]).collect::<Vec<_>>())
}

/// Returns the long flags that a help text lists.
fn flags(help: &str) -> BTreeSet<String> {
    let words = help.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("-h, ").or(Some(line)).filter(|line| line.starts_with("--"))
    });
    words.map(|line| line.split([' ', ',', '=']).next().unwrap().to_owned()).collect()
}

/// Returns the texts of a help for a command, its arguments and their values.
fn texts(help: &str) -> Vec<String> {
    let about = help.lines().next().unwrap().to_owned();
    let lines = help.lines().skip_while(|line| !line.ends_with(':')).take_while(|line| *line != "Examples:");
    let mut texts = vec![about];
    for line in lines.map(str::trim_start) {
        let is_item = line.starts_with(['-', '<', '[']);
        let text =
            if is_item { line.split_once("  ").map_or("", |(_, text)| text).trim_start() } else { line };
        let text =
            line.strip_prefix("- ").and_then(|value| value.split_once(':')).map_or(text, |(_, text)| text);
        texts.push(text.trim().to_owned());
    }
    texts.into_iter().filter(|text| text.starts_with(char::is_alphabetic)).collect()
}

#[test]
fn every_help_text_is_plain() {
    let banned = ["Who", "What", "Whose", "Whether", "How", "When", "Where"];
    let private = ["told", "tells", "heard", "anew", "its end", "nothing more"];
    let mut count = 0;
    for command in commands() {
        for text in texts(&help(&command)) {
            let first = text.split(' ').next().unwrap();
            assert!(!banned.contains(&first), "{command:?}: {text:?} begins with a question word");
            let found = private.iter().find(|word| text.split([' ', ',', '.']).any(|other| other == **word));
            assert!(found.is_none(), "{command:?}: {text:?}");
            count += 1;
        }
    }
    assert!(count > 60, "{count} texts were read");
}

/// Every setting has a comment, or shares that of the settings right above it.
#[test]
fn every_setting_is_described_plainly() {
    let banned = ["Who", "What", "Whose", "Whether", "How", "When", "Where", "The same"];
    let (mut comment, mut is_used, mut count) = (String::new(), false, 0);
    for line in include_str!("../../../config/default.toml").lines() {
        if let Some(text) = line.strip_prefix("# ") {
            if std::mem::take(&mut is_used) {
                comment.clear();
            }
            comment = format!("{comment} {text}").trim().to_owned();
        } else if line.contains(" = ") {
            assert!(comment.ends_with('.'), "{line}: {comment:?}");
            let begins = banned.iter().find(|word| comment.starts_with(*word));
            assert!(begins.is_none(), "{line}: {comment:?}");
            is_used = true;
            count += 1;
        } else {
            comment.clear();
        }
    }
    assert!(count >= 60, "{count} settings were read");
}

#[test]
fn completions_are_scripts_that_know_every_command() {
    let commands = commands();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for word in commands.iter().flatten().map(String::as_str).chain(["bind", "standby", "restarts"]) {
            assert!(script.contains(word), "{shell}: {word} is missing");
        }
    }
    let refused = quadrex(&["completions", "tcsh"]);
    assert_eq!(refused.status.code(), Some(2));
}

/// Bash itself lists its completions; it is on every machine that builds this.
#[test]
fn bash_completes_by_the_script() {
    let offered = |words: &str| {
        let mut bash =
            Command::new("bash").args(["-eu", "-s"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let bash = bash.as_mut().unwrap();
        let mut script = printed(&["completions", "bash"]);
        script += &format!(
            "\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             _quadrex quadrex \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD - 1]}}\"\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
        );
        bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let mut output = String::new();
        std::io::Read::read_to_string(&mut bash.stdout.take().unwrap(), &mut output).unwrap();
        assert!(bash.wait().unwrap().success(), "{words}");
        output.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(offered("quadrex ser"), ["serve"]);
    assert_eq!(offered("quadrex serve --sta"), ["--standby"]);
    assert_eq!(offered("quadrex database gr"), ["grant"]);
    assert_eq!(offered("quadrex play --draws d"), ["decline"]);
}

/// The macros of man(7) that a page may use, and those of roff itself.
const MACROS: [&str; 15] =
    [".TH", ".SH", ".SS", ".PP", ".TP", ".RS", ".RE", ".IP", ".nf", ".fi", ".ie", ".el", ".br", ".ds", ".TE"];

fn check_page(page: &str, command: &[String]) {
    for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
        let name = line.split(' ').next().unwrap();
        assert!(MACROS.contains(&name), "{command:?}: {line:?} is no macro of a manual page");
    }
    for head in ["\n.SH NAME\n", "\n.SH SYNOPSIS\n", "\n.SH DESCRIPTION\n"] {
        assert!(page.contains(head), "{command:?} lacks {head:?}");
    }
    let help = help(command);
    for flag in flags(&help) {
        assert!(page.contains(&flag.replace('-', "\\-")), "{command:?}: {flag} is missing");
    }
    for inner in listed(&help) {
        let reference = format!("-{inner}").replace('-', "\\-");
        assert!(page.contains(&format!("{reference}(1)")), "{command:?}: {inner} is missing");
    }
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("made/man1");
    assert_eq!(printed(&["man", "--out", pages.to_str().unwrap()]), "");
    let mut expected: BTreeSet<String> = ["quadrex.1".to_owned()].into();
    check_page(&fs::read_to_string(pages.join("quadrex.1")).unwrap(), &[]);
    for command in commands() {
        let name = format!("quadrex-{}.1", command.join("-"));
        let page = fs::read_to_string(pages.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        check_page(&page, &command);
        expected.insert(name);
    }
    let made = fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(made.collect::<BTreeSet<_>>(), expected);
    check_page(&printed(&["man"]), &[]);
}

#[test]
fn an_error_names_the_folder_that_cannot_be_created() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let output = quadrex(&["man", "--out", file.to_str().unwrap()]);
    assert!(!output.status.success() && output.stdout.is_empty());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with(&format!("quadrex: {}: ", Path::new(&file).display())), "{error}");
}
