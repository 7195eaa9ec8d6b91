//! Rules nest, and so does the code that reads them: it gets a larger stack than usual.

fn main() {
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=4194304");
    println!("cargo::rerun-if-changed=build.rs");
}
