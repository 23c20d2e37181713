//! In place of folders where the library is built without the feature `fs`: there are none.

use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};

use super::folder_list::{Detail, FolderList, NoFile};
use crate::data::{FileData, FileReader};
use crate::error::Error;
use crate::finding::FindingKind;

pub(crate) enum Folder {}

#[expect(dead_code, reason = "the answers of a folder that is there")]
pub(crate) enum FolderAnswer {
    File { name: Option<Box<[u8]>>, size: u64 },
    Nothing,
    Hides,
}

impl Folder {
    pub(crate) fn find(&self, _: &[u8]) -> FolderAnswer {
        match *self {}
    }

    pub(crate) fn root(&self) -> &Utf8Path {
        match *self {}
    }

    pub(crate) fn open(&self, _: &[u8]) -> Result<FileReader, Error> {
        match *self {}
    }

    pub(crate) fn read(&self, _: &[u8]) -> Result<FileData, Error> {
        match *self {}
    }

    pub(crate) fn read_at(&self, _: &[u8], _: u64, _: &mut [u8]) -> Result<usize, Error> {
        match *self {}
    }

    pub(crate) fn modified(&self, _: &[u8]) -> Option<SystemTime> {
        match *self {}
    }

    pub(crate) fn path_of(&self, _: &[u8]) -> Utf8PathBuf {
        match *self {}
    }

    pub(crate) fn size(&self, _: &[u8]) -> u64 {
        match *self {}
    }

    pub(crate) fn list(&self, _: Detail) -> (FolderList, Vec<(String, FindingKind)>) {
        match *self {}
    }

    pub(crate) fn folder_or_pipe(&self, _: &[u8]) -> Option<NoFile> {
        match *self {}
    }

    pub(crate) fn folders_and_pipes(&self) -> Vec<(Vec<u8>, NoFile)> {
        match *self {}
    }

    pub(crate) fn children(&self, _: &[u8]) -> Vec<(Vec<u8>, bool)> {
        match *self {}
    }

    pub(crate) fn has_file(&self, _: &[u8]) -> bool {
        match *self {}
    }

    pub(crate) fn has_folder(&self, _: &[u8]) -> bool {
        match *self {}
    }
}
