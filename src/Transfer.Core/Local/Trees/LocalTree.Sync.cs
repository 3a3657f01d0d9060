using Transfer.Contents;
using Transfer.Engine.Trees;
using Transfer.Sessions;

namespace Transfer.Local.Trees;

/// <summary>The members for synchronisation only.</summary>
internal sealed partial class LocalTree
{
    public ValueTask<bool> LacksRootAsync(CancellationToken ct)
    {
        if (DiskDirectories.Exists(_root))
        {
            _names ??= LocalNames.ForThisSystem(LocalCase.Of(_root));
            return new(false);
        }
        var root = Path.TrimEndingDirectorySeparator(_root);
        for (var at = root; at is not null && !DiskDirectories.Exists(at); at = Path.GetDirectoryName(at))
        {
            if (DiskFiles.Exists(at))
                throw new TransferException(at == root ? TransferError.Exists : TransferError.NotFound, $"{at} is not a folder.");
        }
        return new(true);
    }

    public ValueTask<IReadOnlyList<TreeLook>> LookAsync(string directory, IReadOnlyList<string> names, CancellationToken ct) =>
        new([.. names.Select(name => Look(PathOf(directory), name))]);

    public ValueTask<bool> ShowsAboveAsync(string name, CancellationToken ct)
    {
        for (var folder = RealRoot; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (FileStatus.TryFind(Path.Join(folder, name), follow: false) is not null) return new(true);
        }
        return new(false);
    }

    private static TreeLook Look(string directory, string name)
    {
        var path = Path.Join(directory, name);
        try
        {
            return new(FileStatus.Find(path, follow: false) is { } status ? Describe(directory, new(name, status)) : null, null);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return new(null, LocalErrors.Map(e, "Cannot look at", path));
        }
    }

    public long ChangedTicks(string path) => FileStatus.TryFind(PathOf(path), follow: true)?.ChangedTicks ?? 0;

    public async ValueTask<FileHash> HashAsync(string path, string algorithm, CancellationToken ct) =>
        new((await TryHashAsync(path, algorithm, ct).ConfigureAwait(false))!, ReadBack: false);

    public async ValueTask<string?> TryHashAsync(string path, string algorithm, CancellationToken ct)
    {
        try
        {
            var content = await OpenAsync(path, 0, ct).ConfigureAwait(false);
            await using var contentEnd = content.ConfigureAwait(false);
            return await FileHash.ComputeAsync(content, algorithm, ct).ConfigureAwait(false);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read", PathOf(path));
        }
    }

    public ValueTask<Stream> OpenAsync(string path, long offset, CancellationToken ct)
    {
        var native = PathOf(path);
        try
        {
            if (!LocalFileType.IsRegular(native))
                throw new TransferException(TransferError.Unsupported, $"{native} is not a regular file.");
            var file = DiskFiles.OpenStream(
                native, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete,
                FileOptions.Asynchronous | FileOptions.SequentialScan);
            file.Position = offset;
            return new(file);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read", native);
        }
    }

    public ValueTask CreateFileAsync(string path, CancellationToken ct)
    {
        var native = PathOf(path);
        try
        {
            Disk.Close(DiskFiles.Open(native, FileMode.CreateNew, FileAccess.Write), native);
            return default;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot write", native);
        }
    }

    public ValueTask MoveAsync(string from, string to, CancellationToken ct)
    {
        var (source, target) = (PathOf(from), PathOf(to));
        try
        {
            LocalRename.Move(source, target, replace: false);
            return default;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot rename", source);
        }
    }

    // Listings show every link as one.
    public ValueTask<IReadOnlyList<DirectoryProof>> ProveAsync(string directory, IReadOnlyList<TreeEntry> entries, CancellationToken ct) =>
        new([.. entries.Select(_ => DirectoryProof.Child)]);

    public ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        using var below = new FolderBelow(_root);
        return new([.. paths.Select(path => below.Delete(Native(path)))]);
    }

    public ValueTask<IReadOnlyList<TransferException?>> RemoveDirectoriesAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        using var below = new FolderBelow(_root);
        return new([.. paths.Select(path => below.Remove(Native(path)))]);
    }

    private static string Native(string relative) => OperatingSystem.IsWindows() ? relative.Replace('/', '\\') : relative;
}
