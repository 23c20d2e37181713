//! Your own rules: WinQuake, except that loose files win, all archives are loaded, and case is ignored.
//!
//! `cargo run --example own_rules`

use std::error::Error;

use quakefs::rules::Case;
use quakefs::rules::{ArchiveSet, Gaps, LoadOrderCase, LooseCase, LoosePosition, Order};
use quakefs::{Engine, Rules, SearchPath};

const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/game");

fn rules() -> Rules {
    let mut rules = Engine::WinQuake.rules().clone();
    rules.name = "myengine".into();
    rules.loose.position = LoosePosition::Above;
    rules.loose.case = LooseCase::Ignored;
    rules.archives.case = Case::Ignored;
    rules.archives.sets = vec![
        ArchiveSet::Numbered {
            stem: quakefs::rules::STEM.into(),
            extensions: vec!["pak".into()].into(),
            count: Some(10),
            gaps: Gaps::Skip,
            case: quakefs::rules::NumberedCase::Lower,
        },
        ArchiveSet::Others {
            alike: LoadOrderCase::Loaded,
            extensions: vec!["pak".into()].into(),
            extension_case: Case::Ignored,
            order: Order::IgnoreCase,
        },
    ]
    .into();
    rules
}

fn main() -> Result<(), Box<dyn Error>> {
    let engines = [("winquake", Engine::WinQuake.rules().clone()), ("myengine", rules())];
    for (name, rules) in engines {
        let quake = SearchPath::builder(GAME).rules(rules).game("gapmod").mount()?;
        println!("{name}");
        let layers: Vec<_> = quake.layers().map(quakefs::Layer::name).collect();
        println!("  layers          {}", layers.join(" "));
        for request in ["maps/start.bsp", "MAPS/GAP3.BSP"] {
            let found = quake.find(request);
            let from = found.as_ref().map_or("nowhere", |file| file.layer().name());
            println!("  {request:15} {from}");
        }
        println!("  skipped         {}", quake.findings().count());
    }
    Ok(())
}
