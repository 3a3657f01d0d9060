using Renci.SshNet;
using Renci.SshNet.Sftp;
using Transfer.Sessions;

namespace Transfer.SshNet.Session;

/// <summary>Writes and reads files.</summary>
/// <param name="calls">The session's calls.</param>
/// <param name="looks">The session's looks.</param>
internal sealed class SshNetContents(SshNetCalls calls, SshNetLooks looks)
{
    private const int Buffer = 64 * 1024;

    // The server's system bounds the number of open files.
    private const int MostLostHandles = 16;

    private int _lostHandles;

    /// <summary>
    /// Whether so many files are open at the server that the session must be closed: SSH.NET does not close the file of a failed upload.
    /// </summary>
    public bool HasLostHandles => _lostHandles >= MostLostHandles;

    /// <summary>Writes a file; SSH.NET has as many writes under way as the channel's window holds.</summary>
    public async Task UploadAsync(string path, Stream content, WorkItem item, CancellationToken ct)
    {
        var full = looks.Expand(path);
        var isNew = item.IsUnfinished || !item.Replace;
        GuardedContent? guarded = null;
        try
        {
            await calls.RunAsync("Cannot write", item.AskedPath, async (client, watch) =>
            {
                guarded = new GuardedContent(content, watch);
                var progress = new WriteProgress(watch);
                await client.UploadFileAsync(guarded, full, canOverride: !isNew, progress, watch.Token).ConfigureAwait(false);
                return true;
            }, ct).ConfigureAwait(false);
        }
        catch (Exception e) when (e is ContentFault || e is TransferException and not TransferConnectionException)
        {
            if (guarded is { HasBegun: true }) _lostHandles++;
            else if (isNew && e is TransferException { ServerCode: 4 } && await IsThereAsync(path, ct).ConfigureAwait(false))
                throw new TransferException(TransferError.Exists, $"{item.AskedPath} exists.", e) { RemotePath = item.AskedPath };
            throw;
        }
        finally
        {
            if (guarded is not null) await guarded.DetachAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Reads a file. A whole one is read ahead from the first request on, a part of one by more and more requests.</summary>
    public async Task DownloadAsync(string path, Stream destination, WorkItem item, CancellationToken ct)
    {
        var full = looks.Expand(path);
        GuardedContent? guarded = null;
        try
        {
            await calls.RunAsync("Cannot read", item.Path, async (client, watch) =>
            {
                guarded = new GuardedContent(destination, watch);
                if (item is { Offset: 0, IsSegment: false, End: long.MaxValue })
                    await client.DownloadFileAsync(full, guarded, watch.Token).ConfigureAwait(false);
                else await ReadPartAsync(client, full, guarded, item, watch).ConfigureAwait(false);
                return true;
            }, ct).ConfigureAwait(false);
        }
        finally
        {
            if (guarded is not null) await guarded.DetachAsync().ConfigureAwait(false);
        }
    }

    // Version 3 has no code for a name that is taken.
    private async ValueTask<bool> IsThereAsync(string path, CancellationToken ct) =>
        (await looks.AtAsync(path, ct).ConfigureAwait(false)).File is not null;

    private static async Task ReadPartAsync(SftpClient client, string full, GuardedContent destination, WorkItem item, IdleWatch watch)
    {
        var file = await client.OpenAsync(full, FileMode.Open, FileAccess.Read, watch.Token).ConfigureAwait(false);
        await using (file.ConfigureAwait(false))
        {
            var position = file.CanSeek
                ? file.Seek(item.Offset, SeekOrigin.Begin) : await SkipAsync(file, item.Offset, watch).ConfigureAwait(false);
            var buffer = new byte[Buffer];
            // The engine may bring the end nearer meanwhile.
            while (item.End - position is > 0 and var left)
            {
                var read = await file.ReadAsync(buffer.AsMemory(0, (int)Math.Min(left, Buffer)), watch.Token).ConfigureAwait(false);
                if (read == 0) break;
                watch.Touch();
                await destination.WriteAsync(buffer.AsMemory(0, read), watch.Token).ConfigureAwait(false);
                position += read;
            }
        }
    }

    // For a file whose server reports no length, SSH.NET can only read in order.
    private static async Task<long> SkipAsync(SftpFileStream file, long offset, IdleWatch watch)
    {
        var buffer = new byte[Buffer];
        long position = 0;
        while (position < offset)
        {
            var wanted = (int)Math.Min(offset - position, Buffer);
            var read = await file.ReadAsync(buffer.AsMemory(0, wanted), watch.Token).ConfigureAwait(false);
            if (read == 0) break;
            watch.Touch();
            position += read;
        }
        return position;
    }
}
