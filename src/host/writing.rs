//! All files that the program writes. A text is written beside the old file, under a name that nobody
//! knows beforehand, and put in its place once it is whole: one of the two is always there, and no
//! link is followed. What somebody else wrote is replaced only on request.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::{io, io::Write, thread, time::Duration};

use crate::host::{disk, error::HostError};
use tempfile::{Builder, NamedTempFile};

#[derive(Clone, Copy, Debug)]
pub(crate) struct FileForm {
    /// What such a file is called: `a saved game`.
    pub(crate) called: &'static str,
    pub(crate) is: fn(&str) -> bool,
}

/// Whether a file that somebody else wrote is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Overwrite {
    Yes,
    /// It is not, and this says how it would be.
    No(String),
}

impl Overwrite {
    pub(crate) fn flag(force: bool) -> Overwrite {
        if force { Overwrite::Yes } else { Overwrite::No("`--force` replaces it".to_owned()) }
    }

    /// The error that a file is not replaced, where it is not.
    pub(crate) fn refuse_replacing(
        &self,
        path: &Path,
        what: impl Into<String>,
    ) -> Result<(), HostError> {
        let Overwrite::No(how) = self else { return Ok(()) };
        let (path, what) = (path.display().to_string(), what.into());
        Err(HostError::NotReplaced { path, what, help: format!("choose another name; {how}") })
    }
}

/// A file that the program writes, perhaps again and again. Its lock keeps other programs away.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    file: Option<File>,
    /// Whether a link is followed, and a device written.
    follows: bool,
    private: bool,
}

impl OutputFile {
    /// Opens a file that somebody names, as far as `overwrite` and its form allow; removes leftovers.
    pub(crate) fn open_named(
        path: &Path,
        form: FileForm,
        overwrite: &Overwrite,
    ) -> Result<OutputFile, HostError> {
        remove_leftovers(path);
        check_writable(path, form, overwrite)?;
        let follows = *overwrite == Overwrite::Yes;
        let mut out = OutputFile { path: path.to_owned(), file: None, follows, private: false };
        let place = out.real_path();
        if place.is_file() {
            let taken = lock(&place).map_err(|error| disk::unwritable(path, &error))?;
            let busy = || HostError::Busy { path: path.display().to_string() };
            out.file = Some(taken.ok_or_else(busy)?);
        }
        Ok(out)
    }

    /// A file in the folder of the program, where there is none yet.
    pub(crate) fn private(path: PathBuf) -> OutputFile {
        remove_leftovers(&path);
        OutputFile { path, file: None, follows: false, private: true }
    }

    /// A file in the folder of the program that is there; none where another program has it.
    pub(crate) fn take_existing(path: &Path) -> io::Result<Option<OutputFile>> {
        let out = |file| OutputFile { file: Some(file), ..OutputFile::private(path.to_owned()) };
        Ok(lock(path)?.map(out))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write_whole(&mut self, text: &str) -> Result<(), HostError> {
        let place = self.real_path();
        let written = if self.follows && place.exists() && !place.is_file() {
            // A device or a pipe is no file that could be put in another's place.
            let device = OpenOptions::new().write(true).open(&place);
            device.and_then(|mut device| device.write_all(text.as_bytes()))
        } else {
            self.replace_file(&place, text)
        };
        written.map_err(|error| match error.kind() {
            // Nothing was there when this program looked.
            io::ErrorKind::AlreadyExists => {
                HostError::Busy { path: self.path.display().to_string() }
            }
            _ => disk::unwritable(&self.path, &error),
        })
    }

    pub(crate) fn append_text(&mut self, text: &str) -> Result<(), HostError> {
        let _whole = hold();
        let file = self.file.as_mut();
        let added = file.map_or(Ok(()), |file| file.write_all(text.as_bytes()));
        added.map_err(|error| disk::unwritable(&self.path, &error))
    }

    pub(crate) fn remove_file(&mut self) -> Result<(), HostError> {
        self.file = None;
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(disk::unwritable(&self.path, &error))
            }
            _ => Ok(()),
        }
    }

    fn real_path(&self) -> PathBuf {
        let behind = if self.follows { self.path.canonicalize().ok() } else { None };
        behind.unwrap_or_else(|| self.path.clone())
    }

    fn replace_file(&mut self, place: &Path, text: &str) -> io::Result<()> {
        let _whole = hold();
        let mut beside = create_temporary(place, self.private)?;
        // Where a file system knows no locks the file is written all the same.
        let _ = beside.as_file().try_lock();
        beside.write_all(text.as_bytes())?;
        // Else the name could be there before what it stands for is.
        beside.as_file().sync_all()?;
        let is_there = self.file.is_some();
        if cfg!(windows) {
            // There a file that is open cannot be replaced.
            self.file = None;
        }
        let placed = if is_there || self.private {
            beside.persist(place)
        } else {
            beside.persist_noclobber(place)
        };
        self.file = Some(placed?);
        Ok(())
    }
}

pub(crate) fn write_file(
    path: &Path,
    text: &str,
    form: FileForm,
    overwrite: &Overwrite,
) -> Result<(), HostError> {
    OutputFile::open_named(path, form, overwrite)?.write_whole(text)
}

pub(crate) fn create(path: &Path, text: &str) -> Result<(), HostError> {
    let path = path.to_owned();
    OutputFile { path, file: None, follows: false, private: false }.write_whole(text)
}

/// Writes another text into a file that was read as what it stays.
pub(crate) fn edit(path: &Path, text: &str) -> Result<(), HostError> {
    let any = FileForm { called: "a file", is: |_| true };
    let named = path.canonicalize().unwrap_or_default();
    let help = format!("what it leads to is `{}`", named.display());
    write_file(path, text, any, &Overwrite::No(help))
}

