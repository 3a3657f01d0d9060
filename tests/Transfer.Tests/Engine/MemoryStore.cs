using System.Text;
using Transfer.Replacing;

namespace Transfer.Tests.Engine;

/// <summary>A small server in memory: a tree of directories and files that several sessions work on, with scripted faults.</summary>
internal sealed class MemoryStore
{
    public ReplacementMemory Renames { get; } = new();

    private readonly SortedDictionary<string, MemoryNode> _nodes;
    private readonly StringComparison _comparison;
    private readonly bool _ignoresForms;
    private int _open;

    /// <param name="ignoresCase">Does not tell upper case from lower, and keeps names as they were first.</param>
    /// <param name="ignoresForms">Does not tell Unicode's composed form from the decomposed one, and has names in the latter, as a Mac
    /// does.</param>
    public MemoryStore(bool ignoresCase = false, bool ignoresForms = false)
    {
        _ignoresForms = ignoresForms;
        _comparison = ignoresCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
        IComparer<string> names = StringComparer.FromComparison(_comparison);
        if (ignoresForms)
        {
            names = Comparer<string>.Create(
                (one, other) =>
                string.Compare(one.Normalize(NormalizationForm.FormD), other.Normalize(NormalizationForm.FormD), _comparison));
        }

        _nodes = new(names) { ["/"] = new() { IsDirectory = true } };
    }

    public FaultPlan Faults { get; } = new();

    /// <summary>Files are hashed here.</summary>
    public bool Hashes { get; set; }

    /// <summary>Sessions that are allowed at once.</summary>
    public int SessionLimit { get; set; } = int.MaxValue;

    /// <summary>The clock of what waits here.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Sessions that are open.</summary>
    public int OpenNow
    {
        get { lock (_nodes) return _open; }
    }

    /// <summary>Sessions opened in all.</summary>
    public int Opened { get; private set; }

    /// <summary>Most sessions open at once.</summary>
    public int Peak { get; private set; }

