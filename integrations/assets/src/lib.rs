//! Implements traits of other crates with quakefs: see `examples/`.
