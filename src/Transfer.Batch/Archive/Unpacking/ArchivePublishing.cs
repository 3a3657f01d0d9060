using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Carriers;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Publishes the files of an archive, when all of it is known to be authentic, and makes them safe. A file that replaces another, or a
/// slice, is on the disk before: after a power cut there is the old file or the new one.
/// </summary>
internal sealed class ArchivePublishing
{
    private readonly UnpackTarget _target;
    private readonly List<ArchiveFailure> _failures = [];
    private readonly List<string> _skipped = [];
    private readonly List<string> _different = [];
    private readonly List<ItemResult> _items = [];
    private readonly FlushList _written;
    private readonly List<string> _unproved = [];
    private ArchiveFailure? _passing;
    private long _files;

    /// <param name="target">Where to.</param>
    public ArchivePublishing(UnpackTarget target)
    {
        _target = target;
        _written = new FlushList(target.Folders);
    }

    /// <summary>How the items ended, in their order.</summary>
    public IReadOnlyList<ItemResult> Items => _items;

    /// <summary>Publishes all entries. Not cancelled: publishing is short, and half an archive is of no use.</summary>
    /// <returns>The receipt for the sender, without the archive's number and digest.</returns>
    /// <exception cref="TransferException">The file system can't be made to write.</exception>
    public async ValueTask<ArchiveReceipt> RunAsync(IReadOnlyList<Incoming> entries)
    {
        await _target.Flush.RunAsync(Before(entries)).ConfigureAwait(false);
        await SettleAsync(entries).ConfigureAwait(false);
        try
        {
            await _target.Flush.RunAsync(_written).ConfigureAwait(false);
        }
        catch
        {
            // Their content may be missing on the disk although the files look complete: a sender that returned would count them as
            // received.
            foreach (var path in _unproved) DiskFiles.Discard(path, _target.Options.Logger);
            throw;
        }
        return new ArchiveReceipt(0, default, _files, _failures) { Skipped = _skipped, Different = _different, Passing = _passing };
    }

    // One folder after the other, so that no other archive publishes there at the same time.
    private async ValueTask SettleAsync(IReadOnlyList<Incoming> entries)
    {
        TargetFolder? folder = null;
        try
        {
            foreach (var incoming in entries)
            {
                if (incoming.Parent != folder)
                {
                    folder?.Naming.Release();
                    folder = null;
                    if (incoming.Parent is { } next) await next.Naming.WaitAsync().ConfigureAwait(false);
                    folder = incoming.Parent;
                }
                if (incoming.IsInvalid) incoming.File?.Discard();
                else Settle(incoming);
            }
        }
        finally
        {
            folder?.Naming.Release();
        }
    }

    private FlushList Before(IReadOnlyList<Incoming> entries)
    {
        var before = new FlushList(_target.Folders);
        foreach (var incoming in entries)
        {
            if (incoming.IsInvalid || incoming.Error is not null || incoming.Parent is not { } folder) continue;
            if (incoming.Sliced is { } file) AddSlice(before, folder, file, file.Temporary);
            else if (incoming.File is { } written && (incoming.ExistingType is not null || CanReplace(folder, written)))
                before.Add(folder, written.Path);
        }
        return before;
    }

    // The folder was empty at first, so later files in it went unnoticed and may be replaced. A file without a name is flushed when one is
    // found.
    private bool CanReplace(TargetFolder folder, LocalNewFile file) =>
        file.HasName && folder is { IsFresh: false, WasEmpty: true } && _target.Options.Overwrite == OverwriteMode.Always;

    private static void AddSlice(FlushList list, TargetFolder folder, SlicedFile file, string path)
    {
        if (!file.IsSkipped && !file.IsPublishedBefore && !file.IsSuperseded && file.Error is null) list.Add(folder, path);
    }

    private void Settle(Incoming incoming)
    {
        var path = incoming.Entry.Path;
        // The sender waits only for the version that replaced this one.
        if (incoming.Sliced is { IsSuperseded: true }) return;
        try
        {
            if (incoming.Error is { } error) throw error;
            if (incoming.Folder is { } folder)
            {
                _written.Add(folder);
                Describe(folder, incoming.Entry);
            }
            else if (incoming.Sliced is { } file)
            {
                Assemble(file, incoming);
                // The record of received slices is in the file itself.
                AddSlice(_written, incoming.Parent!, file, file.IsPublished ? file.Target : file.Temporary);
                if (file.IsPublishedBefore) _written.Add(incoming.Parent!, file.Target);
            }
            else if (incoming.IsSkipped)
            {
                Skip(incoming);
            }
            else
            {
                Publish(incoming);
                // A replacement was flushed before.
                if (incoming.Entry.Type == TarEntryType.Link || incoming.ExistingType is not null && !incoming.IsPublishedBefore)
                    _written.Add(incoming.Parent!);
                else _written.Add(incoming.Parent!, incoming.Target);
            }
        }
        catch (Exception e) when (LocalErrors.IsLocal(e) || e is TransferException)
        {
            var error = LocalErrors.Map(e, "Cannot write", path);
            incoming.File?.Discard();
            _failures.Add(new ArchiveFailure(path, error.Error, error.Message));
            if (!incoming.WillBeSentWhole && CanPass(incoming, error)) _passing ??= _failures[^1];
            if (!incoming.WillBeSentWhole) _items.Add(new ItemResult { Path = path, Error = error });
            else if (_target.Options.IsOneWay) _items.Add(new ItemResult { Path = path, Error = Unfit(path, error) });
        }
    }

