using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Carriers;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Gives the files of an archive their names, when all of it is known to be authentic, and makes them safe. What replaces something, or is a slice, is on
/// the disk before: after a power cut there is the old file or the new one.
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

    /// <summary>Publishes all of them. Nothing cancels that: it is short, and half of it would be neither here nor there.</summary>
    /// <returns>What the sender is told, but for the archive's number and digest.</returns>
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
            // Their content may be nowhere, and look as if it were there: a sender who comes again would be told that it is.
            foreach (var path in _unproved) DiskFiles.Discard(path, _target.Options.Logger);
            throw;
        }
        return new ArchiveReceipt(0, default, _files, _failures) { Skipped = _skipped, Different = _different, Passing = _passing };
    }

    // One folder after the other, each without others who name files there.
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
                if (incoming.IsSpoilt) incoming.File?.Discard();
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
            if (incoming.IsSpoilt || incoming.Error is not null || incoming.Parent is not { } folder) continue;
            if (incoming.Sliced is { } file) AddSlice(before, folder, file, file.Temporary);
            else if (incoming.File is { } written && (incoming.There is not null || CanReplace(folder, written))) before.Add(folder, written.Path);
        }
        return before;
    }

    // What has come to a folder since it was empty nobody has looked for. A file without a name is flushed when that is found out.
    private bool CanReplace(TargetFolder folder, LocalNewFile file) => file.HasName && folder is { IsFresh: false, WasEmpty: true } && _target.Options.Overwrite == OverwriteMode.Always;

    private static void AddSlice(FlushList list, TargetFolder folder, SlicedFile file, string path)
    {
        if (!file.IsSkipped && !file.IsOwned && !file.IsSuperseded && file.Error is null) list.Add(folder, path);
    }

    private void Settle(Incoming incoming)
    {
        var path = incoming.Entry.Path;
        // All that its sender waits for is what has come instead.
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
                // What it has of slices stands in the file itself.
                AddSlice(_written, incoming.Parent!, file, file.IsPublished ? file.Target : file.Temporary);
                if (file.IsOwned) _written.Add(incoming.Parent!, file.Target);
            }
            else if (incoming.IsSkipped)
            {
                Skip(incoming);
            }
            else
            {
                Publish(incoming);
                // What was replaced was flushed before.
                if (incoming.Entry.Type == TarEntryType.Link || incoming.There is not null && !incoming.IsOwned) _written.Add(incoming.Parent!);
                else _written.Add(incoming.Parent!, incoming.Target);
            }
        }
        catch (Exception e) when (LocalErrors.IsLocal(e) || e is TransferException)
        {
            var error = LocalErrors.Map(e, "Cannot write", path);
            incoming.File?.Discard();
            _failures.Add(new ArchiveFailure(path, error.Error, error.Message));
            if (!incoming.GoesAgain && CanPass(incoming, error)) _passing ??= _failures[^1];
            if (!incoming.GoesAgain) _items.Add(new ItemResult { Path = path, Error = error });
            else if (_target.Options.IsOneWay) _items.Add(new ItemResult { Path = path, Error = Unfit(path, error) });
        }
    }

    // What is refused here has no cause outside, but for a file that may not be replaced; what the system says has one.
    private static bool CanPass(Incoming incoming, TransferException error) =>
        error.Error != TransferError.Unsupported && (error.InnerException is not null || error.Error == TransferError.Exists && !incoming.IsImpossible);

    private static TransferException Unfit(string path, TransferException error) => new(
        TransferError.Integrity, $"\"{path}\" came as changes, and what is here is not the version that its sender builds on. What is here stays, and its sender's next job brings it whole.", error);

    private void Publish(Incoming incoming)
    {
        var entry = incoming.Entry;
        if (!incoming.IsOwned)
        {
            if (entry.Type == TarEntryType.Link) Link(incoming);
            else if (!TryPublish(incoming, incoming.File!.Path, incoming.There is not null, incoming.File.Publish)) incoming.File.Discard();
            else if (incoming.There is null && !incoming.File.IsProved) _unproved.Add(incoming.Target);
        }
        _target.Supersede(entry.Path, long.MaxValue);
        Done(entry.Path, entry.ContentLength, entry.Type);
    }

    private void Link(Incoming incoming)
    {
        var temporary = incoming.There is null ? null : Path.Join(Path.GetDirectoryName(incoming.Target), _target.TemporaryNames.Next());
        try
        {
            _target.Folders.Link(incoming.Target, incoming.Entry.LinkText, _target.Options.PreserveTimes ? incoming.Entry.Modified : null, temporary);
        }
        catch (TransferException e) when (incoming.IsAgain && e.Error == TransferError.Exists && LocalLinks.TargetOf(incoming.Target) == incoming.Entry.LinkText)
        {
            // As of a file below.
        }
    }

    // What nobody knew of when it was decided is not replaced unless everything is. But whoever was sent the archive before, and was lost to its sender, may have gone on
    // to this moment: what is there is as good as this then, if it is the same to the last byte, and its time too. False: so it is, and what has come is of no use.
    private bool TryPublish(Incoming incoming, string come, bool replace, Action<string, bool> publish)
    {
        replace |= _target.Options.Overwrite == OverwriteMode.Always;
        try
        {
            publish(incoming.Target, replace);
            return true;
        }
        catch (IOException e) when (incoming.IsAgain && !replace && LocalErrors.Map(e, "Cannot write", incoming.Target).Error == TransferError.Exists)
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
        if (file.IsOwned && file.Own(slice.Offset, entry.Length) || !file.IsOwned && file.Add(slice.Offset, entry.Length))
        {
            if (!file.IsOwned) Finish(file, incoming);
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

    // At the job's end: what is put into a folder changes its time, and may not be allowed afterwards.
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
        _items.Add(new ItemResult { Path = path, Type = kind, Result = new TransferResult { Bytes = type == TarEntryType.Link ? 0 : length } });
    }

    private void Skip(Incoming incoming)
    {
        var path = incoming.Entry.Path;
        _skipped.Add(path);
        if (!incoming.IsAlike) _different.Add(path);
        _items.Add(new ItemResult { Path = path, Action = ItemAction.Skip, Result = new TransferResult { Skipped = true } });
    }
}
