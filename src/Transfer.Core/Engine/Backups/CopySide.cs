using Transfer.Engine.Trees;

namespace Transfer.Engine.Backups;

/// <summary>One of the two sides between which <see cref="FoldersApart"/> distinguishes folders.</summary>
/// <param name="parentOf">Returns the folder that holds a file, by the full paths.</param>
/// <param name="folderAt">Returns the folder of a path.</param>
internal sealed class CopySide(Func<string, string> parentOf, Func<string, ITargetTree> folderAt)
{
    /// <summary>Returns the folder that holds a file, by the full paths.</summary>
    public string ParentOf(string path) => parentOf(path);

    /// <summary>Returns the folder of a path.</summary>
    public ITargetTree FolderAt(string path) => folderAt(path);
}
