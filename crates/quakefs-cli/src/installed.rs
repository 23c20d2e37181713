//! The places of installed games.

use quakefs_installed::Places;

use crate::console::Environment;

/// The places to search for installed games.
pub(crate) fn places(environment: &Environment) -> Places {
    let (home, system) = (environment.home.clone(), environment.system.clone());
    let places = Places { home, system, ..Places::default() };
    #[cfg(windows)]
    let places = if places.system.is_some() { places.registry() } else { places };
    places
}
