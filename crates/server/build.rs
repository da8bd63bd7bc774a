//! Says what beside the sources the library is made from.

use std::path::Path;

fn main() {
    // The migrations and the browser client are built in by macros, which see changed files but not new ones.
    println!("cargo::rerun-if-changed=../../migrations");
    // Cargo takes a missing path for one that always changes, so a client that is not built yet is awaited a folder above.
    let client = if Path::new("../web/dist").exists() { "../web/dist" } else { "../web" };
    println!("cargo::rerun-if-changed={client}");
}
