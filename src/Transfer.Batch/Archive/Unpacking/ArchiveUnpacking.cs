using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Writes one archive's files, all under temporary names or none. They are published when the archive has been read to the end and is
/// authentic (<see cref="ArchivePublishing"/>); before, nothing of the archive is visible.
/// </summary>
internal sealed class ArchiveUnpacking : ITarTarget
{
    // FAT's step, and a fine one.
    private static readonly TimeSpan CoarsestTime = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan FineTime = TimeSpan.FromMicroseconds(1);

    private readonly UnpackTarget _target;
    private readonly List<Incoming> _entries = [];
    private readonly HashSet<string> _paths = [];
    private readonly bool _isAgain;
    private readonly CancellationToken _ct;
    private SafeFileHandle? _handle;
    private DeltaRebuild? _rebuild;
    private TargetFolder _folder;
    private long _characters;
    private long _offset;
    private long _moved;
    private long _unflushed;
    private long _rebuilt;

    /// <param name="target">The target of the job.</param>
    /// <param name="isAgain">Whether parts of the archive may have been received before.</param>
    /// <param name="ct">Stops single long steps; the caller checks the token between steps.</param>
    public ArchiveUnpacking(UnpackTarget target, bool isAgain, CancellationToken ct)
    {
        _target = target;
        _isAgain = isAgain;
        _ct = ct;
        _folder = target.Folders.Get([]);
    }

    public IReadOnlyList<Incoming> Entries => _entries;

    /// <summary>The error when there is no room for the archive: no file is kept, and the archive is read only for the entries' names.
    /// Null: there is room.</summary>
    public TransferException? Full { get; private set; }

