using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>
/// Reads the items of an archive's plan and writes them as a tar stream. Files are read to the place where they are sealed, on the calling
/// thread: most are small and in the system's cache, and handing each to another thread costs more than reading.
/// </summary>
internal sealed class ArchivePacker
{
    private const UnixFileMode UsualFile = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.OtherRead;
    private const UnixFileMode UsualFolder = UsualFile | UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute;
    private const UnixFileMode Permissions = (UnixFileMode)0b111_111_111;

    private static readonly byte[] Zeros = new byte[2 * TarFormat.Block];

    private readonly TarHeaders _headers;
    private readonly LocalTreeReader _tree;
    private readonly PackResults _results;
    private readonly PayloadWriter _payload;
    private readonly EntryForm? _form;
    private int _entries;

    /// <param name="tree">The folder.</param>
    /// <param name="results">Receives the failures of unreadable items.</param>
    /// <param name="payload">Receives the tar stream.</param>
    /// <param name="form">How entries are written; null: with all known facts.</param>
    public ArchivePacker(LocalTreeReader tree, PackResults results, PayloadWriter payload, EntryForm? form = null)
    {
        _form = form;
        _headers = new TarHeaders(form is { RawNames: true });
        _tree = tree;
        _results = results;
        _payload = payload;
    }

    /// <summary>Content bytes that were packed.</summary>
    public long Bytes { get; private set; }

    /// <summary>Writes a whole tar stream; each item of the plan gets an outcome.</summary>
    public async ValueTask PackAsync(ArchivePlan plan, CancellationToken ct)
    {
        // Several commands unpack side by side: the one that creates a folder must know the folder's mode.
        await PackEntriesAsync(plan, _form is { FolderMode: null } ? new MetFolders() : null, ct).ConfigureAwait(false);
        await EndAsync(_payload, ct).ConfigureAwait(false);
    }

    /// <summary>Writes the end of a tar stream.</summary>
    public static async ValueTask EndAsync(PayloadWriter payload, CancellationToken ct)
    {
        await payload.WriteAsync(Zeros, ct).ConfigureAwait(false);
        await payload.CompleteAsync(ct).ConfigureAwait(false);
    }

    /// <summary>Writes a part of a tar stream; each item of the plan gets an outcome.</summary>
    /// <param name="plan">The items to write.</param>
    /// <param name="folders">The folders written so far: the folders of files are written before the files. Null: the reader creates the
    /// folders.</param>
    /// <param name="ct">Stops packing.</param>
    public async ValueTask PackEntriesAsync(ArchivePlan plan, MetFolders? folders, CancellationToken ct)
    {
        using var ahead = new FilesAhead(plan.Items, _tree, OpenFiles.OfProcess);
        for (var i = 0; i < plan.Items.Count; i++)
        {
            ct.ThrowIfCancellationRequested();
            var item = plan.Items[i];
            using var early = ahead.Take(i);
            if (_results.TryPostpone(item) || item.IsNotNeeded || item.Source?.TryBegin() == false) continue;
            if (folders is not null) await PackFoldersAsync(item, folders, ct).ConfigureAwait(false);
            if (item.Type == TarEntryType.File) await PackFileAsync(item, early, ct).ConfigureAwait(false);
            else await PackNameAsync(item, ct).ConfigureAwait(false);
        }
    }

    private async ValueTask PackFoldersAsync(PackItem item, MetFolders folders, CancellationToken ct)
    {
        foreach (var path in folders.Meet(RemotePath.GetParent(item.Path)))
        {
            if (HeadersOf(path) is not { } headers) continue;
            await _payload.WriteAsync(headers, ct).ConfigureAwait(false);
            _entries++;
        }
        if (item.Type == TarEntryType.Directory) folders.Meet(item.Path);
    }

    // No headers if the folder is gone or has too long a name: the failure is reported for the items in the folder.
    private ReadOnlyMemory<byte>? HeadersOf(string folder)
    {
        try
        {
            var entry = Describe(new PackItem { Path = folder, Type = TarEntryType.Directory }, _tree.PathOf(folder));
            return folder.Length > TarFormat.MostPath ? null : _headers.Of(_form?.Apply(entry) ?? entry);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return null;
        }
    }

