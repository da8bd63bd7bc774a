//! Says what beside the sources the library is made from.

fn main() {
    // The migrations are built in by a macro, which sees changed files but not new ones.
    println!("cargo::rerun-if-changed=../../migrations");
}