/// Looks whether a file can be written, before work is done for it.
pub(crate) fn check_writable(
    path: &Path,
    form: FileForm,
    overwrite: &Overwrite,
) -> Result<(), HostError> {
    let unwritable = |error: &io::Error| disk::unwritable(path, error);
    if path.is_dir() {
        return Err(unwritable(&io::ErrorKind::IsADirectory.into()));
    }
    let Ok(there) = fs::symlink_metadata(path) else {
        // Whether the folder takes a file.
        return create_temporary(path, true).map(drop).map_err(|error| unwritable(&error));
    };
    if there.is_symlink() {
        return overwrite.refuse_replacing(path, "is a link");
    }
    if !there.is_file() {
        return overwrite.refuse_replacing(path, "is a device or a pipe");
    }
    let ours = there.len() == 0 || disk::read_text(path).is_ok_and(|text| (form.is)(&text));
    if ours { Ok(()) } else { overwrite.refuse_replacing(path, format!("is not {}", form.called)) }
}

/// What files are called that are not whole yet.
const PREFIX: &str = ".astragal-";
const SUFFIX: &str = ".tmp";

/// Who has just begun such a file has perhaps not locked it yet.
const JUST_BEGUN: Duration = Duration::from_secs(1);

/// Removes what programs left in the folder of a file that were killed while they wrote, once for each folder.
fn remove_leftovers(path: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let is_first = SWEPT.lock().is_ok_and(|mut swept| swept.insert(folder.to_owned()));
    // What cannot be listed or removed stays.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(|_| is_first) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) && is_left(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// True for an old file that no program has locked.
fn is_left(path: &Path) -> bool {
    let Ok(data) = fs::symlink_metadata(path) else { return false };
    let age = data.modified().ok().and_then(|at| at.elapsed().ok());
    let is_old = data.is_file() && age.is_some_and(|age| age > JUST_BEGUN);
    is_old && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// A file in the same folder, with the rights of the one that it will replace.
fn create_temporary(place: &Path, private: bool) -> io::Result<NamedTempFile> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    let old = fs::metadata(place).ok().filter(|_| !private);
    // The rights that the system gives to new files, less what the person forbids.
    #[cfg(unix)]
    if old.is_none() && !private {
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}

/// How often a file is looked for that others replace at the same moment.
const TRIES: usize = 100;

/// Locks a file that is there; none where another program has it.
fn lock(path: &Path) -> io::Result<Option<File>> {
    for _ in 0..TRIES {
        let file = File::open(path)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Ok(None);
        }
        // Another program may have put its file in the place of this one before it was locked.
        if is_at(&file, path) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: &fs::Metadata, b: &fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    let there = fs::metadata(path);
    file.metadata().is_ok_and(|file| there.is_ok_and(|there| same(&file, &there)))
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

static WRITING: Mutex<()> = Mutex::new(());

/// Keeps the program from ending in the middle of a file, for as long as what is returned is kept.
/// Nothing waits for long: a disk may hang.
pub(crate) fn hold() -> Option<MutexGuard<'static, ()>> {
    for _ in 0..100 {
        if let Ok(guard) = WRITING.try_lock() {
            return Some(guard);
        }
        thread::sleep(Duration::from_millis(10));
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{FileForm, OutputFile, Overwrite};
    use crate::host::error::HostError;

    #[test]
    fn what_killed_programs_left_is_removed_and_what_is_written_stays() {
        let folder = tempfile::tempdir().expect("there is a folder for such files");
        let before = std::time::SystemTime::now() - std::time::Duration::from_mins(1);
        let begun = |name: &str| {
            let file = fs::File::create(folder.path().join(name)).expect("the folder is new");
            file.set_modified(before).expect("the file is ours");
            file
        };
        begun(".astragal-left.tmp");
        let held = begun(".astragal-held.tmp");
        held.lock().expect("nobody else has it");
        begun("astragal-mine.tmp");
        OutputFile::private(folder.path().join("journal"));
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .expect("the folder is there")
            .map(|it| it.expect("it is there").file_name().to_string_lossy().into_owned())
            .collect();
        left.sort();
        assert_eq!(left, [".astragal-held.tmp", "astragal-mine.tmp"]);
    }

    const SHOUT: FileForm = FileForm { called: "a shout", is: |text| text.ends_with('!') };

    #[test]
    fn a_file_has_one_writer_and_is_whole() {
        let folder = tempfile::tempdir().expect("there is a folder for such files");
        let path = folder.path().join("it");
        let no = Overwrite::flag(false);
        let mut first = OutputFile::open_named(&path, SHOUT, &no).expect("nothing is there");
        let mut other = OutputFile::open_named(&path, SHOUT, &no).expect("nothing is there still");
        first.write_whole("one!").expect("the folder can be written");
        assert!(matches!(other.write_whole("two!"), Err(HostError::Busy { .. })));
        assert!(matches!(
            OutputFile::open_named(&path, SHOUT, &Overwrite::Yes),
            Err(HostError::Busy { .. })
        ));
        first.append_text(" two!").expect("it is open");
        assert_eq!(fs::read(&path).expect("it is there"), b"one! two!");
        drop(first);
        let mut again = OutputFile::open_named(&path, SHOUT, &no).expect("the first one is done");
        again.write_whole("a word").expect("the folder can be written");
        drop(again);
        assert!(matches!(
            OutputFile::open_named(&path, SHOUT, &no),
            Err(HostError::NotReplaced { .. })
        ));
        assert!(OutputFile::open_named(&path, SHOUT, &Overwrite::Yes).is_ok());
    }
}
