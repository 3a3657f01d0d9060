using Microsoft.Extensions.Logging;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// A folder of a random name that SFTP makes in the job's folder, or beside it. A command that does not find it has other files before it than SFTP, as in a server
/// that shows its users another root: what it wrote would be elsewhere, and what it read would be something else.
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

    /// <summary>Ends when it is made; fails with a <see cref="TransferException"/> where it can't be.</summary>
    public Task Making { get; private set; } = Task.CompletedTask;

    /// <summary>Begins to make it; its path.</summary>
    /// <param name="folder">The job's folder, absolute.</param>
    /// <param name="isThere">It is there already.</param>
    /// <param name="kept">The journal of an upload, which is told of it first; null: nobody is.</param>
    /// <param name="ct">Gives it up.</param>
    public string Make(string folder, bool isThere, ItemJournal? kept, CancellationToken ct)
    {
        _made = RemotePath.Combine(isThere ? folder : RemotePath.GetParent(folder) ?? folder, (kept?.Names ?? new TemporaryNames()).Next());
        kept?.Leaves(_made + "/");
        Making = _client.CreateDirectoryAsync(_made, parents: true, ct).AsTask();
        return _made;
    }

    /// <summary>Deletes it. Nothing stops that but time.</summary>
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
