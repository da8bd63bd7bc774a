//! Writes the descriptions of the wire's types into a folder: `generated.ts`, and the JSON Schemas under `schema/`.
//! `cargo xtask gen` runs it and puts each file where it belongs.

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
    Ok(())
}
