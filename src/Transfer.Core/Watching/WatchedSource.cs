using Transfer.Engine.Operations;
using Transfer.Local;

namespace Transfer.Watching;

/// <summary>The folder that is followed.</summary>
/// <param name="localFolder">The full path of a local folder; null: the folder is at a server.</param>
/// <param name="client">The client of the server.</param>
/// <param name="remoteFolder">The folder at the server.</param>
internal sealed class WatchedSource(string? localFolder, TransferClient client, string remoteFolder)
{
    /// <summary>The full path of a local folder; null: the folder is at a server.</summary>
    public string? LocalFolder => localFolder;

    /// <summary>
    /// Deletes the trigger file of a file that was sent. A trigger file that has changed since stays where the file is there again: both
    /// are a later version's.
    /// </summary>
    /// <param name="file">The path of the file below the folder.</param>
    /// <param name="ending">The ending of trigger files.</param>
    /// <param name="sight">The trigger file as it was listed.</param>
    public async Task DeleteTriggerAsync(string file, string ending, TriggerSight sight)
    {
        if (localFolder is null)
        {
            await DeleteRemoteTriggerAsync(file, ending, sight).ConfigureAwait(false);
            return;
        }
        var trigger = FullPath(file + ending);
        if (FileStatus.Find(trigger, follow: false) is not { } now) return;
        if ((now.Length, (long?)now.ModifiedTicks) == (sight.Length, sight.Modified?.UtcTicks) || FileStatus.IsAbsent(FullPath(file)))
            DiskFiles.Delete(trigger);
    }

    /// <summary>The full path of a file of a local folder.</summary>
    public string FullPath(string path) => Path.Join(localFolder, path.Replace('/', Path.DirectorySeparatorChar));

    private async Task DeleteRemoteTriggerAsync(string file, string ending, TriggerSight sight)
    {
        var path = RemotePath.Combine(remoteFolder, file);
        if (await client.GetEntryAsync(path + ending).ConfigureAwait(false) is not { } now) return;
        if (IsSame(sight, now) || await client.GetEntryAsync(path).ConfigureAwait(false) is null)
            await client.DeleteAsync(path + ending).ConfigureAwait(false);
    }

    // Times in minutes prove nothing.
    private bool IsSame(TriggerSight sight, RemoteEntry now) =>
        RemoteTree.PrecisionOf(client.Engine) is var step && !ListedTime.IsCoarse(step)
        && now.Length == sight.Length && now.Modified is { } after && sight.Modified is { } before && (after - before).Duration() < step;
}
