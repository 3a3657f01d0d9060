using Transfer.Testing.Stores;


namespace Transfer.Testing;

/// <summary>
/// Files in memory, by case-sensitive names. Thread-safe. The synchronous members are for tests and create missing directories.
/// </summary>
public sealed class MemoryStore : ITestStore
{
    private readonly Lock _gate = new();
    private readonly MemoryQuota _quota;
    private readonly TimeProvider _time;
    private readonly MemoryTree _tree;

    /// <summary>Creates an empty store.</summary>
    /// <param name="capacity">The bytes that fill the store, or null for no limit.</param>
    /// <param name="time">The clock of modification times.</param>
    public MemoryStore(long? capacity = null, TimeProvider? time = null)
    {
        _quota = new MemoryQuota(capacity);
        _time = time ?? TimeProvider.System;
        _tree = new MemoryTree(_time.GetUtcNow());
    }

    /// <inheritdoc/>
    public long? FreeBytes => _quota.Free;

    /// <summary>The paths of all files, sorted, without those of generated directories.</summary>
    public IReadOnlyList<string> Files
    {
        get
        {
            lock (_gate) return [.. _tree.Walk().Where(pair => pair.Value is MemoryFile).Select(pair => pair.Key)];
        }
    }

    /// <summary>The paths of all directories but the root, sorted.</summary>
    public IReadOnlyList<string> Directories
    {
        get
        {
            lock (_gate) return [.. _tree.Walk().Where(pair => pair.Value is MemoryDirectory).Select(pair => pair.Key)];
        }
    }

    /// <summary>Adds a file, or replaces the content.</summary>
    public void AddFile(string path, ReadOnlySpan<byte> content, DateTimeOffset? modified = null)
    {
        var bytes = new SegmentedContent(_quota);
        bytes.Write(0, content);
        Add(path, new MemoryFile(bytes), modified);
    }

    /// <summary>Adds a read-only file of <see cref="SyntheticContent"/>, of any length.</summary>
    public void AddSyntheticFile(string path, long length, int seed = 0, DateTimeOffset? modified = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        Add(path, new MemoryFile(new GeneratedContent(length, seed)), modified);
    }

    /// <summary>Adds an empty directory.</summary>
    public void AddDirectory(string path, DateTimeOffset? modified = null) => Add(path, new MemoryDirectory(), modified);

