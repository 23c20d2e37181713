//! `.mdl`: the skins of a model of Quake.

use quake_content::model::AliasModel;

use crate::{Error, Options, Picture, Pictures};

pub(crate) fn read(bytes: &[u8], options: &Options<'_>) -> Result<Pictures, Error> {
    let model = AliasModel::parse(bytes)?;
    if model.width == 0 || model.height == 0 {
        return Err(Error::Size { width: model.width, height: model.height });
    }
    let skins =
        model.skins().map(|skin| Picture::indexed(Vec::new(), skin?.picture, None, options).map(Some));
    Pictures::first(options.pictures, model.skins, skins)
}