    public void Begin(TarEntry entry)
    {
        if (_entries.Count >= _target.Options.MostEntries)
            throw new TransferException(TransferError.Protocol, $"The archive has more than {_target.Options.MostEntries} entries.");
        _characters += entry.Path.Length + entry.LinkText.Length;
        if (_characters > _target.Options.MostCharacters)
        {
            throw new TransferException(TransferError.Protocol,
                $"The paths in the archive have more than {_target.Options.MostCharacters} characters.");
        }

        var incoming = new Incoming { Entry = entry, MayBeRepeated = _isAgain };
        _entries.Add(incoming);
        if (Full is not null) return;
        try
        {
            Prepare(incoming);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e) || e is TransferException)
        {
            Fail(incoming, LocalErrors.Map(e, "Cannot write", entry.Path));
        }
    }

    public void Write(ReadOnlySpan<byte> content)
    {
        if (_handle is null) return;
        try
        {
            if (_rebuild is null) ReceivedFile.Write(_handle, content, _offset, _entries[^1].WrittenPath);
            else _rebuild.Write(content);
            Advance(_rebuild is null ? content.Length : _rebuild.Written - _offset);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e) || e is TransferException)
        {
            Fail(_entries[^1], LocalErrors.Map(e, "Cannot write", _entries[^1].Target));
        }
    }

    public void End()
    {
        if (_handle is null) return;
        var incoming = _entries[^1];
        try
        {
            _rebuild?.Complete(incoming.Entry.Path);
            if (incoming.Sliced is null && _target.Options.PreserveTimes)
                ReceivedFile.SetTimes(_handle, incoming.Entry, incoming.WrittenPath);
            if (_target.Flush.IsAtOnce) Disk.FlushFile(_handle, incoming.WrittenPath);
            incoming.File?.Complete();
            if (incoming.Sliced is { } sliced) Disk.Close(_handle, sliced.Temporary);
            Close();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e) || e is TransferException)
        {
            Fail(incoming, LocalErrors.Map(e, "Cannot write", incoming.Target));
        }
    }

    public void Invalidate(long ordinal)
    {
        if (ordinal >= _entries.Count)
            throw new TransferException(TransferError.Protocol, "The archive tells of an entry that it does not have.");
        _entries[(int)ordinal].IsInvalid = true;
    }

    /// <summary>Gives the archive up: no file of it stays.</summary>
    public void Abandon()
    {
        Close();
        _target.Options.Progress?.Moved(-_moved);
        _moved = 0;
        foreach (var incoming in _entries)
        {
            incoming.File?.Discard();
            incoming.File = null;
        }
    }

    /// <summary>Takes the written bytes off the count of unflushed ones: they are on the disk, deleted, or not to be flushed.</summary>
    public void ReleaseUnflushed()
    {
        _target.Flush.Wrote(-_unflushed);
        _unflushed = 0;
    }

    private void Prepare(Incoming incoming)
    {
        var entry = incoming.Entry;
        if (entry.Type == TarEntryType.Other)
        {
            throw new TransferException(TransferError.Unsupported,
                $"\"{entry.Path}\" is not written: it is no file, folder or symbolic link.");
        }

        if (entry.Type == TarEntryType.Directory)
        {
            // An empty name must not mean the target itself, which is not the sender's.
            if (entry.Path.Length == 0 && _target.Folders.Refuse(entry.Path, []) is { } nameless) throw nameless;
            incoming.Folder = _target.Folders.Get(entry.Path);
            if (incoming.Folder.Error is { } refused) throw Impossible(incoming, refused);
            return;
        }
        var slash = entry.Path.LastIndexOf('/');
        Enter(slash < 0 ? [] : slash == 0 ? "/" : entry.Path.AsSpan(0, slash));
        var name = entry.Path[(slash + 1)..];
        if ((_folder.Error ?? _target.Folders.Refuse(entry.Path, name)) is { } error) throw Impossible(incoming, error);
        if (entry.Slice is not { Offset: > 0 } && !_paths.Add(entry.Path))
            throw Impossible(incoming, new TransferException(TransferError.Exists, $"\"{entry.Path}\" is in the archive twice."));
        if (!_folder.Claim(name))
        {
            throw Impossible(incoming,
                new TransferException(TransferError.Exists,
                    $"\"{entry.Path}\" differs in its spelling only from another name in its folder: they are the same here."));
        }

        incoming.Target = Path.Join(_folder.Path, name);
        incoming.Parent = _folder;
        if (entry.Slice is { } slice) PrepareSlice(incoming, slice);
        else if (Decide(incoming) && entry.Type == TarEntryType.File) Open(incoming);
    }

    private static TransferException Impossible(Incoming incoming, TransferException error)
    {
        incoming.IsImpossible = true;
        return error;
    }

    private void Enter(ReadOnlySpan<char> relative)
    {
        if (!relative.SequenceEqual(_folder.Relative)) _folder = _target.Folders.Get(relative);
    }

    // Before writing; publishing checks whether the target has changed since.
    private bool Decide(Incoming incoming)
    {
        if (IsSurelyNew(incoming.Entry)) return true;
        if (ReceivedFile.Find(incoming.Target) is not { } there) return true;
        incoming.ExistingType = there.Type;
        var entry = incoming.Entry;
        incoming.IsPublishedBefore = _isAgain && IsSame(incoming, there);
        incoming.IsSkipped = !incoming.IsPublishedBefore
            && !LocalNewFile.MayReplace(_target.Options.Overwrite, incoming.Target, new DateTimeOffset(entry.Modified), there);
        incoming.IsAlike = incoming.IsSkipped && IsSame(incoming, there);
        return !incoming.IsPublishedBefore && !incoming.IsSkipped;
    }

    // Looking at every path costs time, and holds the folder's lock, for which other archives wait to publish. Files that appeared in the
    // folder since it was empty are found when publishing, and then either always replaced or never: no more need be known, except for
    // creating links and building on files.
    private bool IsSurelyNew(TarEntry entry) => !_isAgain
        && (_folder.IsFresh
            || _folder.WasEmpty && entry is { Type: TarEntryType.File, Delta: null }
                && _target.Options.Overwrite is OverwriteMode.Always or OverwriteMode.Fail);

    // An entry that was sent before and not confirmed may have been published all the same.
    private bool IsSame(Incoming incoming, in FileStatus there) => incoming.Entry.Type switch
    {
        TarEntryType.Link => there.Type == RemoteEntryType.Link && LocalLinks.TargetOf(incoming.Target) == incoming.Entry.LinkText,
        _ => _target.Options.PreserveTimes && there.Type == RemoteEntryType.File
            && there.Length == (incoming.Entry.Slice?.Total ?? incoming.Entry.ContentLength)
            && Math.Abs(there.ModifiedTicks - incoming.Entry.Modified.Ticks) <= StepOf(there.ModifiedTicks).Ticks,
    };

    // A time within a second can't be one that a coarse file system has rounded.
    private static TimeSpan StepOf(long ticks) => ticks % TimeSpan.TicksPerSecond == 0 ? CoarsestTime : FineTime;

    private void Open(Incoming incoming)
    {
        SafeFileHandle? source = null;
        if (incoming.Entry.Delta is not null)
        {
            source = OpenBase(incoming);
            if (source is null || IsUnchanged(incoming))
            {
                source?.Dispose();
                incoming.IsPublishedBefore = true;
                return;
            }
        }
        try
        {
            OpenNew(incoming);
            if (source is not null)
            {
                _rebuild = DeltaRebuild.Begin(incoming.Entry.Delta.GetValueOrDefault(), source, _handle!, incoming.WrittenPath,
                    _target.Options.IsOneWay, _ct);
            }

            source = null;
        }
        finally
        {
            source?.Dispose();
        }
    }

    // Null: the result of the delta exists already.
    private SafeFileHandle? OpenBase(Incoming incoming)
    {
        var delta = incoming.Entry.Delta.GetValueOrDefault();
        // Without the hash of the whole base, a sender who knows a part of a file could test guesses at that part by the answer.
        if (_target.Options.IsOneWay && delta.BaseHash is null) throw DeltaRebuild.Unfit(incoming.Entry.Path);
        // Rebuilt files are on the disk beside the old ones, until the archive has been read to the end.
        if (incoming.ExistingType != RemoteEntryType.File || _rebuilt > 0 && delta.Length > _target.Options.MostRebuilt - _rebuilt)
            throw DeltaRebuild.Unfit(incoming.Entry.Path);
        var handle = DeltaRebuild.OpenBase(incoming.Target, incoming.Entry, _target.Options.IsOneWay, _ct);
        if (handle is not null) _rebuilt += delta.Length;
        return handle;
    }

    // The base matches the delta, and is the file itself: if nothing else differs either, nothing need be written.
    private bool IsUnchanged(Incoming incoming)
    {
        var delta = incoming.Entry.Delta.GetValueOrDefault();
        return delta.BaseHash is { } hash && hash.AsSpan().SequenceEqual(delta.Hash) && ReceivedFile.Find(incoming.Target) is { } there
            && IsSame(incoming, there)
            && (OperatingSystem.IsWindows() || !_target.Options.PreserveMode
                || FileStatus.Find(incoming.Target, follow: false)?.Mode == incoming.Entry.Mode);
    }

    private void OpenNew(Incoming incoming)
    {
        incoming.File = LocalNewFile.Create(_folder.Path, replaces: incoming.ExistingType is not null, incoming.Entry.Mode,
            _target.NewFiles);
        _handle = incoming.File.Handle;
        _offset = 0;
    }

    private void PrepareSlice(Incoming incoming, TarSlice slice)
    {
        var entry = incoming.Entry;
        var file = _target.GetSliced(slice.File, name => Begin(incoming, Path.Join(_folder.Path, name), slice));
        if (file.Path != entry.Path || file.Length != slice.Total)
            throw new TransferException(TransferError.Integrity, $"\"{entry.Path}\" is sent as a slice of \"{file.Path}\".");
        incoming.Sliced = file;
        incoming.IsSkipped = file.IsSkipped;
        incoming.IsAlike = file.IsAlike;
        if (file.Error is { } error) throw error;
        if (file.IsSkipped || file.IsPublishedBefore || file.IsPublished || file.IsSuperseded) return;
        // Writing the slice once more would change the file's time, if another lane publishes the file meanwhile.
        if (file.Has(slice.Offset, entry.Length)) return;
        _handle = file.Open();
        _offset = slice.Offset;
    }

    private SlicedFile Begin(Incoming incoming, string temporary, TarSlice slice)
    {
        TransferException? error = null;
        var writes = false;
        try
        {
            writes = Decide(incoming);
        }
        catch (TransferException e)
        {
            error = e;
        }
        var file = new SlicedFile(incoming.Entry.Path, slice.Total, incoming.Target, temporary)
        {
            Error = error,
            IsSkipped = incoming.IsSkipped,
            IsAlike = incoming.IsAlike,
            IsPublishedBefore = incoming.IsPublishedBefore,
            Replace = incoming.ExistingType is not null,
            Number = slice.File,
        };
        if (writes) file.ReadRecord();
        return file;
    }

    // Everything else would end in the same way.
    private void Fail(Incoming incoming, TransferException error)
    {
        if (_rebuild is not null) Advance(-_offset);
        Close();
        if (error.Error == TransferError.Quota)
        {
            Full = error;
            Abandon();
            return;
        }
        incoming.Error = error;
        incoming.File?.Discard();
        incoming.File = null;
    }

    private void Advance(long bytes)
    {
        _offset += bytes;
        _moved += bytes;
        _unflushed += bytes;
        _target.Flush.Wrote(bytes);
        _target.Options.Progress?.Moved(bytes);
    }

    private void Close()
    {
        _rebuild?.Dispose();
        _rebuild = null;
        // Other handles belong to their files.
        if (_entries is [.., { Sliced: not null }]) _handle?.Dispose();
        _handle = null;
    }
}