    /// <summary>
    /// Adds a read-only directory of generated files <c>file-0000000.dat</c>, <c>file-0000001.dat</c> and so on, which takes no memory.
    /// The content of each is <see cref="SyntheticContent"/> with the file's number as the seed.
    /// </summary>
    public void AddSyntheticDirectory(string path, int count, long length = 0, DateTimeOffset? modified = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, 10_000_000);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        Add(path, new SyntheticDirectory(count, length), modified);
    }

    /// <summary>
    /// Adds a directory that keeps the length but not the content of its files, for uploads of any size. They read as zeros.
    /// </summary>
    public void AddDiscardDirectory(string path) => Add(path, new MemoryDirectory { Discards = true }, modified: null);

    /// <summary>Adds a symbolic link.</summary>
    /// <param name="path">The link's path.</param>
    /// <param name="target">
    /// The link's text: an absolute path of the store, or one from the link's directory. The target need not exist.
    /// </param>
    /// <param name="modified">The link's own modification time; null: now.</param>
    public void AddSymbolicLink(string path, string target, DateTimeOffset? modified = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(target);
        Add(path, new MemoryLink(target), modified);
    }

    /// <summary>Whether a file, directory or link exists.</summary>
    public bool Exists(string path)
    {
        lock (_gate) return _tree.Find(path) is not null;
    }

    /// <summary>A file's content.</summary>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    public byte[] ReadFile(string path)
    {
        MemoryContent content;
        lock (_gate) content = _tree.File(path).Content;
        var bytes = new byte[content.Length];
        var count = content.Read(0, bytes);
        return count == bytes.Length ? bytes : bytes[..count];
    }

    /// <inheritdoc/>
    public ValueTask<TestEntry?> GetAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate) return ValueTask.FromResult(_tree.Find(path) is { } node ? Describe(path, node) : null);
    }

    /// <inheritdoc/>
    public ValueTask<string> ResolveAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate) return ValueTask.FromResult(_tree.Resolve(path, followsLast: true));
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<TestEntry> ListAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
            return _tree.Directory(path).Snapshot((name, link) => Describe(VirtualPath.Combine(path, name), link)).ToAsyncEnumerable();
    }

    /// <inheritdoc/>
    public ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate) return ValueTask.FromResult<Stream>(new MemoryContentStream(_tree.File(path).Content, offset, writable: false));
    }

    /// <inheritdoc/>
    public ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            if (createNew && _tree.Find(path) is not null) throw new IOException("It exists.");
            var (parent, name) = _tree.Parent(_tree.Resolve(path, followsLast: true));
            var found = parent.Find(name);
            if (found is MemoryDirectory) throw new UnauthorizedAccessException("It is a directory.");
            if (found is not MemoryFile file)
            {
                file = new MemoryFile(parent.Discards ? new DiscardedContent() : new SegmentedContent(_quota));
                parent.Set(name, file);
            }

            file.Modified = _time.GetUtcNow();
            if (truncate && offset >= 0) file.Content.Truncate(offset);
            return ValueTask.FromResult<Stream>(new MemoryContentStream(file.Content, offset, writable: true, () => Touch(file)));
        }
    }

    /// <inheritdoc/>
    public ValueTask CreateDirectoryAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            if (_tree.Find(path) is not null) throw new IOException("It exists.");
            var (parent, name) = _tree.Parent(path);
            parent.Set(name, new MemoryDirectory { Discards = parent.Discards, Modified = _time.GetUtcNow() });
        }

        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask CreateSymbolicLinkAsync(string path, string target, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate) _tree.AddLink(path, new MemoryLink(target) { Modified = _time.GetUtcNow() });
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask CreateHardLinkAsync(string path, string newPath, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            var file = _tree.File(path);
            if (_tree.Find(newPath) is not null) throw new IOException("It exists.");
            var (parent, name) = _tree.Parent(newPath);
            parent.Set(name, file);
            file.Names++;
        }

        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DeleteFileAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            var node = _tree.Existing(path);
            if (node is MemoryDirectory) throw new UnauthorizedAccessException("It is a directory.");
            var (parent, name) = _tree.Parent(path);
            parent.Remove(name);
            Free(node);
        }

        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask DeleteDirectoryAsync(string path, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate)
        {
            var (parent, name) = _tree.Parent(path);
            if (parent.Find(name) is not MemoryDirectory directory) throw new DirectoryNotFoundException("No such directory.");
            if (!directory.IsEmpty) throw new IOException("The directory is not empty.");
            parent.Remove(name);
        }

        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate) _tree.Move(from, to, replace, replaced: Free);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate) _tree.Existing(path).Modified = modified;
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        lock (_gate) _tree.Existing(path).Mode = mode;
        return ValueTask.CompletedTask;
    }

    /// <summary>Returns the entry of a node; for a link, also whether the target is a directory or missing.</summary>
    private TestEntry Describe(string path, MemoryNode node)
    {
        var entry = node.Describe(VirtualPath.Name(path));
        if (node is not MemoryLink) return entry;
        var target = _tree.Find(_tree.Resolve(path, followsLast: true));
        return entry with { IsDirectory = target is MemoryDirectory, IsDangling = target is null };
    }

    private void Add(string path, MemoryNode node, DateTimeOffset? modified)
    {
        path = VirtualPath.Resolve("/", path);
        node.Modified = modified ?? _time.GetUtcNow();
        lock (_gate) _tree.Put(path, node, _time.GetUtcNow(), replaced: Free);
    }

    private void Touch(MemoryFile file)
    {
        lock (_gate) file.Modified = _time.GetUtcNow();
    }

    private static void Free(MemoryNode node)
    {
        // A reader in mid-file ends early, as on a server that truncates a file.
        if (node is MemoryFile { Content: SegmentedContent content } file && --file.Names == 0) content.Truncate(0);
    }
}
