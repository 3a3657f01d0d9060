using Transfer.Modes;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>A directory of a folder job.</summary>
internal sealed class PlannedDirectory : IListedDirectory
{
    // Twice the limit of Linux (PATH_MAX). All parents of a directory are in memory.
    private const int MaxPath = 8192;

    /// <param name="parent">The parent directory; null for the job's own folder.</param>
    /// <param name="name">The name; empty for that folder.</param>
    /// <param name="real">The real path, as <see cref="RealPath"/>, of a directory reached through a link; null: the path by name.</param>
    /// <param name="there">The name at the target; null: the same.</param>
    public PlannedDirectory(PlannedDirectory? parent, string name, string? real = null, string? there = null)
    {
        Parent = parent;
        Path = parent is null ? name : parent.PathOf(name);
        RealPath = real ?? (parent is null || ReferenceEquals(parent.Path, parent.RealPath) ? Path : Join(parent.RealPath, name));
        TargetPath = parent is null || ReferenceEquals(parent.Path, parent.TargetPath) && (there is null || there == name) ? Path
            : Join(parent.TargetPath, there ?? name);
        IsFollowed = real is not null || parent is { IsFollowed: true };
        Error = parent?.Error;
        Group = parent?.GroupOf(name);
        IsMerged = parent?.IsMergedAt(name) == true;
    }

    /// <summary>Returns the permissions of a folder's copy: the source's, and all for the owner: files are written there.</summary>
    public static UnixFileMode? ModeFor(UnixFileMode? source) =>
        source & FinalMode.Permissions | UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>The parent directory; null for the job's own folder.</summary>
    public PlannedDirectory? Parent { get; }

    IListedDirectory? IListedDirectory.Above => Parent;

    /// <summary>The path relative to the job's folder, with forward slashes; empty for that folder.</summary>
    public string Path { get; }

    /// <summary>The path for messages: the job's own folder has a name there, too.</summary>
    public string ShownPath => Path.Length == 0 ? "./" : Path;

    /// <summary>The path at the target, in the same form; differs from <see cref="Path"/> where names are mapped.</summary>
    public string TargetPath { get; }

    /// <summary>The two paths of the directory.</summary>
    public ItemPath Item => ItemPath.Of(Path, TargetPath);

    /// <summary>The entries' names at the target, by their names at the source, where these differ; null: no name differs.</summary>
    public IReadOnlyDictionary<string, string>? Mapped { get; set; }

    /// <summary>The real path, in the same form; differs from <see cref="Path"/> behind a link that is followed.</summary>
    public string RealPath { get; }

    /// <summary>Whether the directory was reached through a link.</summary>
    public bool IsFollowed { get; }

    /// <summary>Whether the target reported that this job created the directory.</summary>
    public bool IsCreated { get; set; }

    /// <summary>
    /// Whether this job created the directory at the target, which is thus empty: the server reported the creation, and the listing of the
    /// parent did not have the directory. Some servers report a creation for a folder that exists.
    /// </summary>
    public bool IsNewAndEmpty { get; set; }

    /// <summary>The permissions at creation, before the umask; null: the usual ones.</summary>
    public UnixFileMode? Mode { get; init; }

    /// <summary>The length that a listing of the source gives the directory itself; -1: none.</summary>
    public long ListedLength { get; init; } = -1;

    /// <summary>The sign of the source's listing, once listed.</summary>
    public ListingSign Sign { get; set; }

    /// <summary>The completeness of the source's listing, which decides the worth of absence.</summary>
    public ListingVerdict Listed { get; set; } = ListingVerdict.Complete;

    /// <summary>Whether the source's listing may lack names that begin with a dot.</summary>
    public bool MayHideDots { get; set; }

    /// <summary>
    /// Whether absence at the source proves nothing, here and below: a listing of the directory or a parent lacks entries, or may.
    /// </summary>
    public bool IsPartial => Listed == ListingVerdict.Partial || Parent is { IsPartial: true };

    /// <summary>Whether the directory may exist at the target though no listing has the name.</summary>
    public bool MayExistAtTarget { get; init; }

