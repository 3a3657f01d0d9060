using System.Globalization;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using Transfer.Local.Contents;
using Transfer.Modes;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Local.Provider;

/// <summary>The local file system as a session: one file at a time, and any number of sessions.</summary>
internal sealed class LocalSession : OneAtATimeSession
{
    private const int CopyBuffer = 128 * 1024;
    private const string Sha256Name = "SHA-256";

    private static readonly TransferFeatures Known = new()
    {
        RenameReplaces = true,
        ReadsAtOffset = true,
        SetsModified = true,
        SetsMode = !OperatingSystem.IsWindows(),
        TimePrecision = TimeSpan.FromTicks(1),
        Hashes = [Sha256Name],
    };

    // A local rename replaces in one step or not at all: this memory stays empty.
    private static readonly ReplacementMemory Renames = new();

    private readonly LocalRoot _root;
    private bool _closed;

    public LocalSession(LocalRoot root) => _root = root;

    public override bool Usable => !_closed;

    public override TransferFeatures Features => Known;

    public override async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        var folder = _root.Resolve(directory, follow: true);
        using var entries = Try("list", directory, () => DiskDirectories.Entries(folder).GetEnumerator());
        while (Try("list", directory, entries.MoveNext))
        {
            ct.ThrowIfCancellationRequested();
            var (name, status) = entries.Current;
            yield return Describe(RemotePath.Combine(directory, name), Path.Join(folder, name), status);
        }
        await Task.CompletedTask.ConfigureAwait(false);
    }

    public override ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct) => new(Try("look at", path, () =>
    {
        var native = _root.Resolve(path, follow: false);
        return Describe(path, native, follow: false);
    }));

    public override ValueTask<StorageSpace?> GetSpaceAsync(string path, CancellationToken ct) =>
        new(Try("look at", path, StorageSpace? () =>
        {
            var drive = new DriveInfo(_root.Resolve(path, follow: true));
            return new StorageSpace(drive.AvailableFreeSpace, drive.TotalSize);
        }));

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        new([.. paths.Select(path => CreateDirectory(path, null))]);

    public override ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<string> paths,
        IReadOnlyList<UnixFileMode?> modes, CancellationToken ct) =>
        new([.. paths.Select((path, i) => CreateDirectory(path, modes[i]))]);

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        new([.. paths.Select(path => Refusal("delete", path, () => DiskFiles.Delete(Existing(path))))]);

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths,
        CancellationToken ct) =>
        new([.. paths.Select(path => Refusal("remove", path, () => DiskDirectories.Remove(Existing(path))))]);

    public override ValueTask<IReadOnlyList<TransferException?>> DeleteFilesBelowAsync(string root, IReadOnlyList<string> paths,
        CancellationToken ct) =>
        new(Below(root, paths, "delete", static (below, relative) => below.Delete(relative)));

    public override ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesBelowAsync(string root, IReadOnlyList<string> paths,
        CancellationToken ct) =>
        new(Below(root, paths, "remove", static (below, relative) => below.Remove(relative)));

    public override async ValueTask RenameAsync(Renaming renaming, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(renaming);
        await SetBeforeRenameAsync(renaming, ct).ConfigureAwait(false);
        var result = await ReplacementDriver.RunAsync(renaming, new LocalRenamer(this, _root), Renames, TimeProvider.System,
            ct).ConfigureAwait(false);
        if (result.Error is { } error) throw error;
    }

    public override ValueTask SetMetadataAsync(string path, FileMetadata metadata, CancellationToken ct)
    {
        Try("change", path, () =>
        {
            var native = _root.Resolve(path, follow: true);
            if (metadata.Mode is { } mode && !OperatingSystem.IsWindows()) DiskFiles.SetMode(native, mode);
            if (metadata.Modified is { } modified) DiskFiles.SetModified(native, modified.UtcDateTime);
            return true;
        });
        return default;
    }

    public override ValueTask<bool> SettleModeAsync(ModeSettlement settlement, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(settlement);
        var (path, replaced) = (_root.Resolve(settlement.Path, follow: false),
            settlement.Replaced is { } target ? _root.Resolve(target, follow: false) : null);
        Try("set the permissions of", settlement.Path, () =>
        {
            LocalModes.SetFinalMode(path, replaced, exact: null, settlement.Source);
            return true;
        });
        return new(true);
    }

    public override ValueTask FlushNameAsync(string path, CancellationToken ct)
    {
        Disk.FlushFolder(Path.GetDirectoryName(_root.Resolve(path, follow: false))!);
        return default;
    }

    public override ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<SymbolicLink> links,
        CancellationToken ct) =>
        new([.. links.Select(link => Refusal("make the link", link.Path, () =>
        {
            var native = _root.Resolve(link.Path, follow: false);
            _root.CheckLink(native, link.Target);
            var temporary = link is { Replace: true, TemporaryPath: { } free } ? _root.Resolve(free, follow: false) : null;
            LocalLinks.Create(native, link.Target, link.Metadata?.Modified, temporary);
        }))]);

    public override ValueTask<IReadOnlyList<LinkOutcome>> ReadLinksAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        new([.. paths.Select(
            path => Outcome("read the link", path, () => Describe(path, _root.Resolve(path, follow: false), follow: false)))]);

    public override ValueTask<IReadOnlyList<LinkOutcome>> FollowLinksAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        new([.. paths.Select(path => Outcome("follow", path, () =>
        {
            var real = LocalLinks.RealPath(_root.Resolve(path, follow: true));
            return Describe(LocalRoot.ToPath(real), real, follow: false);
        }))]);

    public override async ValueTask<string?> HashAsync(string path, string algorithm, CancellationToken ct)
    {
        if (!string.Equals(algorithm, Sha256Name, StringComparison.OrdinalIgnoreCase)) return null;
        var file = Try("read", path, () => OpenRead(path));
        await using (file.ConfigureAwait(false))
        {
            return Convert.ToHexStringLower(await SHA256.HashDataAsync(file, ct).ConfigureAwait(false));
        }
    }

    public override ValueTask DisposeAsync()
    {
        _closed = true;
        return default;
    }

    protected override async Task UploadAsync(string path, Stream content, WorkItem item, CancellationToken ct)
    {
        try
        {
            var native = _root.Resolve(path, follow: true);
            var mode = item.IsUnfinished || !item.Replace ? FileMode.CreateNew : FileMode.Create;
            var reserved = mode == FileMode.CreateNew ? FileReservation.BytesFor(item.Content.Length) : 0;
            var permissions = item.IsUnfinished ? FinalMode.Unfinished : (item.SourceMode ?? FinalMode.Usual) & FinalMode.Permissions;
            var handle = FileReservation.Open(native, mode, FileAccess.Write, reserved, permissions);
            if (mode == FileMode.Create) LocalModes.ClearSpecialBits(handle, native);
            var file = new DiskStream(handle, FileAccess.Write, native);
            await using (file.ConfigureAwait(false))
            {
                await content.CopyToAsync(file, CopyBuffer, ct).ConfigureAwait(false);
                if (file.Position < reserved) file.SetLength(file.Position);
                if (item.FlushToDisk) Disk.FlushFile(handle, native);
                Disk.Close(handle, native);
            }
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot write", item.AskedPath, path);
        }
    }

    protected override async Task DownloadAsync(string path, Stream destination, WorkItem item, CancellationToken ct)
    {
        try
        {
            var file = OpenRead(path);
            await using (file.ConfigureAwait(false))
            {
                file.Seek(Math.Min(item.Offset, file.Length), SeekOrigin.Begin);
                var buffer = new byte[CopyBuffer];
                for (var left = item.End - item.Offset; left > 0;)
                {
                    var read = await file.ReadAsync(buffer.AsMemory(0, (int)Math.Min(left, buffer.Length)), ct).ConfigureAwait(false);
                    if (read == 0) break;
                    await destination.WriteAsync(buffer.AsMemory(0, read), ct).ConfigureAwait(false);
                    left -= read;
                }
            }
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read", path);
        }
    }

    private static bool Exists(string native) => FileStatus.Find(native, follow: false) is not null;

    private string Existing(string path)
    {
        var native = _root.Resolve(path, follow: false);
        return Exists(native) ? native
            : throw new TransferException(TransferError.NotFound, $"{path} does not exist.") { RemotePath = path };
    }

    private TransferException?[] Below(string root, IReadOnlyList<string> paths, string what,
        Func<FolderBelow, string, TransferException?> delete)
    {
        var native = string.Empty;
        if (Refusal(what, root, () => native = _root.Resolve(root, follow: true)) is { } refusal) return [.. paths.Select(_ => refusal)];
        using var below = new FolderBelow(native);
        return [.. paths.Select(path => _root.BelowOf(root, path) is { } relative
            ? delete(below, relative)
            : new TransferException(TransferError.Denied, $"{path} is not in {root}.") { RemotePath = path })];
    }

    private FileStream OpenRead(string path)
    {
        var native = _root.Resolve(path, follow: true);
        if (!DiskDirectories.Exists(native) && !LocalFileType.IsRegular(native))
            throw new TransferException(TransferError.Unsupported, $"{path} is not a regular file.") { RemotePath = path };
        return DiskFiles.OpenStream(native, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete,
            FileOptions.Asynchronous);
    }

    private DirectoryOutcome CreateDirectory(string path, UnixFileMode? mode)
    {
        var created = false;
        var error = Refusal("create", path, () =>
        {
            var native = _root.Resolve(path, follow: true);
            if (DiskDirectories.Exists(native)) return;
            // DiskDirectories.Create would make the parents too: here that is the caller's decision.
            if (Path.GetDirectoryName(native) is { } parent && !DiskDirectories.Exists(parent))
            {
                throw new TransferException(TransferError.NotFound,
                    $"{path}: the directory above it does not exist.")
                { RemotePath = path };
            }

            created = DiskDirectories.Create(native, permissions: mode);
        });
        return new() { Created = created, Error = error };
    }

    private static RemoteEntry? Describe(string path, string native, bool follow) =>
        FileStatus.Find(native, follow) is { } status ? Describe(path, native, status) : null;

    private static RemoteEntry Describe(string path, string native, in FileStatus status) => new()
    {
        Path = path,
        Type = status.Type,
        Length = status.Type == RemoteEntryType.File ? status.Length : null,
        Modified = status.Modified,
        Created = OperatingSystem.IsWindows() || OperatingSystem.IsMacOS() ? File.GetCreationTimeUtc(native) : null,
        Mode = OperatingSystem.IsWindows() ? null : status.Mode,
        Group = status.Group?.ToString(CultureInfo.InvariantCulture),
        LinkTarget = status.IsLink ? DiskLinks.TargetOf(native) : null,
    };

    private static LinkOutcome Outcome(string what, string path, Func<RemoteEntry?> look)
    {
        try
        {
            return new() { Entry = Try(what, path, look) };
        }
        catch (TransferException e) when (e.InnerException is LinkLoopException)
        {
            return default;
        }
        catch (TransferException e)
        {
            return new() { Error = e };
        }
    }

    private static T Try<T>(string what, string path, Func<T> action)
    {
        try
        {
            return action();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, $"Cannot {what}", path);
        }
    }

    private static TransferException? Refusal(string what, string path, Action action)
    {
        try
        {
            Try(what, path, () =>
            {
                action();
                return true;
            });
            return null;
        }
        catch (TransferException e)
        {
            return e;
        }
    }
}
