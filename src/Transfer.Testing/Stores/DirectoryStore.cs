using System.Runtime.CompilerServices;
using System.Text;
using Transfer.Testing.Stores;

namespace Transfer.Testing;

/// <summary>Files below a local folder. Neither a path nor a symbolic link leads out of the folder. Contents are streamed.</summary>
public sealed class DirectoryStore : ITestStore
{
    private readonly FolderPaths _paths;

    /// <summary>Creates a store over a folder.</summary>
    /// <exception cref="DirectoryNotFoundException">There is no such folder.</exception>
    public DirectoryStore(string root)
    {
        ArgumentException.ThrowIfNullOrEmpty(root);
        _paths = new FolderPaths(root);
    }

    /// <summary>The folder's full path.</summary>
    public string Root => _paths.Root;

    /// <inheritdoc/>
    public long? FreeBytes => new DriveInfo(_paths.Root).AvailableFreeSpace;

    /// <inheritdoc/>
    public ValueTask<TestEntry?> GetAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return ValueTask.FromResult(_paths.Find(path) is { } info ? Describe(info, VirtualPath.Name(path)) : null);
    }

    /// <inheritdoc/>
    public ValueTask<string> ResolveAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return ValueTask.FromResult(_paths.Resolve(path));
    }

    /// <inheritdoc/>
    public async IAsyncEnumerable<TestEntry> ListAsync(string path, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        if (_paths.Find(path) is not DirectoryInfo directory) throw new DirectoryNotFoundException("No such directory.");
        foreach (var info in directory.EnumerateFileSystemInfos())
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return Describe(info, info.Name);
        }

        await Task.CompletedTask.ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var stream = new FileStream(_paths.Map(path), Options(FileMode.Open, FileAccess.Read));
        stream.Position = offset;
        return ValueTask.FromResult<Stream>(stream);
    }

    /// <inheritdoc/>
    public ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var stream = new FileStream(_paths.Map(path), Options(createNew ? FileMode.CreateNew : FileMode.OpenOrCreate, FileAccess.Write));
        try
        {
            if (truncate && offset >= 0 && stream.Length > offset) stream.SetLength(offset);
            stream.Position = offset < 0 ? stream.Length : offset;
        }
        catch
        {
            stream.Dispose();
            throw;
        }

        return ValueTask.FromResult<Stream>(stream);
    }

    /// <inheritdoc/>
    public ValueTask CreateDirectoryAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (_paths.Find(path) is not null) throw new IOException("It exists.");
        if (_paths.Find(VirtualPath.Parent(path)) is not DirectoryInfo) throw new DirectoryNotFoundException("No such directory.");
        Directory.CreateDirectory(_paths.Map(path));
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask CreateSymbolicLinkAsync(string path, string target, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        ArgumentException.ThrowIfNullOrEmpty(target);
        File.CreateSymbolicLink(_paths.Map(path), _paths.LocalTarget(path, target));
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask CreateHardLinkAsync(string path, string newPath, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        HardLink.Create(_paths.Map(path), _paths.Map(newPath));
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DeleteFileAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        switch (_paths.Find(path))
        {
            case null: throw new FileNotFoundException("No such file.");
            case DirectoryInfo { LinkTarget: null }: throw new UnauthorizedAccessException("It is a directory.");
            case var info: info.Delete(); break;
        }

        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DeleteDirectoryAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (VirtualPath.Name(path).Length == 0) throw new UnauthorizedAccessException("It is the root.");
        if (_paths.Find(path) is not DirectoryInfo { LinkTarget: null } directory)
            throw new DirectoryNotFoundException("No such directory.");
        directory.Delete(recursive: false);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var target = _paths.Map(to);
        switch (_paths.Find(from))
        {
            case null: throw new FileNotFoundException("No such file or directory.");
            case DirectoryInfo directory: directory.MoveTo(target); break;
            case FileInfo file: file.MoveTo(target, overwrite: replace); break;
        }

        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var info = _paths.Find(path) ?? throw new FileNotFoundException("No such file or directory.");
        info.LastWriteTimeUtc = modified.UtcDateTime;
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var info = _paths.Find(path) ?? throw new FileNotFoundException("No such file or directory.");
        if (!OperatingSystem.IsWindows()) info.UnixFileMode = mode;
        return ValueTask.CompletedTask;
    }

    private TestEntry Describe(FileSystemInfo info, string name)
    {
        var target = _paths.ShownTarget(info.LinkTarget);
        var entry = new TestEntry
        {
            Name = name,
            IsDirectory = info is DirectoryInfo,
            Length = target is not null ? Encoding.UTF8.GetByteCount(target) : info is FileInfo file ? file.Length : 0,
            Modified = new DateTimeOffset(info.LastWriteTimeUtc, TimeSpan.Zero),
            LinkTarget = target,
            IsDangling = info.LinkTarget is not null && info.ResolveLinkTarget(returnFinalTarget: true) is not { Exists: true },
        };
        return OperatingSystem.IsWindows() ? entry : entry with { Mode = info.UnixFileMode };
    }

    private static FileStreamOptions Options(FileMode mode, FileAccess access) => new()
    {
        Mode = mode,
        Access = access,
        Share = FileShare.ReadWrite | FileShare.Delete,
        Options = FileOptions.Asynchronous,
        BufferSize = 0, // who reads or writes brings a buffer, and other sessions see every write at once
    };
}
