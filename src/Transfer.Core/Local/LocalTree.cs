using System.IO.Enumeration;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Engine;
using Transfer.Sessions;

namespace Transfer.Local;

/// <summary>A local folder as a job's source or target. As a target it is never left through a link.</summary>
internal sealed partial class LocalTree : ISourceTree, ITargetTree
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
    private readonly ILogger _logger;
    private LocalNames? _names;
    private string? _realRoot;

    public LocalTree(string root, ILogger logger, LocalNames? names = null)
    {
        _root = Path.GetFullPath(root);
        _logger = logger;
        _names = names;
    }

    public TimeSpan TimePrecision => TimeSpan.FromTicks(1);

    public IEqualityComparer<string> Names => Rules;

    public bool KeepsTimes => true;

    public IReadOnlyList<string> Hashes => FileHash.Algorithms;

    private LocalNames Rules => _names ??= LocalNames.ForThisSystem(OperatingSystem.IsWindows() || OperatingSystem.IsMacOS());

    private string RealRoot => _realRoot ??= LocalLinks.RealPath(_root);

    public string PathOf(string relative) =>
        relative.Length == 0 ? _root : Path.Join(_root, OperatingSystem.IsWindows() ? relative.Replace('/', '\\') : relative);

    public string? Refuse(string name) => Rules.Refuse(name);

    public NameCode? Code => Rules.Code;

    // What is there can be read, by whatever name.
    public string? RefuseToRead(string name) => null;

    // Names says it all.
    public ValueTask<string?> RefuseTwinsAsync(string directory, CancellationToken ct) => default;

    public ValueTask<List<TreeEntry>> ListAsync(string directory, CancellationToken ct)
    {
        var path = PathOf(directory);
        try
        {
            var entries = new List<TreeEntry>();
            foreach (var entry in Enumerate(directory))
            {
                ct.ThrowIfCancellationRequested();
                entries.Add(entry);
            }
            return new(entries);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read the folder", path);
        }
    }

    /// <summary>Reads one directory as it goes, so that it may have any number of entries. Throws the system's own exceptions.</summary>
    public IEnumerable<TreeEntry> Enumerate(string directory)
    {
        var path = PathOf(directory);
        return new FileSystemEnumerable<Found>(path, Found.From, Everything).Select(found => Describe(path, found));
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
        for (var i = 0; i < outcomes.Length; i++) outcomes[i] = Create(PathOf(directories[i].TargetPath));
        return new(outcomes);
    }

    public ValueTask<IReadOnlyList<LinkEnd>> FollowAsync(string directory, IReadOnlyList<TreeEntry> links, CancellationToken ct) =>
        new([.. links.Select(link => Follow(PlannedDirectory.Join(directory, link.Name), link.Name))]);

    public ValueTask<IReadOnlyList<LinkText>> ReadLinksAsync(string directory, IReadOnlyList<TreeEntry> links, CancellationToken ct) =>
        new([.. links.Select(link => new LinkText(link.LinkTarget, null))]);

    public ValueTask<IReadOnlyList<TransferException?>> CreateLinksAsync(IReadOnlyList<PlannedLink> links, CancellationToken ct) =>
        new([.. links.Select(Create)]);

    private TransferException? Create(PlannedLink link)
    {
        var path = PathOf(link.Item.There);
        try
        {
            LocalLinks.CheckTarget(_root, RealRoot, path, link.Text);
            LocalLinks.Create(path, link.Text, link.Modified, link.Replace ? PathOf(link.TemporaryPath) : null);
            return null;
        }
        catch (Exception e) when (e is TransferException || LocalErrors.IsLocal(e))
        {
            return LocalErrors.Map(e, "Cannot make the link", path);
        }
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

    private static TreeEntry Describe(string path, in Found found)
    {
        var full = Path.Join(path, found.Name);
        if (found.MayBeLink && new FileInfo(full) is { LinkTarget: { } text } link) return new(found.Name, RemoteEntryType.Link, -1, link.LastWriteTimeUtc.Ticks, text);
        if (found.IsDirectory) return new(found.Name, RemoteEntryType.Directory, -1, found.ModifiedTicks);

        // Pipes, sockets and devices are all empty to look at: only what is empty needs the closer look.
        var type = found.Length > 0 || LocalFileType.IsRegular(full) ? RemoteEntryType.File : RemoteEntryType.Other;
        return new(found.Name, type, found.Length, found.ModifiedTicks);
    }

    private LinkEnd Follow(string relative, string name)
    {
        var path = PathOf(relative);
        try
        {
            var real = LocalLinks.RealPath(path);
            if (!LocalLinks.IsInside(real, RealRoot)) return LinkEnd.Outside(relative);
            var inside = Path.GetRelativePath(RealRoot, real).Replace(Path.DirectorySeparatorChar, '/');
            if (Directory.Exists(real)) return new(new(name, RemoteEntryType.Directory, -1, 0), inside == "." ? string.Empty : inside, null);
            var file = new FileInfo(real);
            if (!file.Exists) return LinkEnd.Nowhere;
            var type = LocalFileType.IsRegular(real) ? RemoteEntryType.File : RemoteEntryType.Other;
            return new(new(name, type, file.Length, file.LastWriteTimeUtc.Ticks), inside, null);
        }
        catch (LinkLoopException)
        {
            Log.LinkLoop(_logger, path);
            return LinkEnd.Nowhere;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return LinkEnd.Refused(LocalErrors.Map(e, "Cannot follow", path));
        }
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