    // Refusals of this code are lasting, except for a file that may not be replaced; errors of the system may pass.
    private static bool CanPass(Incoming incoming, TransferException error) =>
        error.Error != TransferError.Unsupported
        && (error.InnerException is not null || error.Error == TransferError.Exists && !incoming.IsImpossible);

    private static TransferException Unfit(string path, TransferException error) => new(
        TransferError.Integrity,
        $"\"{path}\" came as changes, and what is here is not the version that its sender builds on. What is here stays, and its "
        + "sender's next job brings it whole.", error);

    private void Publish(Incoming incoming)
    {
        var entry = incoming.Entry;
        if (!incoming.IsPublishedBefore)
        {
            if (entry.Type == TarEntryType.Link) Link(incoming);
            else if (!TryPublish(incoming, incoming.File!.Path, incoming.ExistingType is not null, incoming.File.Publish))
                incoming.File.Discard();
            else if (incoming.ExistingType is null && !incoming.File.IsProved) _unproved.Add(incoming.Target);
        }
        _target.Supersede(entry.Path, long.MaxValue);
        Done(entry.Path, entry.ContentLength, entry.Type);
    }

    private void Link(Incoming incoming)
    {
        var temporary = incoming.ExistingType is null
            ? null : Path.Join(Path.GetDirectoryName(incoming.Target), _target.TemporaryNames.Next());
        try
        {
            _target.Folders.Link(incoming.Target, incoming.Entry.LinkText, _target.Options.PreserveTimes ? incoming.Entry.Modified : null,
                temporary);
        }
        catch (TransferException e)
            when (incoming.MayBeRepeated && e.Error == TransferError.Exists
                && LocalLinks.TargetOf(incoming.Target) == incoming.Entry.LinkText)
        {
            // As of a file below.
        }
    }

    // A file that appeared after the decision is replaced only with OverwriteMode.Always. But an earlier receiver of the same archive, lost
    // to the sender, may have gone on to this moment: then the existing file serves as well, if equal to the last byte, and in time too.
    // False: this is so, and the received file is not needed.
    private bool TryPublish(Incoming incoming, string come, bool replace, Action<string, bool> publish)
    {
        replace |= _target.Options.Overwrite == OverwriteMode.Always;
        try
        {
            publish(incoming.Target, replace);
            return true;
        }
        catch (IOException e)
            when (incoming.MayBeRepeated && !replace && LocalErrors.Map(e, "Cannot write", incoming.Target).Error == TransferError.Exists)
        {
            if (!ReceivedFile.IsAlike(come, incoming.Target, _target.Options.PreserveTimes)) throw;
            return false;
        }
    }

    private void Assemble(SlicedFile file, Incoming incoming)
    {
        var entry = incoming.Entry;
        var slice = entry.Slice.GetValueOrDefault();
        if (file.IsSkipped)
        {
            Skip(incoming);
            return;
        }
        if (file.IsPublishedBefore && file.CountRepeated(slice.Offset, entry.Length) || !file.IsPublishedBefore
            && file.Add(slice.Offset, entry.Length))
        {
            if (!file.IsPublishedBefore) Finish(file, incoming);
            _target.Supersede(file.Path, file.Number);
            Done(file.Path, file.Length, TarEntryType.File);
        }
    }

    private void Finish(SlicedFile file, Incoming incoming)
    {
        var entry = incoming.Entry;
        try
        {
            var whole = LocalNewFile.Adopt(file.Open(), file.Temporary, entry.Mode, _target.NewFiles);
            using (var handle = whole.Handle)
            {
                DiskFiles.SetLength(handle, file.Length, file.Temporary);
                if (_target.Options.PreserveTimes) ReceivedFile.SetTimes(handle, entry, file.Temporary);
                if (_target.Flush.IsAtOnce) Disk.FlushFile(handle, file.Temporary);
                whole.Complete();
            }
            if (!TryPublish(incoming, file.Temporary, file.Replace, whole.Publish)) whole.Discard();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            file.Error = LocalErrors.Map(e, "Cannot write", file.Target);
            file.IsLost = true;
            DiskFiles.Discard(file.Temporary, _target.Options.Logger);
            throw file.Error;
        }
    }

    // Applied at the job's end: adding files changes a folder's time, and the mode may forbid adding them.
    private void Describe(TargetFolder folder, TarEntry entry)
    {
        if (!folder.IsFresh && _target.Options.Overwrite != OverwriteMode.Always) return;
        if (_target.Options.PreserveMode) folder.Mode = entry.Mode;
        else if (folder.IsFresh) folder.Mode = entry.Mode & ~LocalModes.Umask;
        if (!_target.Options.PreserveTimes) return;
        folder.Modified = entry.Modified;
        folder.Created = entry.Created;
    }

    private void Done(string path, long length, TarEntryType type)
    {
        _files++;
        var kind = type == TarEntryType.Link ? RemoteEntryType.Link : RemoteEntryType.File;
        _items.Add(
            new ItemResult { Path = path, Type = kind, Result = new TransferResult { Bytes = type == TarEntryType.Link ? 0 : length } });
    }

    private void Skip(Incoming incoming)
    {
        var path = incoming.Entry.Path;
        _skipped.Add(path);
        if (!incoming.IsAlike) _different.Add(path);
        var reason = _target.Options.Overwrite == OverwriteMode.Newer ? SkipReason.NotNewer : SkipReason.Exists;
        _items.Add(
            new ItemResult { Path = path, Action = ItemAction.Skip, Reason = reason, Result = new TransferResult { Skipped = true } });
    }
}
