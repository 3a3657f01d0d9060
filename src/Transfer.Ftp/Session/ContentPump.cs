using System.Buffers;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>Moves content between a work item and a data connection with two buffers, so that the disk and the network work at the same time.</summary>
internal static class ContentPump
{
    private const int BufferSize = 256 * 1024;

    /// <summary>Sends a work item's content to its end.</summary>
    /// <returns>How many content bytes were sent.</returns>
    /// <exception cref="ContentException">The source failed.</exception>
    public static async ValueTask<long> SendAsync(WorkItem item, IContent content, DataConnection data, CancellationToken ct)
    {
        var current = ArrayPool<byte>.Shared.Rent(BufferSize);
        var next = ArrayPool<byte>.Shared.Rent(BufferSize);
        var ahead = Task.FromResult(0);
        try
        {
            var offset = item.Offset;
            var count = await FillAsync(item, content, offset, current, ct).ConfigureAwait(false);
            while (count > 0)
            {
                offset += count;
                ahead = FillAsync(item, content, offset, next, ct);
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
            ArrayPool<byte>.Shared.Return(current);
            ArrayPool<byte>.Shared.Return(next);
        }
    }

    /// <summary>
    /// Receives content up to the connection's clean end or the work item's. What is probably under way is claimed too: to give it to another session
    /// would mean to have it sent twice.
    /// </summary>
    /// <returns>How many content bytes arrived, and whether the connection came to its end.</returns>
    /// <exception cref="ContentException">The sink failed.</exception>
    public static async ValueTask<(long Bytes, bool Ended)> ReceiveAsync(WorkItem item, IContent content, DataConnection data, CancellationToken ct)
    {
        var current = ArrayPool<byte>.Shared.Rent(BufferSize);
        var next = ArrayPool<byte>.Shared.Rent(BufferSize);
        var behind = Task.CompletedTask;
        try
        {
            var offset = item.Offset;
            while (item.Claim(offset, BufferSize + data.UnderWay) is > 0 and var wanted)
            {
                if (item.End < content.Length) data.ExpectOnly(item.End - offset);
                var count = await data.ReadAsync(current.AsMemory(0, Math.Min(wanted, BufferSize)), ct).ConfigureAwait(false);
                await behind.ConfigureAwait(false);
                if (count == 0) return (offset - item.Offset, true);
                behind = DrainAsync(content, offset, current.AsMemory(0, count), ct);
                item.Report(count);
                offset += count;
                (current, next) = (next, current);
            }
            await behind.ConfigureAwait(false);
            return (offset - item.Offset, false);
        }
        finally
        {
            await behind.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            ArrayPool<byte>.Shared.Return(current);
            ArrayPool<byte>.Shared.Return(next);
        }
    }

    /// <summary>Reads what little may be left behind a range: a connection that comes to its own end costs nobody a wait.</summary>
    /// <returns>Whether it came to its end, and how much was left.</returns>
    public static async ValueTask<(bool Ended, int Bytes)> SkipRestAsync(DataConnection data, CancellationToken ct)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(BufferSize);
        try
        {
            var skipped = 0;
            while (skipped < BufferSize)
            {
                var count = await data.ReadAsync(buffer.AsMemory(0, BufferSize - skipped), ct).ConfigureAwait(false);
                if (count == 0) return (true, skipped);
                skipped += count;
            }
            return (false, skipped);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private static async Task<int> FillAsync(WorkItem item, IContent content, long offset, byte[] buffer, CancellationToken ct)
    {
        var wanted = item.Claim(offset, BufferSize);
        if (wanted == 0 || offset == content.Length) return 0;
        try
        {
            return await content.ReadAsync(offset, buffer.AsMemory(0, wanted), ct).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            throw new ContentException(error);
        }
    }

    private static async Task DrainAsync(IContent content, long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        try
        {
            await content.WriteAsync(offset, data, ct).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            throw new ContentException(error);
        }
    }
}
