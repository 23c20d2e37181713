//! quakefs behind the traits of other crates: see `examples/`.
