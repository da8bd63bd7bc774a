//! The program driven by python-chess, an independent UCI client.

use std::path::Path;
use std::process::Command;

#[test]
fn python_chess_plays_a_whole_game_with_the_engine() {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/python/uci_match.py");
    let mut client = Command::new(&python);
    client.arg(script).arg(env!("CARGO_BIN_EXE_quadrex")).arg("uci");
    let output = client.output().unwrap();
    let (stdout, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let hint = "PYTHON must have the packages of tests/python/requirements.txt; `cargo xtask test rust` installs them";
    assert!(output.status.success(), "{errors}\n{hint}");
    assert!(stdout.ends_with("every way to search\n"), "{stdout}");
    print!("{stdout}");
}
