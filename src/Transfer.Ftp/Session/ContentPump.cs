using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Moves content between a work item and a data connection with two buffers, so that disk and network work at the same time.
/// </summary>
internal static class ContentPump
{
    /// <summary>Sends the content of a work item to the end.</summary>
    /// <returns>The number of content bytes sent.</returns>
    /// <exception cref="ContentException">The source failed.</exception>
    public static async ValueTask<long> SendAsync(WorkItem item, IContent content, DataConnection data, FtpBuffers buffers,
        CancellationToken ct)
    {
        var current = buffers.Rent();
        var next = buffers.Rent();
        var ahead = Task.FromResult(0);
        try
        {
            var offset = item.Offset;
            var count = await FillAsync(item, content, data, offset, current, buffers.Size, ct).ConfigureAwait(false);
            while (count > 0)
            {
                offset += count;
                ahead = FillAsync(item, content, data, offset, next, buffers.Size, ct);
                await data.WriteAsync(current.AsMemory(0, count), ct).ConfigureAwait(false);
                item.Report(count);
                count = await ahead.ConfigureAwait(false);
                (current, next) = (next, current);
            }
            return offset - item.Offset;
        }
        finally
        {
            // A buffer that is still being filled must not go back to the pool.
            await ((Task)ahead).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            buffers.Return(current);
            buffers.Return(next);
        }
    }

    /// <summary>
    /// Receives content up to the clean end of the connection or the end of the work item. Bytes that are probably under way are claimed
    /// too: another session would have the server send them twice.
    /// </summary>
    /// <param name="item">The work.</param>
    /// <param name="content">The local end.</param>
    /// <param name="data">The data connection.</param>
    /// <param name="length">
    /// The file's length: a byte behind that is not written, and ends the reading. <see cref="long.MaxValue"/>: unknown.
    /// </param>
    /// <param name="buffers">The source of buffers.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>The number of content bytes received, whether the connection ended, and whether more bytes came than the length.</returns>
    /// <exception cref="ContentException">The sink failed.</exception>
    public static async ValueTask<(long Bytes, bool Ended, bool Exceeded)> ReceiveAsync(
        WorkItem item, IContent content, DataConnection data, long length, FtpBuffers buffers, CancellationToken ct)
    {
        var current = buffers.Rent();
        var next = buffers.Rent();
        var behind = Task.CompletedTask;
        try
        {
            var offset = item.Offset;
            while (item.Claim(offset, buffers.Size + data.UnderWay) is > 0 and var wanted)
            {
                data.LimitTo(item.End < content.Length ? item.End - offset : null, item.Window);
                // One byte beyond the length shows that the file is longer.
                var most = length == long.MaxValue ? wanted : (int)Math.Min(wanted, length - offset + 1);
                var count = await data.ReadAsync(current.AsMemory(0, Math.Min(most, buffers.Size)), ct).ConfigureAwait(false);
                await behind.ConfigureAwait(false);
                if (count == 0) return (offset - item.Offset, true, false);
                var isMore = count > length - offset;
                if (isMore) count = (int)(length - offset);
                behind = DrainAsync(content, data, offset, current.AsMemory(0, count), ct);
                item.Report(count);
                offset += count;
                (current, next) = (next, current);
                if (!isMore) continue;
                await behind.ConfigureAwait(false);
                return (offset - item.Offset, false, true);
            }
            await behind.ConfigureAwait(false);
            return (offset - item.Offset, false, false);
        }
        finally
        {
            await behind.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            buffers.Return(current);
            buffers.Return(next);
        }
    }

    /// <summary>Writes the end of a text, after its last byte has been received.</summary>
    /// <exception cref="ContentException">The sink failed.</exception>
    public static async ValueTask FinishAsync(AsciiContent content, CancellationToken ct)
    {
        try
        {
            await content.FinishAsync(ct).ConfigureAwait(false);
        }
        catch (Exception error) when (IsOfContent(error, ct))
        {
            throw new ContentException(error);
        }
    }

    /// <summary>Reads the few bytes that may follow a range: a connection that ends by itself costs no wait.</summary>
    /// <returns>Whether the connection ended, and how many bytes were read.</returns>
    public static async ValueTask<(bool Ended, int Bytes)> SkipRestAsync(DataConnection data, FtpBuffers buffers, CancellationToken ct)
    {
        var buffer = buffers.Rent();
        try
        {
            var skipped = 0;
            while (skipped < buffers.Size)
            {
                var count = await data.ReadAsync(buffer.AsMemory(0, buffers.Size - skipped), ct).ConfigureAwait(false);
                if (count == 0) return (true, skipped);
                skipped += count;
            }
            return (false, skipped);
        }
        finally
        {
            buffers.Return(buffer);
        }
    }

    private static async Task<int> FillAsync(WorkItem item, IContent content, DataConnection data, long offset, byte[] buffer, int size,
        CancellationToken ct)
    {
        var wanted = item.Claim(offset, size);
        if (wanted == 0 || offset > 0 && offset == content.Length) return 0;
        data.Hold();
        try
        {
            return await content.ReadAsync(offset, buffer.AsMemory(0, wanted), ct).ConfigureAwait(false);
        }
        catch (Exception error) when (IsOfContent(error, ct))
        {
            throw new ContentException(error);
        }
        finally
        {
            data.Release();
        }
    }

    private static async Task DrainAsync(IContent content, DataConnection data, long offset, ReadOnlyMemory<byte> bytes,
        CancellationToken ct)
    {
        data.Hold();
        try
        {
            await content.WriteAsync(offset, bytes, ct).ConfigureAwait(false);
        }
        catch (Exception error) when (IsOfContent(error, ct))
        {
            throw new ContentException(error);
        }
        finally
        {
            data.Release();
        }
    }

    // The caller's stream may be cancelled by tokens of its own.
    private static bool IsOfContent(Exception error, CancellationToken ct) =>
        error is not OperationCanceledException || !ct.IsCancellationRequested;
}
