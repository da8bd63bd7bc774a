//! The program driven by python-chess, which nobody here wrote.

use std::path::Path;
use std::process::Command;

#[test]
fn python_chess_plays_a_whole_game_with_it() {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/python/uci_match.py");
    let mut client = Command::new(&python);
    client.arg(script).arg(env!("CARGO_BIN_EXE_quadrex")).arg("uci");
    let output = client.output().unwrap();
    let (told, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let hint =
        "PYTHON must have what tests/python/requirements.txt names; `cargo xtask test rust` sees to it";
    assert!(output.status.success(), "{errors}\n{hint}");
    assert!(told.ends_with("every way to search\n"), "{told}");
    print!("{told}");
}
