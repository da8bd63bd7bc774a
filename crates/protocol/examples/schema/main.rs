//! Writes into a folder what `cargo xtask gen` puts where it belongs: the descriptions of the wire's types, `generated.ts`
//! and the JSON Schemas under `schema/`; and `positions.ts`, the boards that the client's page about the rules shows.

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
