//! Compares the header with the functions; with `ASTRAGAL_HEADER=1` writes it.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=src/lib.rs");
    println!("cargo::rerun-if-changed=include/astragal.h");
    println!("cargo::rerun-if-env-changed=ASTRAGAL_HEADER");
    let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the package is");
    let header = Path::new(&folder).join("include/astragal.h");
    let config = cbindgen::Config {
        language: cbindgen::Language::C,
        cpp_compat: true,
        include_guard: Some("ASTRAGAL_H".to_owned()),
        documentation_style: cbindgen::DocumentationStyle::C99,
        header: Some(
            "// Games from rules, by numbers: made from bindings/c/src/lib.rs.".to_owned(),
        ),
        style: cbindgen::Style::Type,
        ..cbindgen::Config::default()
    };
    let made = cbindgen::Builder::new()
        .with_crate(&folder)
        .with_config(config)
        .generate()
        .expect("the functions fit into a header");
    let mut text = Vec::new();
    made.write(&mut text);
    if std::env::var_os("ASTRAGAL_HEADER").is_some() {
        std::fs::write(&header, &text).expect("the header can be written");
    }
    let written = std::fs::read(&header).unwrap_or_default();
    assert!(
        written == text,
        "the header is old: run `ASTRAGAL_HEADER=1 cargo build` in bindings/c"
    );
}
