//! Pictures and textures of games as images.

use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::marker::PhantomData;

use bevy_app::{App, Plugin};
use bevy_asset::io::{AssetReaderError, Reader};
use bevy_asset::{
    Asset, AssetApp as _, AssetLoader, AssetPath, Assets, Handle, LoadContext, ReadAssetBytesError,
    RenderAssetUsages,
};
use bevy_ecs::error::BevyError;
use bevy_image::Image;
use bevy_reflect::TypePath;
use bevy_tasks::ConditionalSendFuture;
use quakefs_preview::{Budget, Kind, Options, Palette, Picture, Pictures, Preview, preview, readable};
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

/// Loads LMP and WAL as [`Image`], and WAD as [`TextureArchive`].
///
/// Add it *after* `AssetPlugin` or `DefaultPlugins`. It takes the palette from the texture's own source:
/// `gfx/palette.lmp`, or for a WAL `pics/colormap.pcx` first. If both are missing, it uses the palette of
/// Quake. Textures of Half-Life contain their palette. Pixels without a colour are transparent.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuakeTexturePlugin;

impl Plugin for QuakeTexturePlugin {
    fn build(&self, app: &mut App) {
        register::<Image>(app);
        app.init_asset::<TextureArchive>();
        app.init_asset_loader::<Loader<Image>>().init_asset_loader::<Loader<TextureArchive>>();
    }
}

/// Registers a type of Bevy's, which nothing else does without `DefaultPlugins`.
pub(crate) fn register<A: Asset>(app: &mut App) {
    if !app.world().contains_resource::<Assets<A>>() {
        app.init_asset::<A>();
    }
}

/// The textures of a WAD. Each is also a labeled asset: `quake://gfx.wad#conback`.
#[derive(Asset, TypePath, Clone, Debug, Default)]
#[non_exhaustive]
pub struct TextureArchive {
    /// The textures and pictures with their names, in stored order. If names repeat, only the first one is
    /// here, as in an engine.
    pub textures: Vec<(String, Handle<Image>)>,
    /// The number of textures that cannot be read.
    pub damaged: usize,
}

/// The reason why a texture cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// The palette of the game exists but cannot be read.
    #[error("the palette of the game cannot be read: {0}")]
    Palette(#[from] ReadAssetBytesError),
    /// The bytes are not a texture of this kind.
    #[error("{0}")]
    Content(#[from] quakefs_preview::Error),
}

/// An asset that is made from the bytes of one file.
pub(crate) trait Content: Asset + Sized {
    const EXTENSIONS: &'static [&'static str];
    type Error: From<io::Error> + Into<BevyError>;

    fn of(
        bytes: &[u8],
        context: &mut LoadContext<'_>,
    ) -> impl ConditionalSendFuture<Output = Result<Self, Self::Error>>;
}

/// Loads the assets of one type.
#[derive(TypePath)]
pub(crate) struct Loader<C: Content>(PhantomData<C>);

impl<C: Content> Default for Loader<C> {
    fn default() -> Self {
        Loader(PhantomData)
    }
}

impl<C: Content> AssetLoader for Loader<C> {
    type Asset = C;
    type Settings = ();
    type Error = C::Error;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<C, C::Error> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        C::of(&bytes, context).await
    }

    fn extensions(&self) -> &[&str] {
        C::EXTENSIONS
    }
}

impl Content for Image {
    const EXTENSIONS: &'static [&'static str] = &["lmp", "wal"];
    type Error = TextureError;

    async fn of(bytes: &[u8], context: &mut LoadContext<'_>) -> Result<Image, TextureError> {
        let is_wal = context.path().path().extension().is_some_and(|found| found.eq_ignore_ascii_case("wal"));
        let kind = if is_wal { Kind::Wal } else { Kind::Lump };
        let Pictures { shown, .. } = pictures(kind, bytes, context).await?;
        Ok(shown.first().map(image).unwrap_or_default())
    }
}

impl Content for TextureArchive {
    const EXTENSIONS: &'static [&'static str] = &["wad"];
    type Error = TextureError;

    async fn of(bytes: &[u8], context: &mut LoadContext<'_>) -> Result<TextureArchive, TextureError> {
        let Pictures { shown, damaged, all, .. } = pictures(Kind::TextureArchive, bytes, context).await?;
        if damaged > 0 {
            tracing::warn!("{}: {damaged} of {all} textures cannot be read", context.path());
        }
        let mut known = HashSet::new();
        let mut textures = Vec::new();
        for picture in shown {
            let name = readable(&picture.name);
            if known.insert(name.to_ascii_lowercase()) {
                let handle = context.add_labeled_asset(name.clone(), image(&picture));
                textures.push((name, handle));
            }
        }
        Ok(TextureArchive { textures, damaged })
    }
}

async fn pictures(kind: Kind, bytes: &[u8], context: &mut LoadContext<'_>) -> Result<Pictures, TextureError> {
    /// Each byte is a pixel, and entries of a WAD may share bytes.
    const OF_A_BYTE: u64 = 4;
    let palette = palette(kind, context).await?;
    let budget = Budget::new((bytes.len() as u64).saturating_mul(OF_A_BYTE));
    let mut options = Options::new(&palette);
    (options.side, options.pictures, options.budget) = (u32::MAX, usize::MAX, Some(&budget));
    match preview(kind, bytes, &options)? {
        Preview::Pictures(pictures) => Ok(pictures),
        _ => Ok(Pictures::default()),
    }
}

/// The palette for a texture. Bevy loads the texture again when the palette changes.
pub(crate) async fn palette(kind: Kind, context: &mut LoadContext<'_>) -> Result<Palette, TextureError> {
    if kind == Kind::Wal
        && let Some(bytes) = beside(context, "pics/colormap.pcx").await?
        && let Some(palette) = Palette::from_pcx(&bytes)
    {
        return Ok(palette);
    }
    let lump = beside(context, "gfx/palette.lmp").await?;
    let found = lump.and_then(|bytes| Palette::from_lump(&bytes));
    if found.is_none() && kind == Kind::Wal {
        tracing::warn!("{}: the game has no palette: using the palette of Quake", context.path());
    }
    Ok(found.unwrap_or_else(Palette::quake))
}

/// A file of the same source; `None` if it is missing.
async fn beside(
    context: &mut LoadContext<'_>,
    name: &'static str,
) -> Result<Option<Vec<u8>>, ReadAssetBytesError> {
    let path = AssetPath::from(name).with_source(context.path().source().clone_owned());
    match context.read_asset_bytes(path).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadAssetBytesError::AssetReaderError(error)) if is_miss(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_miss(error: &AssetReaderError) -> bool {
    match error {
        AssetReaderError::NotFound(_) => true,
        // with the explanation of the library
        AssetReaderError::Io(error) => error.kind() == ErrorKind::NotFound,
        AssetReaderError::HttpError(_) => false,
    }
}

fn image(picture: &Picture) -> Image {
    let pixels = &picture.image;
    rgba(pixels.width(), pixels.height(), pixels.rgba().to_vec())
}

/// An image of red, green, blue and opacity.
pub(crate) fn rgba(width: u32, height: u32, pixels: Vec<u8>) -> Image {
    let size = Extent3d { width, height, depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba8UnormSrgb;
    Image::new(size, TextureDimension::D2, pixels, format, RenderAssetUsages::default())
}