    private async ValueTask PackNameAsync(PackItem item, CancellationToken ct)
    {
        TarEntry entry;
        try
        {
            entry = Describe(item, _tree.PathOf(item.Path));
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Fail(item, LocalErrors.Map(e, "Cannot read", item.Path));
            return;
        }
        if (await BeginAsync(item, entry, ct).ConfigureAwait(false)) item.Outcome = PackOutcome.Packed;
    }

    private async ValueTask PackFileAsync(PackItem item, SafeFileHandle? early, CancellationToken ct)
    {
        using var handle = Open(item, early);
        if (handle is null) return;
        TarEntry entry;
        try
        {
            var status = FileStatus.Of(handle, _tree.PathOf(item.Path));
            if (!Adopt(item, status)) return;
            entry = Describe(item, handle, status);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Fail(item, LocalErrors.Map(e, "Cannot read", item.Path));
            return;
        }
        if (item.Offset == 0) _results.Taken(item.Path, item.Stamp);
        if (!await BeginAsync(item, entry, ct).ConfigureAwait(false)) return;
        var whole = item.Delta is { } delta
            ? await WriteAsync(delta, handle, ct).ConfigureAwait(false) : await CopyAsync(item, handle, ct).ConfigureAwait(false);
        // A file system may report a length of 0 for a file with content (/proc).
        whole &= item.Length > 0 || Read(handle, stackalloc byte[1], 0) == 0;
        if (whole && SourceStamp.Of(handle, _tree.PathOf(item.Path)) == item.Stamp)
        {
            item.Outcome = PackOutcome.Packed;
            Bytes = LengthSum.Add(Bytes, item.Length);
            return;
        }
        item.Outcome = PackOutcome.Changed;
        if (_form is null or { MarksChanged: true })
            await _payload.WriteAsync(_headers.InvalidEntry(_entries - 1), ct).ConfigureAwait(false);
    }

    private SafeFileHandle? Open(PackItem item, SafeFileHandle? early)
    {
        var path = _tree.PathOf(item.Path);
        try
        {
            return DiskFiles.OpenSource(path, early);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Fail(item, LocalErrors.Map(e, "Cannot read", path));
            return null;
        }
    }

    // An item that changed since the folder was read is taken in the new state, as long as there is room.
    private bool Adopt(PackItem item, in FileStatus status)
    {
        var stamp = status.Stamp;
        if (!status.IsRegular)
        {
            Fail(item, new TransferException(TransferError.Unsupported, $"\"{item.Path}\" is not sent: it is no file any more."));
            return false;
        }
        if (stamp == item.Stamp) return true;
        if (item.Source is not null || item.Delta is not null || stamp.Length > item.Length)
        {
            item.Outcome = PackOutcome.Changed;
            return false;
        }
        (item.Length, item.ModifiedTicks) = (stamp.Length, stamp.Modified);
        return true;
    }

    private async ValueTask<bool> BeginAsync(PackItem item, TarEntry entry, CancellationToken ct)
    {
        if (entry.Path.Length > TarFormat.MostPath || entry.LinkText.Length > TarFormat.MostPath)
        {
            Fail(item,
                new TransferException(TransferError.Unsupported,
                    $"\"{item.Path.AsSpan(0, Math.Min(item.Path.Length, 256))}...\" is not sent: its path, or where it leads, is too "
                    + "long."));
            return false;
        }
        await _payload.WriteAsync(_headers.Of(_form?.Apply(entry) ?? entry), ct).ConfigureAwait(false);
        _entries++;
        return true;
    }

    // Writes as many bytes as were announced, even if the file has become shorter or longer.
    private async ValueTask<bool> CopyAsync(PackItem item, SafeFileHandle handle, CancellationToken ct)
    {
        var whole = await CopyAsync(handle, item.Offset, item.Length, whole: true, ct).ConfigureAwait(false);
        await _payload.WriteAsync(Zeros.AsMemory(0, TarFormat.Padding(item.Length)), ct).ConfigureAwait(false);
        return whole;
    }

