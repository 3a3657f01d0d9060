using Transfer.Local;

namespace Transfer.Watching;

/// <summary>The folder that is followed.</summary>
/// <param name="LocalFolder">The full path of a local folder; null: the folder is at a server.</param>
/// <param name="DeleteRemoteAsync">Deletes a file by its path below a remote folder.</param>
internal sealed record WatchedSource(string? LocalFolder, Func<string, Task> DeleteRemoteAsync)
{
    /// <summary>Deletes a file of the folder by its path below.</summary>
    public Task DeleteAsync(string path)
    {
        if (LocalFolder is null) return DeleteRemoteAsync(path);
        DiskFiles.Delete(FullPath(path));
        return Task.CompletedTask;
    }

    /// <summary>The full path of a file of a local folder.</summary>
    public string FullPath(string path) => Path.Join(LocalFolder, path.Replace('/', Path.DirectorySeparatorChar));
}
