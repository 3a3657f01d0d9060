namespace Transfer.Engine;

/// <summary>A directory of a folder job.</summary>
internal sealed class PlannedDirectory
{
    /// <param name="parent">The directory it is in; null for the job's own folder.</param>
    /// <param name="name">Its name; empty for that folder.</param>
    /// <param name="real">Where it really is when it was reached through a link, as <see cref="RealPath"/>; null: where its name says.</param>
    public PlannedDirectory(PlannedDirectory? parent, string name, string? real = null)
    {
        Parent = parent;
        Path = parent is null ? name : parent.PathOf(name);
        RealPath = real ?? (parent is null || ReferenceEquals(parent.Path, parent.RealPath) ? Path : Join(parent.RealPath, name));
        IsFollowed = real is not null || parent is { IsFollowed: true };
        Error = parent?.Error;
    }

    /// <summary>The directory it is in; null for the job's own folder.</summary>
    public PlannedDirectory? Parent { get; }

    /// <summary>The path relative to the job's folder, with forward slashes; empty for that folder.</summary>
    public string Path { get; }

    /// <summary>The path of what it really is, in the same form: another than <see cref="Path"/> behind a link that is followed.</summary>
    public string RealPath { get; }

    /// <summary>It was reached through a link.</summary>
    public bool IsFollowed { get; }

    /// <summary>The target was created by this job: it is known to be empty.</summary>
    public bool Fresh { get; set; }

    /// <summary>Why there is no such directory at the target: all that is in it fails so.</summary>
    public TransferException? Error { get; set; }

    /// <summary>The relative path of something in it.</summary>
    public string PathOf(string name) => Join(Path, name);

    /// <summary>True when a directory, by its real path, is this one or one that this one is in: going into it would never end.</summary>
    public bool IsInside(string real)
    {
        for (var at = this; at is not null; at = at.Parent)
        {
            if (at.RealPath == real) return true;
        }
        return false;
    }

    private static string Join(string directory, string name) => directory.Length == 0 ? name : $"{directory}/{name}";
}
