namespace Transfer.Replacing;

/// <summary>Names and records the places where replacements keep old files while the new ones get their names.</summary>
public interface IAsideLog
{
    /// <summary>
    /// Returns a new path beside a file, with a name that contains the file's, so that any later run finds the file. Null: the name would
    /// be too long.
    /// </summary>
    /// <param name="path">The file's path.</param>
    string? AsideOf(string path);

    /// <summary>Returns a new path for an unfinished file in the folder of another, and records the path as about to be used.</summary>
    /// <param name="path">The other file's path.</param>
    string TemporaryBeside(string path);

    /// <summary>Returns the paths of files that were moved, or may have been, on the way to a path, without arriving.</summary>
    /// <param name="from">The source's path.</param>
    /// <param name="to">The new path.</param>
    RenamingTrace Trace(string from, string to);

    /// <summary>Records a file that is about to be moved aside: the record must outlive the process from now on.</summary>
    /// <param name="path">The file's path.</param>
    /// <param name="aside">The path of the file meanwhile.</param>
    void Began(string path, string aside);

    /// <summary>Records that a file of <see cref="Began"/> is no longer aside: put back, or replaced.</summary>
    /// <param name="path">The file's path.</param>
    /// <param name="aside">The path of the file meanwhile.</param>
    void Ended(string path, string aside);
}
