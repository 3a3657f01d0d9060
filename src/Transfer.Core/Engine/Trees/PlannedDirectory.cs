using Transfer.Modes;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>A directory of a folder job.</summary>
internal sealed class PlannedDirectory
{
    // Twice what Linux takes (PATH_MAX). All directories above one are in memory.
    private const int MaxPath = 8192;

    /// <param name="parent">The directory it is in; null for the job's own folder.</param>
    /// <param name="name">Its name; empty for that folder.</param>
    /// <param name="real">Where it really is when it was reached through a link, as <see cref="RealPath"/>; null: where its name says.</param>
    /// <param name="there">Its name at the target; null: the same.</param>
    public PlannedDirectory(PlannedDirectory? parent, string name, string? real = null, string? there = null)
    {
        Parent = parent;
        Path = parent is null ? name : parent.PathOf(name);
        RealPath = real ?? (parent is null || ReferenceEquals(parent.Path, parent.RealPath) ? Path : Join(parent.RealPath, name));
        TargetPath = parent is null || ReferenceEquals(parent.Path, parent.TargetPath) && (there is null || there == name) ? Path : Join(parent.TargetPath, there ?? name);
        IsFollowed = real is not null || parent is { IsFollowed: true };
        Error = parent?.Error;
    }

    /// <summary>The permissions for the copy of a folder: the source's, and all for its owner, who puts files there.</summary>
    public static UnixFileMode? ModeFor(UnixFileMode? source) => source & FinalMode.Permissions | UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>The directory it is in; null for the job's own folder.</summary>
    public PlannedDirectory? Parent { get; }

    /// <summary>The path relative to the job's folder, with forward slashes; empty for that folder.</summary>
    public string Path { get; }

    /// <summary>The path at the target, in the same form: another than <see cref="Path"/> where names are mapped.</summary>
    public string TargetPath { get; }

    /// <summary>Its two paths.</summary>
    public ItemPath Item => ItemPath.Of(Path, TargetPath);

    /// <summary>The names at the target of what is in it, by those at the source, where they differ; null: none does.</summary>
    public IReadOnlyDictionary<string, string>? Mapped { get; set; }

    /// <summary>The path of what it really is, in the same form: another than <see cref="Path"/> behind a link that is followed.</summary>
    public string RealPath { get; }

    /// <summary>It was reached through a link.</summary>
    public bool IsFollowed { get; }

    /// <summary>The target says that it was created by this job.</summary>
    public bool IsCreated { get; set; }

    /// <summary>
    /// The target was created by this job and is known to be empty: the server said that it made it, and what was listed above it did not have it. Some servers say so of
    /// a folder that exists.
    /// </summary>
    public bool Fresh { get; set; }

    /// <summary>The permissions that it is made with at the target, but for the umask; null: the usual ones.</summary>
    public UnixFileMode? Mode { get; init; }

    /// <summary>What absence from the source's listing of it is worth.</summary>
    public ListingVerdict Listed { get; set; } = ListingVerdict.Complete;

    /// <summary>Names that begin with a dot may be missing from the source's listing of it.</summary>
    public bool MayHideDots { get; set; }

    /// <summary>The target's listing of it is complete: what that does not have is not there.</summary>
    public bool IsTargetKnown { get; set; }

    /// <summary>Names that begin with a dot may be missing from the target's listing of it.</summary>
    public bool TargetMayHideDots { get; set; }

    /// <summary>Absence at the source proves nothing, here and below: the source's listing of it, or of one that it is in, lacks entries or may lack some.</summary>
    public bool IsPartial => Listed == ListingVerdict.Partial || Parent is { IsPartial: true };

    /// <summary>The target's listing has nothing under its name, which is no proof.</summary>
    public bool MayBeThere { get; init; }

    /// <summary>Nothing was at the target under its name before this job.</summary>
    public bool WasAbsent => There is null && !MayBeThere && Parent is { Fresh: true } or { IsTargetKnown: true };

    /// <summary>It is there at the target.</summary>
    public bool IsMade { get; set; }

    /// <summary>Making it at the target, where that is done for it alone.</summary>
    public Task? Making { get; set; }

    /// <summary>Why there is no such directory at the target: all that is in it fails so.</summary>
    public TransferException? Error { get; set; }

    /// <summary>What a listing of the target has under its name; null: nothing, or it was not listed.</summary>
    public TreeEntry? There { get; init; }

    /// <summary>What is known of what the target has in it.</summary>
    public TargetSide Side { get; } = new();

    /// <summary>Only the target has it.</summary>
    public bool IsExtra { get; init; }

    /// <summary>All of it is included that is not excluded.</summary>
    public bool IsIncluded { get; set; }

    /// <summary>Something in it stays at the target, and so does it.</summary>
    public bool IsKept { get; private set; }

    /// <summary>Behind a link at the target nothing is deleted.</summary>
    public bool IsLinked => There is { Type: RemoteEntryType.Link } || Parent is { IsLinked: true };

    /// <summary>Keeps it, and those it is in.</summary>
    public void Keep()
    {
        for (var at = this; at is { IsKept: false }; at = at.Parent) at.IsKept = true;
    }

    /// <summary>The relative path of something in it.</summary>
    public string PathOf(string name) => Join(Path, name);

    /// <summary>The relative path at the target of something in it that has this name there.</summary>
    public string PathThere(string there) => Join(TargetPath, there);

    /// <summary>The name at the target of something in it.</summary>
    public string NameThere(string name) => Mapped?.GetValueOrDefault(name) ?? name;

    /// <summary>The two paths of something in it.</summary>
    public ItemPath ItemOf(string name) =>
        Mapped is null && ReferenceEquals(Path, TargetPath) ? new(PathOf(name)) : ItemPath.Of(PathOf(name), PathThere(NameThere(name)));

    /// <summary>True when a directory, by its real path, is this one or one that this one is in: going into it would never end.</summary>
    public bool IsInside(string real)
    {
        for (var at = this; at is not null; at = at.Parent)
        {
            if (at.RealPath == real) return true;
        }
        return false;
    }

    /// <summary>About the bytes that it takes in memory.</summary>
    public long Cost => 184 + 2L * Path.Length + (ReferenceEquals(Path, TargetPath) ? 0 : 2L * TargetPath.Length);

    /// <summary>Why a directory is not entered whose path no system has, which a server without end may send; null: it may be.</summary>
    public static TransferException? RefuseLength(string path) => path.Length <= MaxPath
        ? null
        : new TransferException(TransferError.Unsupported, $"The path of a folder has {path.Length} characters, and {MaxPath} are entered at most: {path[..64]}\u2026") { IsTransient = false };

    /// <summary>The path of something in a directory, both relative.</summary>
    public static string Join(string directory, string name) => directory.Length == 0 ? name : $"{directory}/{name}";
}
