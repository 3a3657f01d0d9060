using Microsoft.Extensions.Logging;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// A folder of a random name, created over SFTP in the job's folder, or beside. A command that does not find the folder sees other files
/// than SFTP, as on a server that shows SFTP users another root: such a command would write and read the wrong files.
/// </summary>
internal sealed class HostProof
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly TransferClient _client;
    private readonly ILogger _logger;
    private string? _made;

    public HostProof(TransferClient client, ILogger logger)
    {
        _client = client;
        _logger = logger;
    }

    /// <summary>The creation of the folder; fails with a <see cref="TransferException"/>.</summary>
    public Task Making { get; private set; } = Task.CompletedTask;

    /// <summary>Begins to create the proof and returns the path.</summary>
    /// <param name="folder">The job's folder, absolute.</param>
    /// <param name="isThere">Whether the job's folder exists.</param>
    /// <param name="kept">The journal of an upload, which records the path first; null: none.</param>
    /// <param name="ct">Stops the creation.</param>
    public string Make(string folder, bool isThere, ItemJournal? kept, CancellationToken ct)
    {
        _made = RemotePath.Combine(isThere ? folder : RemotePath.GetParent(folder) ?? folder, (kept?.Names ?? new TemporaryNames()).Next());
        kept?.Leaves(_made + "/");
        Making = _client.CreateDirectoryAsync(_made, parents: true, ct).AsTask();
        return _made;
    }

    /// <summary>Deletes the proof. Not cancelled, except by a time limit.</summary>
    public async ValueTask RemoveAsync()
    {
        if (_made is not { } path) return;
        _made = null;
        await Making.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        using var patience = new CancellationTokenSource(Patience, ClientServices.Of(_client).Time);
        try
        {
            await _client.DeleteAsync(path, recursive: true, patience.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException or ObjectDisposedException)
        {
            Log.FolderLeft(_logger, path, e.Message);
        }
    }
}