    /// <summary>Modification times lose what is below this.</summary>
    public TimeSpan Precision { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Names that a listing adds to what is there.</summary>
    public List<RemoteEntry> Extra { get; } = [];

    /// <summary>Paths that exist and that no listing names.</summary>
    public HashSet<string> Unlisted { get; } = [];

    /// <summary>Why listings of directories are partial, by their paths.</summary>
    public Dictionary<string, string> Gaps { get; } = [];

    /// <summary>Says of every directory that is to be made that it was, of those too that exist (npm's ftp-srv).</summary>
    public bool MakesAgain { get; set; }

    /// <summary>An empty directory is listed as one that may not be read (LIST).</summary>
    public bool HidesEmptiness { get; set; }

    /// <summary>Describes no single path: every look is refused.</summary>
    public bool IsBlind { get; set; }

    /// <summary>Most entries that a listing names; the rest shows when those are gone.</summary>
    public int? ListingLimit { get; set; }

    public IReadOnlyList<string> Files
    {
        get { lock (_nodes) return [.. _nodes.Where(node => !node.Value.IsDirectory).Select(node => node.Key)]; }
    }

    public IReadOnlyList<string> Temporaries => [.. Files.Where(file => file.EndsWith(".part", StringComparison.Ordinal))];

    public MemoryNode? this[string path]
    {
        get { lock (_nodes) return _nodes.GetValueOrDefault(path); }
    }

    /// <summary>Its clock.</summary>
    public DateTimeOffset Now { get; init; } = DateTimeOffset.UnixEpoch;

    /// <summary>There are symbolic links here.</summary>
    public bool HasLinks { get; init; } = true;

    /// <summary>Says that it keeps the modification times it is given.</summary>
    public bool KeepsTimes { get; init; } = true;

    /// <summary>Copies files itself.</summary>
    public bool Copies { get; init; }

    /// <summary>And yet it does not.</summary>
    public bool Refuses { get; init; }

    public void Open()
    {
        lock (_nodes)
        {
            if (_open >= SessionLimit) throw new TransferConnectionException(TransferError.Denied, "Too many connections.");
            Opened++;
            Peak = Math.Max(Peak, ++_open);
        }
    }

    public void Close()
    {
        lock (_nodes) _open--;
    }

    /// <summary>The sessions of a client that was killed are gone, and with them what was going to happen to them.</summary>
    public void Restart()
    {
        lock (_nodes) _open = Peak = 0;
        Faults.CutNowhere();
    }

    public void AddDirectory(string path)
    {
        for (var at = path; at is not null; at = RemotePath.GetParent(at))
        {
            lock (_nodes) _nodes.TryAdd(at, new() { IsDirectory = true });
        }
    }

    public void AddFile(string path, byte[] content, DateTimeOffset? modified = null)
    {
        AddDirectory(RemotePath.GetParent(path)!);
        lock (_nodes) _nodes[path] = new() { Content = content, Modified = Round(modified ?? DateTimeOffset.UnixEpoch) };
    }

    public void AddLink(string path, string target)
    {
        AddDirectory(RemotePath.GetParent(path)!);
        lock (_nodes) _nodes[path] = new() { LinkTarget = target, Modified = DateTimeOffset.UnixEpoch };
    }

    public RemoteEntry? Describe(string path) =>
        Real(path, follow: false) is { } real && this[real] is { } node ? Describe(path, node) : null;

    public static RemoteEntry Describe(string path, MemoryNode node) => new()
    {
        Path = path,
        Type = node.LinkTarget is not null ? RemoteEntryType.Link : node.IsDirectory ? RemoteEntryType.Directory : RemoteEntryType.File,
        Length = node.IsDirectory || node.LinkTarget is not null ? null : node.Length,
        Modified = node.Modified,
    };

    /// <summary>The path with no link in it; null: it goes round in circles.</summary>
    public string? Real(string path, bool follow = true)
    {
        var pending = new Stack<string>(path.Split('/', StringSplitOptions.RemoveEmptyEntries).Reverse());
        var real = "";
        for (var links = 0; pending.TryPop(out var name);)
        {
            if (name == ".") continue;
            if (name == "..")
            {
                real = real.Length == 0 ? "" : real[..real.LastIndexOf('/')];
                continue;
            }
            var target = follow || pending.Count > 0 ? this[$"{real}/{name}"]?.LinkTarget : null;
            if (target is null) real = $"{real}/{name}";
            else if (++links > 40) return null;
            else if (target.StartsWith('/')) real = "";
            foreach (var component in (target ?? "").Split('/', StringSplitOptions.RemoveEmptyEntries).Reverse()) pending.Push(component);
        }
        return real.Length == 0 ? "/" : real;
    }

    public List<string> Children(string directory)
    {
        lock (_nodes)
        {
            if (Real(directory) is not { } real || _nodes.GetValueOrDefault(real) is not { IsDirectory: true }) throw NotFound(directory);
            if (_ignoresForms)
            {
                return [.. _nodes.Keys.Where(key => key != "/" && _nodes.Comparer.Compare(RemotePath.GetParent(key)!, real) == 0).Select(
                    key => RemotePath.Combine(directory, RemotePath.GetName(key)))];
            }

            var prefix = real == "/" ? "/" : real + "/";
            return [.. _nodes.Keys.Where(
                key => key.Length > prefix.Length && key.StartsWith(prefix, _comparison) && !key[prefix.Length..].Contains('/'))
                .Select(key => RemotePath.Combine(directory, key[prefix.Length..]))];
        }
    }

    public bool CreateDirectory(string path)
    {
        lock (_nodes)
        {
            if (_nodes.TryGetValue(path, out var node)) return node.IsDirectory ? MakesAgain : throw Exists(path);
            RequireParent(path);
            _nodes[path] = new() { IsDirectory = true };
            return true;
        }
    }

    public MemoryNode CreateFile(string path)
    {
        lock (_nodes)
        {
            if (_nodes.GetValueOrDefault(path) is { IsDirectory: true }) throw Exists(path);
            RequireParent(path);
            return _nodes[path] = new() { Modified = Now };
        }
    }

    public void CreateLink(string path, string target, bool replace, DateTimeOffset? modified)
    {
        lock (_nodes)
        {
            RequireParent(path);
            if (_nodes.TryGetValue(path, out var there) && (!replace || there.IsDirectory)) throw Exists(path);
            _nodes[path] = new() { LinkTarget = target, Modified = modified ?? DateTimeOffset.UnixEpoch };
        }
    }

    public void DeleteFile(string path)
    {
        lock (_nodes)
        {
            if (_nodes.GetValueOrDefault(path) is not { IsDirectory: false }) throw NotFound(path);
            _nodes.Remove(path);
        }
    }

    public void RemoveDirectory(string path)
    {
        lock (_nodes)
        {
            if (_nodes.GetValueOrDefault(path) is not { IsDirectory: true }) throw NotFound(path);
            if (Children(path).Count > 0) throw new TransferException(TransferError.Exists, $"{path} is not empty.");
            _nodes.Remove(path);
        }
    }

    public void Move(string from, string to, bool overwrite)
    {
        lock (_nodes)
        {
            if (!_nodes.TryGetValue(from, out var node)) throw NotFound(from);
            if (_nodes.TryGetValue(to, out var there) && (!overwrite || there.IsDirectory)) throw Exists(to);
            _nodes.Remove(from);
            _nodes[to] = node;
        }
    }

    public void SetModified(string path, DateTimeOffset modified)
    {
        if (this[path] is not { } node) throw NotFound(path);
        node.Modified = Round(modified);
    }

    private DateTimeOffset Round(DateTimeOffset time) => new(time.UtcTicks / Precision.Ticks * Precision.Ticks, TimeSpan.Zero);

    private void RequireParent(string path)
    {
        if (_nodes.GetValueOrDefault(RemotePath.GetParent(path)!) is not { IsDirectory: true }) throw NotFound(RemotePath.GetParent(path)!);
    }

    private static TransferException NotFound(string path) => new(TransferError.NotFound, $"{path} does not exist.") { RemotePath = path };

    private static TransferException Exists(string path) => new(TransferError.Exists, $"{path} exists.") { RemotePath = path };
}

internal sealed class MemoryNode
{
    private readonly Lock _gate = new();
    private byte[] _content = [];
    private int _length;

    public bool IsDirectory { get; init; }

    public string? LinkTarget { get; init; }

    public byte[] Content
    {
        get
        {
            lock (_gate)
            {
                if (_content.Length != _length) Array.Resize(ref _content, _length);
                return _content;
            }
        }
        set
        {
            lock (_gate) (_content, _length) = (value, value.Length);
        }
    }

    public int Length
    {
        get { lock (_gate) return _length; }
    }

    public DateTimeOffset Modified { get; set; }

    /// <summary>Writes somewhere, with room for more behind it: in pieces a large file comes at the cost of its bytes.</summary>
    public void Write(int offset, ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            var end = offset + bytes.Length;
            if (_content.Length < end) Array.Resize(ref _content, Math.Max(end, 2 * _content.Length));
            bytes.CopyTo(_content.AsSpan(offset));
            _length = Math.Max(_length, end);
        }
    }
}
