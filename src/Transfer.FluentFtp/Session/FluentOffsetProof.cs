using System.Buffers;
using Transfer.Sessions;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// A proof that downloads begin at their offsets (RFC 3659 section 5): some servers answer 350 to REST and send the file from its first
/// byte. A server that is not known by name is asked for the last byte of a file before its first range: as many bytes as the file has come
/// only from such a server.
/// </summary>
/// <param name="control">The session.</param>
/// <param name="lookUp">Reports the length of the file.</param>
internal sealed class FluentOffsetProof(FluentControl control, FluentLookUp lookUp)
{
    private const int Tries = 3;

    // More in one round trip is hardly growth.
    private const int Most = 64 << 10;

    private HostKnowledge Host => control.Host;

    /// <summary>Proves the server by an item's own file; one of unknown length proves nothing.</summary>
    /// <returns>False: nothing is behind the offset.</returns>
    /// <exception cref="TransferException">The server does not begin at offsets, or refuses.</exception>
    public async ValueTask<bool> RunAsync(WorkItem item, string path, CancellationToken ct)
    {
        if (item.Offset == 0 || control.IsKnown || Host.TakesOffsets) return true;
        for (var tried = 0; tried < Tries && !Host.IgnoresOffsets; tried++)
        {
            if (await LengthAsync(path, ct).ConfigureAwait(false) is not { } length) return true;
            if (length <= item.Offset) return false;
            var data = await FluentData.OpenAsync(control, "RETR", control.Expand(path), path, length - 1, ct).ConfigureAwait(false);
            await using var dataEnd = data.ConfigureAwait(false);
            var (count, ended) = await CountAsync(data, ct).ConfigureAwait(false);
            if (ended)
            {
                await data.FinishAsync(ct).ConfigureAwait(false);
                Host.TakesOffsets |= count > 0 && count < length;
                if (Host.TakesOffsets) return true;
            }
            else
            {
                await EndAsync(data, ct).ConfigureAwait(false);
            }
            if (count > 0 && await LengthAsync(path, ct).ConfigureAwait(false) == length) Host.IgnoresOffsets = true;
        }
        throw new TransferException(TransferError.Unsupported,
            $"{path} is not read from byte {item.Offset} on: the server was not seen to begin there (REST).")
        {
            RemotePath = path,
        };
    }

    private async ValueTask<long?> LengthAsync(string path, CancellationToken ct) =>
        (await lookUp.LookAsync(path, ct).ConfigureAwait(false)).Entry is { IsLengthApproximate: false } entry ? entry.Length : null;

    private static async ValueTask<(int Count, bool Ended)> CountAsync(FluentData data, CancellationToken ct)
    {
        var (buffer, count) = (ArrayPool<byte>.Shared.Rent(Most), 0);
        try
        {
            while (count < Most)
            {
                var read = await data.ReadAsync(buffer, ct).ConfigureAwait(false);
                if (read == 0) return (count, true);
                count += read;
            }
            return (count, false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private async ValueTask EndAsync(FluentData data, CancellationToken ct)
    {
        try
        {
            await data.CloseAsync(ct).ConfigureAwait(false);
        }
        catch (TransferConnectionException)
        {
            // No look can follow on this session, and the next one would come to the same end.
            Host.IgnoresOffsets = true;
            throw;
        }
    }
}
