# Rust: cargo with rustfmt and clippy. A toolchain that is there, such as rustup's, is left alone. Only what is missing comes from
# the system, so that Debian's tools never stand beside a newer compiler of another origin. Debian stable's own Rust is years old, and says
# things otherwise; the one that it keeps new for its browsers is called -web.
if ! command -v cargo >/dev/null; then
  if [ -n "$(apt-cache show cargo-web 2>/dev/null)" ]; then
    apt cargo-web rustfmt-web rust-web-clippy
  else
    apt cargo rustfmt rust-clippy
  fi
elif ! cargo fmt --version >/dev/null 2>&1 || ! cargo clippy --version >/dev/null 2>&1; then
  if command -v rustup >/dev/null; then
    rustup component add rustfmt clippy
  else
    apt rustfmt rust-clippy
  fi
fi
