# Rust: cargo with rustfmt and clippy. A toolchain that is there, such as rustup's, is left alone. Only what is missing comes from
# the system, so that Debian's tools never stand beside a newer compiler of another origin.
if ! command -v cargo >/dev/null; then
  apt cargo rustfmt rust-clippy
elif ! cargo fmt --version >/dev/null 2>&1 || ! cargo clippy --version >/dev/null 2>&1; then
  if command -v rustup >/dev/null; then
    rustup component add rustfmt clippy
  else
    apt rustfmt rust-clippy
  fi
fi
