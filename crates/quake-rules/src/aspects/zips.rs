//! How the bytes of a ZIP archive are read.

use super::names::NameParts;
use crate::List;
use crate::documented::documented;
use crate::fault::Faults;

documented! {
    /// How an engine reads the bytes of a ZIP archive.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Zips {
        /// Archives that the engine skips.
        pub refused: List<ZipForm>,
        /// Entries that the engine skips. A lower copy then wins.
        pub dropped: List<ZipEntryForm>,
        /// The longest name of an entry; none if no limit is known.
        pub longest_name with "crate::forms::or_none": Option<LongestZipName>,
        /// Whether the engine reads names in lower case, although requests keep their case, as qss does.
        pub lower_cased: bool,
        /// How the engine changes names.
        pub parts: NameParts,
    }
}

impl Zips {
    pub(crate) fn validate(&self, faults: &mut Faults) {
        faults.twice("zips.refused", &self.refused);
        faults.twice("zips.dropped", &self.dropped);
    }
}

documented! {
    /// The longest ZIP entry name, and the effect of a longer one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct LongestZipName {
        /// The longest name in bytes.
        pub most: u32,
        /// How the engine handles a longer name.
        pub then: LongZipName,
    }
}

documented! {
    /// How an engine handles a ZIP entry whose name is too long.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum LongZipName {
        /// The name is cut, as in fte.
        Cut,
        /// The entry is skipped.
        Dropped,
        /// The entry and all entries after it are skipped, as in darkplaces.
        EndsDirectory,
    }
}

documented! {
    /// A form of ZIP archive.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ZipForm {
        /// An archive with a ZIP64 end record.
        Zip64,
        /// An archive that does not begin with an entry, such as a self-extracting program. goldsrc skips it.
        BytesInFront,
        /// An archive with a comment so long that the end record is not in the last 65,535 bytes.
        LongComment,
        /// An archive whose end record counts too many rows.
        CountTooLarge,
        /// An archive with an entry that starts past the end of the file. goldsrc skips it.
        EntryOutside,
    }
}

documented! {
    /// A form of entry in a ZIP.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ZipEntryForm {
        /// An encrypted entry.
        Encrypted,
        /// An entry compressed by a method other than deflate. qss skips it.
        OtherMethod,
        /// An entry whose name is marked as UTF-8. fte skips it.
        Utf8Flag,
        /// An entry whose name has a byte outside ASCII but is not marked as UTF-8.
        NotAscii,
        /// An entry of 0 bytes.
        Empty,
        /// A symbolic link. qss skips it.
        Link,
        /// An entry with the DOS attribute of a folder. darkplaces skips it.
        DosFolder,
        /// An entry whose name ends in `/`, which marks a folder. darkplaces skips it.
        FolderName,
    }
}

#[cfg(test)]
mod tests {
    use crate::ZipForm;
    use crate::fault::tests::check;

    #[test]
    fn a_form_that_is_listed_twice_is_a_fault() {
        check(
            |rules| rules.zips.refused = vec![ZipForm::Zip64, ZipForm::Zip64].into(),
            &["zips.refused[1]: no effect, because it is in the list already"],
        );
    }
}
