namespace Transfer.Replacing;

/// <summary>The file that a replacement has aside, and the earlier ones.</summary>
/// <param name="log">Names and records files moved aside.</param>
internal sealed class AsideTrack(IAsideLog log)
{
    private readonly List<(string Original, string Aside)> _ended = [];

    /// <summary>The path of the file aside, or about to be; null: none.</summary>
    public string? Path { get; private set; }

    /// <summary>The path of that file before.</summary>
    public string Original { get; private set; } = string.Empty;

    /// <summary>The files that are certainly not aside any more.</summary>
    public IReadOnlyList<(string Original, string Aside)> Ended => _ended;

    /// <summary>Returns the step that moves a file aside; null: no name is possible.</summary>
    public ReplacementStep.Rename? TryMove(string path)
    {
        (Path, Original) = (log.AsideOf(path), path);
        return Path is null ? null : new ReplacementStep.Rename(path, Path) { Original = path };
    }

    /// <summary>Sets the path of a file that a lost session moved aside; null: none.</summary>
    public void Found(string? aside, string original) => (Path, Original) = (aside, original);

    /// <summary>Notes that no file is aside any more, by a reply: a rename of a lost session could still come.</summary>
    public void End()
    {
        _ended.Add((Original, Path!));
        Path = null;
    }
}
