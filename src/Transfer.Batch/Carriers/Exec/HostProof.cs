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
    private Task? _removing;

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

    /// <summary>Deletes the proof, once. Not cancelled, except by a time limit.</summary>
    public Task RemoveAsync() => _removing ??= _made is { } path ? RemoveAsync(path) : Task.CompletedTask;

    private async Task RemoveAsync(string path)
    {
        await Making.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        var services = ClientServices.Of(_client);
        using var patience = new CancellationTokenSource(Patience, services.Time);
        try
        {
            // Empty, and known to be a folder: one request.
            var refused = await services.UseSessionAsync("remove folder", (session, token) =>
                session.RemoveDirectoriesAsync([path], token), retry: true, patience.Token).ConfigureAwait(false);
            if (refused[0] is { Error: not TransferError.NotFound } error) Log.FolderLeft(_logger, path, error.Message);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException or ObjectDisposedException)
        {
            Log.FolderLeft(_logger, path, e.Message);
        }
    }
}
