namespace Transfer.Replacing;

/// <summary>Names, and remembers, where a replacement keeps the old file while the new one gets its name.</summary>
public interface IAsideLog
{
    /// <summary>A path, never given before, beside a file: its name contains the file's, so that any later run finds the file by it. Null: the name would be too long.</summary>
    /// <param name="path">The file's path.</param>
    string? AsideOf(string path);

    /// <summary>A path, never given before, for an unfinished file in the folder of another; remembered, for it is about to be used.</summary>
    /// <param name="path">The other file's path.</param>
    string TemporaryBeside(string path);

    /// <summary>Where files are, or may be, that were moved on the way to a path and did not arrive.</summary>
    /// <param name="from">The source's path.</param>
    /// <param name="to">The path to be had.</param>
    RenamingTrace Trace(string from, string to);

    /// <summary>A file is about to be moved aside: what is known of that must outlive the process from now on.</summary>
    /// <param name="path">The file's path.</param>
    /// <param name="aside">The path it will have meanwhile.</param>
    void Began(string path, string aside);

    /// <summary>The file is not there any more under the path that was given to <see cref="Began"/>: it is back, or replaced.</summary>
    /// <param name="path">The file's path.</param>
    /// <param name="aside">The path it had.</param>
    void Ended(string path, string aside);
}
