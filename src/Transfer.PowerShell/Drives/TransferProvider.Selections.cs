using System.Collections.Concurrent;
using Transfer.PowerShell.Entries;

namespace Transfer.PowerShell.Drives;

/// <content>
/// Commands with -Recurse that take a part of a folder: as in local folders, -Filter and -Exclude choose files at any depth by name, and
/// every folder is entered.
/// </content>
public sealed partial class TransferProvider
{
    private const int CopiedTogether = 16;

    // The files that match are deleted, and then each folder in which nothing else is.
    private void RemoveSelected(TransferDrive drive, string path)
    {
        var (matches, root) = (Names(), drive.RemoteOf(path));
        var (files, folders, kept) = (new List<string>(), new List<string>(), new HashSet<string>(StringComparer.Ordinal));
        var isListed = List(path, recursive: true, (entry, child) =>
        {
            var remote = drive.RemoteOf(child);
            if (entry.Type == RemoteEntryType.Directory) folders.Add(remote);
            else if (matches(entry.Name)) files.Add(remote);
            else Keep(remote);
        });
        // Of a folder that is not known as a whole, none is known to be empty.
        if (!isListed || !TryRun(drive, path, running => Follow(running, path,
            drive.Client.StartDeleteFiles(files.ToAsyncEnumerable(), readItems: true, running.StopToken), "Deleting files of")))
        {
            return;
        }
        // Each folder was listed before those in it.
        folders.Reverse();
        foreach (var folder in folders.Append(root).Where(folder => !kept.Contains(folder)))
        {
            if (!Try(drive, path, token => drive.Client.DeleteAsync(folder, recursive: false, token).AsTask())) Keep(folder);
        }

        if (!kept.Contains(root)) return;
        var reason = $"{path} stays: it holds more than the files that match -Filter {Filter}.";
        WriteError(Record(new TransferException(TransferError.Denied, reason) { RemotePath = root }, path));

        void Keep(string below)
        {
            for (var at = RemotePath.GetParent(below); at?.Length >= root.Length; at = RemotePath.GetParent(at)) kept.Add(at);
        }
    }

    // False: a part was not copied, and the error is written.
    private bool CopySelected(TransferDrive from, string path, TransferDrive to, string destination)
    {
        var (matches, excluded) = (Names(), new NameFilter([], [.. Exclude ?? []]));
        var (files, folders) = (new List<string>(), new List<string> { string.Empty });
        var isListed = List(path, recursive: true, (entry, child) =>
        {
            var below = from.RemoteOf(child)[from.RemoteOf(path).Length..].TrimStart('/');
            if (entry.Type == RemoteEntryType.Directory) folders.Add(below);
            else if (entry.Type == RemoteEntryType.File && matches(entry.Name) && excluded.Takes(entry.Name)) files.Add(below);
        });
        foreach (var folder in folders)
        {
            var target = Joined(destination, folder);
            if (!Try(to, path, token => to.Client.CreateDirectoryAsync(target, parents: true, token).AsTask())) return false;
        }
        var failures = new ConcurrentQueue<(string File, TransferException Error)>();
        var isDone = Try(from, path, token => Parallel.ForEachAsync(files,
            new ParallelOptions { MaxDegreeOfParallelism = CopiedTogether, CancellationToken = token }, async (file, stop) =>
            {
                try
                {
                    await from.Client.CopyFileAsync(Joined(from.RemoteOf(path), file), to.Client, Joined(destination, file),
                        new() { Overwrite = OverwriteMode.Always }, cancellationToken: stop).ConfigureAwait(false);
                }
                catch (TransferException e) when (e is not TransferConnectionException)
                {
                    failures.Enqueue((file, e));
                }
            }));
        foreach (var (file, error) in failures) WriteError(Record(error, MakePath(path, file)));
        return isListed && isDone && failures.IsEmpty;
    }

    private static string Joined(string folder, string below) => below.Length == 0 ? folder : RemotePath.Combine(folder, below);
}
