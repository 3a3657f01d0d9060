namespace Transfer.Engine.Backups;

/// <summary>One of the two sides between which <see cref="FoldersApart"/> distinguishes folders.</summary>
/// <param name="ParentOf">Returns the folder that holds a file, by the full paths.</param>
/// <param name="FolderAt">Returns the folder of a path.</param>
internal readonly record struct CopySide<T>(Func<string, string> ParentOf, Func<string, T> FolderAt);
