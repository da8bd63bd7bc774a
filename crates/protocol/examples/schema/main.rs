//! Writes the generated files to a folder, from which `cargo xtask gen` copies them: `generated.ts`
//! and the JSON Schemas under `schema/`, which describe the wire types, and `positions.ts`, the
//! boards of the client's page about the rules.

mod lessons;

use std::path::PathBuf;
use std::{fs, io};

use quadrex_protocol::schema;

fn main() -> io::Result<()> {
    let folder: PathBuf = std::env::args_os().nth(1).ok_or(io::ErrorKind::InvalidInput)?.into();
    fs::create_dir_all(folder.join("schema"))?;
    fs::write(folder.join("generated.ts"), schema::typescript())?;
    for (name, text) in schema::json_schemas() {
        fs::write(folder.join("schema").join(name), text)?;
    }
    fs::write(folder.join("positions.ts"), lessons::typescript())?;
    Ok(())
}
