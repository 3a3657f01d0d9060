using Transfer.Engine.Scheduling;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>Opens remote files for applications.</summary>
internal static class ReadStreams
{
    /// <summary>Opens a file: seekable where the server reads from offsets and the length is known, else in order.</summary>
    public static async Task<Stream> OpenAsync(ClientEngine engine, string path, ReadOptions options, CancellationToken ct)
    {
        if (options.Sequential || await LengthOfAsync(engine, path, ct).ConfigureAwait(false) is not { } whole)
            return await OpenInOrderAsync(engine, path, options, ct).ConfigureAwait(false);
        var start = Math.Min(options.Offset, whole);
        return new SeekableReadStream(path, Math.Min(options.Length ?? long.MaxValue, whole - start), (offset, length, token) =>
            FileJobs.OpenReadAsync(engine, path, new ReadOptions { Offset = start + offset, Length = length }, token));
    }

    private static async Task<Stream> OpenInOrderAsync(ClientEngine engine, string path, ReadOptions options, CancellationToken ct)
    {
        try
        {
            return await FileJobs.OpenReadAsync(engine, path, options, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException && e.Error != TransferError.NotFound)
        {
            // Servers refuse a folder with any code: the look has the words and the kind that a download has.
            await FileJobs.LookAsync(engine, path, ct).ConfigureAwait(false);
            throw;
        }
    }

    // Null: not known, or of no use. Absence is reported when the file is opened.
    private static async ValueTask<long?> LengthOfAsync(ClientEngine engine, string path, CancellationToken ct)
    {
        var entry = await engine.RunPartAsync(LookAsync, retry: true, ct).ConfigureAwait(false);
        return entry is { Type: RemoteEntryType.File, IsLengthApproximate: false } ? entry.Length : null;

        async ValueTask<RemoteEntry?> LookAsync(TransferSession session, CancellationToken token)
        {
            if (!session.Features.ReadsAtOffset) return null;
            try
            {
                return await session.GetEntryAsync(path, token).ConfigureAwait(false);
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                // Some servers serve files that they do not describe.
                return null;
            }
        }
    }
}
