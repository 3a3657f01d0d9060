using Microsoft.Extensions.Logging;
using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Local.Trees;

/// <summary>A local folder as a job's source or target. Writing to a target never leaves the folder through a link.</summary>
internal sealed partial class LocalTree : ISourceTree, ITargetTree
{
    private readonly string _root;
    private readonly ILogger _logger;
    private readonly ListingBudget? _budget;
    private LocalNames? _names;
    private string? _realRoot;

    /// <param name="root">The folder.</param>
    /// <param name="logger">The log.</param>
    /// <param name="names">The rules for names; null: those of the folder's file system.</param>
    /// <param name="budget">The memory for listings; null: the folder is read one entry after the other, and nothing is kept.</param>
    public LocalTree(string root, ILogger logger, LocalNames? names = null, ListingBudget? budget = null)
    {
        _budget = budget;
        _root = LocalPath.Full(root);
        _logger = logger;
        _names = names;
    }

    public TimeSpan TimePrecision => TimeSpan.FromTicks(1);

    public IEqualityComparer<string> Names => Rules;

    public bool KeepsTimes => true;

    public IReadOnlyList<string> Hashes => FileHash.Algorithms;

    public int ListsTogether => 1;

    public int FindsTogether => 1;

    public bool IsShortOfRoom => _budget is { IsShort: true };

    private LocalNames Rules => _names ??= LocalNames.ForThisSystem(LocalCase.Usual);

    private string RealRoot => _realRoot ??= LocalLinks.RealPath(_root);

    public string PathOf(string relative) =>
        relative.Length == 0 ? _root : Path.Join(_root, Native(relative));

    public string? Refuse(string name) => Rules.Refuse(name);

    public NameCode? Code => Rules.Code;

    // An existing file can be read under any name; a name that is no text, on a system without such bytes, would become another name
    // elsewhere.
    public string? RefuseToRead(string name) =>
        OperatingSystem.IsLinux() || NameBytes.AreText(name) ? null : "the name is no text (Unicode)";

    // The rules in Names suffice.
    public ValueTask<string?> RefuseTwinsAsync(string directory, bool forms, CancellationToken ct) => default;

    public ValueTask<TreeListing> FindAsync(string directory, CancellationToken ct) => ListAsync(directory, ct);

    public ValueTask<TreeListing> ListAsync(string directory, CancellationToken ct)
    {
        var path = PathOf(directory);
        var share = (_budget ?? new ListingBudget(long.MaxValue)).Open(path);
        var isRead = false;
        try
        {
            var entries = new EntryList(share);
            foreach (var entry in Enumerate(directory))
            {
                ct.ThrowIfCancellationRequested();
                entries.Add(entry);
            }
            isRead = true;
            return new(TreeListing.Complete(entries.ToList(), share));
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read the folder", path);
        }
        finally
        {
            if (!isRead) share.Dispose();
        }
    }

    /// <summary>Reads one directory during the enumeration, so that any number of entries is possible. Throws the system's own
    /// exceptions.</summary>
    public IEnumerable<TreeEntry> Enumerate(string directory)
    {
        var path = PathOf(directory);
        return DiskDirectories.Entries(path).Select(found => Describe(path, found));
    }

    public UnixFileMode? RootMode => LocalFiles.ModeOf(_root);

    public ValueTask<bool> CreateRootAsync(UnixFileMode? mode, CancellationToken ct)
    {
        try
        {
            var fresh = DiskDirectories.Create(_root, permissions: mode);
            _names ??= LocalNames.ForThisSystem(LocalCase.Of(_root));
            return new(fresh);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot create the folder", _root);
        }
    }

    public ValueTask<IReadOnlyList<DirectoryOutcome>> CreateDirectoriesAsync(IReadOnlyList<PlannedDirectory> directories,
        CancellationToken ct)
    {
        var outcomes = new DirectoryOutcome[directories.Count];
        for (var i = 0; i < outcomes.Length; i++) outcomes[i] = Create(PathOf(directories[i].TargetPath), directories[i].Mode);
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
        var path = PathOf(link.Item.TargetPath);
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

    private static DirectoryOutcome Create(string path, UnixFileMode? mode)
    {
        try
        {
            // The parents were checked before: one level at a time, from the root down.
            if (LocalLinks.IsLink(path)) return new() { Error = DoubtfulDirectory.NotWrittenThrough(path) };
            return new() { Created = DiskDirectories.Create(path, permissions: mode) };
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return new() { Error = LocalErrors.Map(e, "Cannot create the folder", path) };
        }
    }

    private static TreeEntry Describe(string path, in FolderEntry found)
    {
        var (name, status) = found;
        var text = status.IsLink ? DiskLinks.TargetOf(Path.Join(path, name)) : null;
        return new(name, status.Type, status.IsLink || status.IsFolder ? -1 : status.Length, status.ModifiedTicks,
            text)
        { Mode = ModeOf(status) };
    }

    // Other systems than Linux are enumerated by System.IO, without permissions.
    private static UnixFileMode? ModeOf(in FileStatus status) => OperatingSystem.IsLinux() ? status.Mode : null;

    private LinkEnd Follow(string relative, string name)
    {
        var path = PathOf(relative);
        try
        {
            var real = LocalLinks.RealPath(path);
            if (!LocalLinks.IsInside(real, RealRoot)) return LinkEnd.Outside(relative);
            var inside = Path.GetRelativePath(RealRoot, real).Replace(Path.DirectorySeparatorChar, '/');
            if (FileStatus.Find(real, follow: true) is not { } status) return LinkEnd.Nowhere;
            return status.IsFolder
                ? new(new(name, RemoteEntryType.Directory, -1, 0), inside == "." ? string.Empty : inside, null)
                : new(new(name, status.Type, status.Length, status.ModifiedTicks) { Mode = ModeOf(status) }, inside, null);
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
}
