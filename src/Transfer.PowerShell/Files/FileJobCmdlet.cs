using System.Threading.Channels;

namespace Transfer.PowerShell.Files;

/// <summary>Base of the cmdlets whose pipeline gives files, all of which are one job: it begins with the first of them, and runs beside the pipeline.</summary>
/// <typeparam name="T">A file with its target.</typeparam>
public abstract class FileJobCmdlet<T> : JobCmdlet
{
    private const int MostWaiting = 1024;

    private protected const string ByPath = "Path";
    private protected const string ByLiteralPath = "LiteralPath";

    private Channel<T>? _files;

    /// <summary>Starts the job of all files.</summary>
    private protected abstract TransferJob Start(IAsyncEnumerable<T> files, FilesOptions options);

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        _files?.Writer.Complete();
        base.EndProcessing();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing) _files?.Writer.TryComplete();
        base.Dispose(disposing);
    }

    /// <summary>Adds a file, and waits while the job has enough of them.</summary>
    private protected void Add(T file, object target)
    {
        if (_files is null)
        {
            _files = Channel.CreateBounded<T>(MostWaiting);
            Follow(Start(_files.Reader.ReadAllAsync(StopToken), new() { Overwrite = Overwrite, Verify = Verify, Sessions = Sessions, CreateDirectories = true }));
        }
        Await(async token => await _files.Writer.WriteAsync(file, token).ConfigureAwait(false), target);
    }
}
