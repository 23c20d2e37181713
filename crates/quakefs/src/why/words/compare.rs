//! Why engines load different files.

use super::{Reader, Said, Say, findings};
use crate::why::Because;

impl Say for Because {
    fn say_to(&self, _: Reader<'_>) -> Said {
        Said::without_help(match self {
            Because::LeftOut { engine, finding, .. } => {
                format!("{engine} does not load {}: {}", finding.place, findings::cause(finding))
            }
            Because::NotLoaded { engine, layer, .. } => format!("{engine} does not load {layer}"),
            Because::Case { engine, .. } => format!("{engine} compares case"),
            Because::HiddenBySpelling { engine, .. } => {
                format!("in {engine}, a loose file of another spelling hides it")
            }
            Because::ReadDifferently { engine, .. } => format!("{engine} reads the name as another one"),
            Because::Order { engine, rule, .. } => format!("in {engine}, {}", rule.say()),
            Because::Layers => "the layers stand in another order".to_owned(),
        })
    }
}
