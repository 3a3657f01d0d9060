namespace Transfer.Replacing;

/// <summary>The facts that one replacement has proved about its target's folder.</summary>
public enum ReplacementLesson
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>A file was renamed.</summary>
    Renamed,

    /// <summary>A rename onto a file was refused, and accepted for the same file once the old one had been moved aside.</summary>
    NeedsAside,

    /// <summary>The server has no command to rename with.</summary>
    NoRenameCommand,

    /// <summary>A temporary file could be renamed neither to its target nor to a second temporary name beside the target.</summary>
    TemporaryNotRenamed,
}
