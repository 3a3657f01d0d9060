namespace Transfer.Engine;

/// <summary>A directory of a folder job.</summary>
internal sealed class PlannedDirectory
{
    public PlannedDirectory(PlannedDirectory? parent, string name)
    {
        Parent = parent;
        Path = parent is null || parent.Path.Length == 0 ? name : $"{parent.Path}/{name}";
        Error = parent?.Error;
    }

    /// <summary>The directory it is in; null for the job's own folder.</summary>
    public PlannedDirectory? Parent { get; }

    /// <summary>The path relative to the job's folder, with forward slashes; empty for that folder.</summary>
    public string Path { get; }

    /// <summary>Where a local directory really is when links are followed: what tells a loop.</summary>
    public string? RealPath { get; set; }

    /// <summary>The target was created by this job: it is known to be empty.</summary>
    public bool Fresh { get; set; }

    /// <summary>Why there is no such directory at the target: all that is in it fails so.</summary>
    public TransferException? Error { get; set; }

    /// <summary>The relative path of something in it.</summary>
    public string PathOf(string name) => Path.Length == 0 ? name : $"{Path}/{name}";
}