    // The steps, and between them the bytes that they are about, which are where they were found.
    private async ValueTask<bool> WriteAsync(FileDelta delta, SafeFileHandle handle, CancellationToken ct)
    {
        var whole = true;
        long offset = 0;
        long behind = 0;
        for (var steps = delta.Instructions; !steps.IsEmpty;)
        {
            DeltaInstructions.Take(ref steps, out var head, out var rest, out var literal, out var count, out var ahead);
            await _payload.WriteAsync(head, ct).ConfigureAwait(false);
            whole = await CopyAsync(handle, offset, literal, whole, ct).ConfigureAwait(false);
            await _payload.WriteAsync(rest, ct).ConfigureAwait(false);
            offset += literal + (count > 0 ? delta.Shape.LengthOf(behind + ahead, count) : 0);
            if (count > 0) behind += ahead + count;
        }
        await _payload.WriteAsync(Zeros.AsMemory(0, TarFormat.Padding(delta.BodyLength)), ct).ConfigureAwait(false);
        return whole;
    }

    private async ValueTask<bool> CopyAsync(SafeFileHandle handle, long offset, long length, bool whole, CancellationToken ct)
    {
        for (var left = length; left > 0;)
        {
            if (_payload.Room.IsEmpty) await _payload.FlushAsync(ct).ConfigureAwait(false);
            var room = _payload.Room.Span;
            room = room[..(int)Math.Min(left, room.Length)];
            var read = whole ? Read(handle, room, offset + length - left) : 0;
            if (read == 0)
            {
                whole = false;
                room.Clear();
                read = room.Length;
            }
            _payload.Advance(read, ShrinkTest.Pays(room[..read]));
            left -= read;
        }
        return whole;
    }

    // Unreadable bytes count as missing: the entry has begun and must be ended.
    private static int Read(SafeFileHandle handle, Span<byte> room, long offset)
    {
        try
        {
            return RandomAccess.Read(handle, room, offset);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return 0;
        }
    }

    private static TarEntry Describe(PackItem item, SafeFileHandle handle, in FileStatus status) => new()
    {
        Path = item.Path,
        Type = TarEntryType.File,
        Length = item.Delta?.BodyLength ?? item.Length,
        Mode = OperatingSystem.IsWindows() ? UsualFile : status.Mode & Permissions,
        Modified = new DateTime(item.ModifiedTicks, DateTimeKind.Utc),
        Created = KnowsCreation ? File.GetCreationTimeUtc(handle) : null,
        Slice = item.Source is { } source ? new TarSlice(source.Number, item.Offset, source.Length) : null,
        Delta = item.Delta is { } delta
            ? new TarDelta(delta.Shape.Length, delta.Shape.Block, item.Length, delta.Hash, delta.BaseHash) : null,
    };

    private static TarEntry Describe(PackItem item, string path)
    {
        var isFolder = item.Type == TarEntryType.Directory;
        var status = isFolder
            ? FileStatus.Find(path, follow: true)
                ?? throw new DirectoryNotFoundException($"Could not find a part of the path '{path}'.") : default;
        return new TarEntry
        {
            Path = item.Path,
            Type = item.Type,
            Mode = !isFolder ? Permissions : OperatingSystem.IsWindows() ? UsualFolder : status.Mode & Permissions,
            Modified = isFolder ? status.Modified : new DateTime(item.ModifiedTicks, DateTimeKind.Utc),
            Created = isFolder && KnowsCreation ? Directory.GetCreationTimeUtc(path) : null,
            LinkText = item.LinkText,
        };
    }

    // Other systems can't set the creation time, and often not read it.
    private static bool KnowsCreation => OperatingSystem.IsWindows() || OperatingSystem.IsMacOS();

    private void Fail(PackItem item, TransferException error)
    {
        item.Outcome = PackOutcome.Failed;
        if (!(item.Source?.TryEnd() ?? true)) return;
        _results.Fail(item.Path, error);
        _results.ReportQueued();
    }
}
