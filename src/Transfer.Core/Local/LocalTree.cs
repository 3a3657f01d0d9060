using System.IO.Enumeration;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Engine;
using Transfer.Sessions;

namespace Transfer.Local;

/// <summary>A local folder as a job's source or target. As a target it is never left through a link.</summary>
internal sealed class LocalTree : ISourceTree, ITargetTree
{
    private static readonly EnumerationOptions Everything = new()
    {
        AttributesToSkip = 0,
        IgnoreInaccessible = false,
        RecurseSubdirectories = false,
        ReturnSpecialDirectories = false,
        MatchType = MatchType.Simple,
    };

    private readonly string _root;
    private readonly bool _followLinks;
    private readonly ILogger _logger;
    private LocalNames? _names;

    public LocalTree(string root, bool followLinks, ILogger logger, LocalNames? names = null)
    {
        _root = Path.GetFullPath(root);
        _followLinks = followLinks;
        _logger = logger;
        _names = names;
    }

    public TimeSpan TimePrecision => TimeSpan.FromTicks(1);

    public IEqualityComparer<string> Names => Rules;

    private LocalNames Rules => _names ??= LocalNames.ForThisSystem(OperatingSystem.IsWindows() || OperatingSystem.IsMacOS());

    public string PathOf(string relative) =>
        relative.Length == 0 ? _root : Path.Join(_root, OperatingSystem.IsWindows() ? relative.Replace('/', '\\') : relative);

    public string? Refuse(string name) => Rules.Refuse(name);

    public ValueTask<IReadOnlyList<TreeEntry>> ListAsync(PlannedDirectory directory, CancellationToken ct)
    {
        var path = PathOf(directory.Path);
        try
        {
            if (_followLinks) directory.RealPath ??= LocalLinks.RealPath(path);
            var found = new FileSystemEnumerable<Found>(path, Found.From, Everything);
            var entries = new List<TreeEntry>();
            foreach (var one in found)
            {
                ct.ThrowIfCancellationRequested();
                entries.Add(Describe(directory, path, one));
            }
            return new(entries);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read the folder", path);
        }
    }

    public ValueTask<bool> CreateRootAsync(CancellationToken ct)
    {
        try
        {
            var fresh = !Directory.Exists(_root);
            Directory.CreateDirectory(_root);
            _names ??= LocalNames.ForThisSystem(LocalCase.IsIgnoredIn(_root));
            return new(fresh);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot create the folder", _root);
        }
    }

    public ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<PlannedDirectory> directories, CancellationToken ct)
    {
        var outcomes = new DirectoryOutcome[directories.Count];
        for (var i = 0; i < outcomes.Length; i++) outcomes[i] = Create(PathOf(directories[i].Path));
        return new(outcomes);
    }

    private static DirectoryOutcome Create(string path)
    {
        try
        {
            // Its parents were looked at before it: one level at a time, from the root down.
            if (LocalLinks.IsLink(path))
            {
                return new() { Error = new TransferException(TransferError.Denied, $"{path} is a link: nothing is written through it.") };
            }
            if (Directory.Exists(path)) return default;
            Directory.CreateDirectory(path);
            return new() { Created = true };
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return new() { Error = LocalErrors.Map(e, "Cannot create the folder", path) };
        }
    }

    private TreeEntry Describe(PlannedDirectory directory, string path, in Found found)
    {
        var full = Path.Join(path, found.Name);
        if (found.MayBeLink && new FileInfo(full) is { LinkTarget: not null } link)
            return _followLinks ? DescribeTarget(directory, link) : new(found.Name, RemoteEntryType.Link, -1, 0);
        if (found.IsDirectory)
        {
            var loops = _followLinks && IsLoop(directory, Path.Join(directory.RealPath, found.Name));
            return new(found.Name, loops ? Skipped(full) : RemoteEntryType.Directory, -1, found.ModifiedTicks);
        }

        // Pipes, sockets and devices are all empty to look at: only what is empty needs the closer look.
        var type = found.Length > 0 || LocalFileType.IsRegular(full) ? RemoteEntryType.File : RemoteEntryType.Other;
        return new(found.Name, type, found.Length, found.ModifiedTicks);
    }

    private TreeEntry DescribeTarget(PlannedDirectory directory, FileInfo link)
    {
        string? target = null;
        try
        {
            target = link.ResolveLinkTarget(returnFinalTarget: true)?.FullName;
        }
        catch (IOException)
        {
            // Links in a circle: skipped like one that leads nowhere.
            Log.LinkLoop(_logger, link.FullName);
        }
        if (Directory.Exists(target))
        {
            var type = IsLoop(directory, LocalLinks.RealPath(target)) ? Skipped(link.FullName) : RemoteEntryType.Directory;
            return new(link.Name, type, -1, 0);
        }
        var file = new FileInfo(target ?? link.FullName);
        if (target is null || !file.Exists) return new(link.Name, RemoteEntryType.Link, -1, 0);
        var regular = LocalFileType.IsRegular(target) ? RemoteEntryType.File : RemoteEntryType.Other;
        return new(link.Name, regular, file.Length, file.LastWriteTimeUtc.Ticks);
    }

    private RemoteEntryType Skipped(string path)
    {
        Log.LinkLoop(_logger, path);
        return RemoteEntryType.Other;
    }

    private static bool IsLoop(PlannedDirectory directory, string real)
    {
        for (var at = directory; at is not null; at = at.Parent)
        {
            if (at.RealPath == real) return true;
        }
        return false;
    }

    private readonly record struct Found(string Name, bool IsDirectory, bool MayBeLink, long Length, long ModifiedTicks)
    {
        public static Found From(ref FileSystemEntry entry)
        {
            var link = (entry.Attributes & FileAttributes.ReparsePoint) != 0;
            return new(
                entry.FileName.ToString(), entry.IsDirectory, link,
                entry.IsDirectory || link ? -1 : entry.Length, entry.LastWriteTimeUtc.UtcTicks);
        }
    }
}
