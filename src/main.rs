//! The program `astragal`.

fn main() -> std::process::ExitCode {
    astragal::main()
}
