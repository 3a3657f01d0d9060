using Transfer.PowerShell.Pump;

namespace Transfer.PowerShell.Files;

/// <summary>
/// Base of the cmdlets that take files from the pipeline. All files are one job at each server, which begins with the first file and runs
/// beside the pipeline.
/// </summary>
/// <typeparam name="T">A file with its target.</typeparam>
public abstract class FileJobCmdlet<T> : CopyingCmdlet
{
    private readonly Dictionary<TransferClient, JobFeed<T>> _files = [];

    /// <summary>The paths of a file at both ends.</summary>
    private protected abstract (string Source, string Target) Ends(T file);

    /// <summary>Starts the job of all files.</summary>
    private protected abstract TransferJob Start(IAsyncEnumerable<T> files, FilesOptions options);

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        // Only here: the job of a pipeline that is stopped, or fails before this cmdlet, has not had all its files, and keeps its journal.
        foreach (var files in _files.Values) files.Complete();
        base.EndProcessing();
    }

    /// <summary>Adds a file, and waits while the job has enough of them.</summary>
    private protected void Add(T file, object target)
    {
        if (!_files.TryGetValue(Client, out var files))
        {
            var options = WithSources(
                new FilesOptions { Overwrite = Overwrite, Verify = Verify, Sessions = Sessions, CreateDirectories = true });
            if (Resume) options = options with { Resume = true, Journal = JournalOf(file) };
            _files[Client] = files = new();
            Follow(files.Start(all => Start(all, options), StopToken));
        }
        Await(token => files.AddAsync(file, token), target);
    }

    // Further files are not yet known: the same command is the one with the same first folder and the same target folder.
    private string JournalOf(T first)
    {
        var (source, target) = Ends(first);
        string[] job = [MyInvocation.MyCommand.Name, Client.Endpoint.ToString(), Folder(source), Folder(target)];
        return Await(_ => Task.FromResult(Journals().JournalFor(job)), target);
    }

    private static JournalDirectory Journals() => JournalDirectory.OfUser()
        ?? throw new TransferException(TransferError.Unsupported, "Resume needs a folder for journals: set XDG_STATE_HOME.");

    private static string Folder(string path) => Path.GetDirectoryName(path) ?? string.Empty;
}