    /// <summary>Whether the target had no entry of this name before this job.</summary>
    public bool WasAbsent => TargetEntry is null && !MayExistAtTarget && Parent is { IsNewAndEmpty: true } or { Side.IsKnown: true };

    /// <summary>
    /// Whether the target lists the directory in another spelling only. Known in dry runs, and where a job has only some entries.
    /// </summary>
    public bool HasOtherSpelling { get; init; }

    /// <summary>Whether the directory exists at the target.</summary>
    public bool ExistsAtTarget { get; set; }

    /// <summary>The creation at the target, where each directory is created alone.</summary>
    public Task? Making { get; set; }

    /// <summary>Why the directory does not exist at the target: all entries fail with this error.</summary>
    public TransferException? Error { get; set; }

    /// <summary>The entry of this name in a listing of the target; null: none, or no listing.</summary>
    public TreeEntry? TargetEntry { get; init; }

    /// <summary>The target's entries of the directory, as far as known.</summary>
    public TargetSide Side { get; } = new();

    /// <summary>Whether only the target has the directory.</summary>
    public bool IsExtra { get; init; }

    /// <summary>Whether all entries are included that are not excluded.</summary>
    public bool IsIncluded { get; set; }

    /// <summary>Whether the directory stays at the target because one of the entries stays.</summary>
    public bool IsKept { get; private set; }

    /// <summary>Whether the directory is behind a link at the target, where no entry is deleted.</summary>
    public bool IsLinked => TargetEntry is { Type: RemoteEntryType.Link } || Parent is { IsLinked: true };

    /// <summary>Returns the group of an entry: see <see cref="ItemResult.Group"/>.</summary>
    public string? GroupOf(string name) => Group ?? (Side.Twins?.GetValueOrDefault(name) is { } first ? PathOf(first) : null);

    /// <summary>The group of the directory, with all below; null: none.</summary>
    public string? Group { get; }

    /// <summary>
    /// Whether the target has the directory, or one above, as one with another of the source's: an entry that is extra to one may be the
    /// other's, so that none is deleted.
    /// </summary>
    public bool IsMerged { get; }

    /// <summary>Returns whether the target has an entry, or the directory, as one with another of the source's.</summary>
    public bool IsMergedAt(string name) => IsMerged || Side.Merged?.Contains(name) == true;

    /// <summary>Keeps the directory and the parents.</summary>
    public void Keep()
    {
        for (var at = this; at is { IsKept: false }; at = at.Parent) at.IsKept = true;
    }

    /// <summary>Returns the relative path of an entry.</summary>
    public string PathOf(string name) => Join(Path, name);

    /// <summary>Returns the relative path at the target of an entry by the name there.</summary>
    public string PathThere(string there) => Join(TargetPath, there);

    /// <summary>Returns the name at the target of an entry.</summary>
    public string NameThere(string name) => Mapped?.GetValueOrDefault(name) ?? name;

    /// <summary>Returns the two paths of an entry.</summary>
    public ItemPath ItemOf(string name) =>
        Mapped is null && ReferenceEquals(Path, TargetPath) ? new(PathOf(name)) : ItemPath.Of(PathOf(name), PathThere(NameThere(name)));

    /// <summary>Returns whether a real path is that of this directory or of a parent: entering would never end.</summary>
    public bool IsInside(string real)
    {
        for (var at = this; at is not null; at = at.Parent)
        {
            if (at.RealPath == real) return true;
        }
        return false;
    }

    /// <summary>The approximate size in memory, in bytes.</summary>
    public long Cost => 232 + 2L * Path.Length + (ReferenceEquals(Path, TargetPath) ? 0 : 2L * TargetPath.Length);

    /// <summary>
    /// Returns why a directory is not entered whose path no system can have, as an endless server may send; null when it may be.
    /// </summary>
    public static TransferException? RefuseLength(string path) => path.Length <= MaxPath
        ? null
        : new TransferException(TransferError.Unsupported,
            $"The path of a folder has {path.Length} characters, and {MaxPath} are entered at most: {path[..64]}\u2026")
        { IsTransient = false };

    /// <summary>Returns the path of an entry of a directory, both relative.</summary>
    public static string Join(string directory, string name) => directory.Length == 0 ? name : $"{directory}/{name}";
}
