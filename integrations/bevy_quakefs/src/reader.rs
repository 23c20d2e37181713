//! Reads files of the search path as assets, and folders of the merged tree as asset folders.

use std::io::{self, SeekFrom};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};

use bevy_asset::io::{
    AssetReader, AssetReaderError, PathStream, Reader, ReaderNotSeekableError, STACK_FUTURE_SIZE,
    SeekableReader, StackFuture,
};
use bevy_tasks::AsyncComputeTaskPool;
use futures_io::{AsyncRead, AsyncSeek};
use quakefs::archive::Method;
use quakefs::sentences::Help as _;
use quakefs::why::Explanation;
use quakefs::{Error, File, FileData, SearchPath};

use crate::QuakeAssets;
use crate::names::{asset_path, name_of};

/// Reads the search path that is current when a load begins.
pub(crate) struct QuakeReader(pub(crate) QuakeAssets);

impl QuakeReader {
    fn search_path(&self) -> Result<SearchPath, AssetReaderError> {
        self.0.search_path().map_err(of_error)
    }

    async fn file(&self, path: &Path, name: Vec<u8>) -> Result<DataReader, AssetReaderError> {
        let search_path = self.search_path()?;
        let Some(file) = search_path.find(&name).map(File::into_owned) else {
            return Err(missing(path, name, search_path).await);
        };
        // decoding takes processor time: it runs on the pool for computations
        let data = match AsyncComputeTaskPool::try_get().filter(|_| is_compressed(&file)) {
            Some(pool) => pool.spawn(async move { file.read() }).await,
            None => file.read(),
        };
        Ok(DataReader { data: data.map_err(of_error)?, at: 0 })
    }
}

/// Explains why a file is missing. The explanation opens skipped archives, so it runs on the pool for
/// computations.
async fn missing(path: &Path, name: Vec<u8>, search_path: SearchPath) -> AssetReaderError {
    let because = move || match quakefs::why::explain(&search_path, &name) {
        Explanation::Missing(missing) if missing.cause != "not-there" => {
            Some((missing.to_string(), missing.help(None)))
        }
        _ => None,
    };
    let because = match AsyncComputeTaskPool::try_get() {
        Some(pool) => pool.spawn(async move { because() }).await,
        None => because(),
    };
    let Some((because, help)) = because else { return AssetReaderError::NotFound(path.to_owned()) };
    let help = help.map(|help| format!(" ({help})")).unwrap_or_default();
    io::Error::new(io::ErrorKind::NotFound, format!("{because}{help}")).into()
}

fn is_compressed(file: &File<'_>) -> bool {
    let entry = file.entry().and_then(|entry| file.layer().archive()?.entry(entry));
    entry.is_some_and(|entry| entry.row().method != Method::Stored)
}

fn of_error(error: Error) -> AssetReaderError {
    io::Error::from(error).into()
}

impl AssetReader for QuakeReader {
    async fn read<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        let name = name_of(path).ok_or_else(|| AssetReaderError::NotFound(path.to_owned()))?;
        self.file(path, name.into_bytes()).await
    }

    async fn read_meta<'a>(&'a self, path: &'a Path) -> Result<impl Reader + 'a, AssetReaderError> {
        let missing = || AssetReaderError::NotFound(path.to_owned());
        let name = format!("{}.meta", name_of(path).ok_or_else(missing)?);
        // most assets have none: skip the explanation
        self.search_path()?.find(&name).ok_or_else(missing)?;
        self.file(path, name.into_bytes()).await
    }

    async fn read_directory<'a>(&'a self, path: &'a Path) -> Result<Box<PathStream>, AssetReaderError> {
        let missing = || AssetReaderError::NotFound(path.to_owned());
        let folder = name_of(path).ok_or_else(missing)?;
        let search_path = self.search_path()?;
        let entries = search_path.read_dir(&folder).map_err(|_| missing())?;
        let prefix =
            if folder.is_empty() { String::new() } else { format!("{}/", folder.trim_end_matches('/')) };
        let paths = entries.into_iter().filter_map(|entry| match &entry.file {
            Some(file) if file.name().as_bytes().ends_with(b".meta") => None,
            Some(file) => asset_path(file.name().as_bytes()).map(PathBuf::from),
            None => asset_path(entry.name.as_bytes()).map(|name| PathBuf::from(format!("{prefix}{name}"))),
        });
        let paths: Vec<_> = paths.collect();
        Ok(Box::new(futures_lite::stream::iter(paths)))
    }

    async fn is_directory<'a>(&'a self, path: &'a Path) -> Result<bool, AssetReaderError> {
        let Some(folder) = name_of(path) else { return Ok(false) };
        Ok(self.search_path()?.is_dir(folder))
    }
}

/// The bytes of a file, borrowed from the archive if it stores them uncompressed.
struct DataReader {
    data: FileData,
    at: usize,
}

impl DataReader {
    fn rest(&self) -> &[u8] {
        self.data.get(self.at..).unwrap_or_default()
    }
}

impl AsyncRead for DataReader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let count = io::Read::read(&mut self.rest(), buffer)?;
        self.at += count;
        Poll::Ready(Ok(count))
    }
}

impl AsyncSeek for DataReader {
    fn poll_seek(mut self: Pin<&mut Self>, _: &mut Context<'_>, to: SeekFrom) -> Poll<io::Result<u64>> {
        let mut cursor = io::Cursor::new(&*self.data);
        cursor.set_position(self.at as u64);
        let place = io::Seek::seek(&mut cursor, to)?;
        self.at = usize::try_from(place).map_err(io::Error::other)?;
        Poll::Ready(Ok(place))
    }
}

impl Reader for DataReader {
    fn read_to_end<'a>(
        &'a mut self,
        buffer: &'a mut Vec<u8>,
    ) -> StackFuture<'a, io::Result<usize>, STACK_FUTURE_SIZE> {
        StackFuture::from(async move {
            let rest = self.rest();
            buffer.extend_from_slice(rest);
            let count = rest.len();
            self.at += count;
            Ok(count)
        })
    }

    fn seekable(&mut self) -> Result<&mut dyn SeekableReader, ReaderNotSeekableError> {
        Ok(self)
    }
}
