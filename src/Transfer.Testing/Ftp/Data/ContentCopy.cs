using System.Buffers;
using System.Net.Sockets;
using Transfer.Testing.Faults;

namespace Transfer.Testing.Ftp.Data;

/// <summary>Copies content between the store and a data connection; a fault strikes at its byte.</summary>
internal sealed class ContentCopy
{
    private const int BufferSize = 128 * 1024;

    private readonly FaultRule? _fault;
    private readonly DataConnection _connection;
    private readonly long _strikeAt;
    private readonly long _corruptAt;
    private long _done;
    private bool _struck;

    public ContentCopy(FaultRule? fault, DataConnection connection)
    {
        _fault = fault;
        _connection = connection;
        _strikeAt = fault?.Action switch
        {
            CutDataFault cut => cut.AfterBytes,
            StallDataFault stall => stall.AfterBytes,
            TruncateTlsFault truncate => truncate.AfterBytes,
            LoseDataFault lose => lose.AfterBytes,
            _ => long.MaxValue,
        };
        _corruptAt = (fault?.Action as CorruptDataFault)?.AtByte ?? -1;
    }

    /// <summary>Copies to the end of the source.</summary>
    /// <exception cref="DataLostException">The network failed, or a fault cut the connection.</exception>
    public async Task RunAsync(Stream source, Stream destination, bool sourceIsNetwork, CancellationToken ct)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(BufferSize);
        try
        {
            while (true)
            {
                if (_done == _strikeAt && !_struck && await StrikeAsync(destination, sourceIsNetwork, ct).ConfigureAwait(false)) return;
                var most = _struck ? BufferSize : (int)Math.Min(BufferSize, _strikeAt - _done);
                var count = await ReadAsync(source, buffer.AsMemory(0, most), sourceIsNetwork, ct).ConfigureAwait(false);
                if (count == 0) break;
                if (_corruptAt >= _done && _corruptAt < _done + count) buffer[_corruptAt - _done] ^= 0xFF;
                _done += count;
                if (_struck && _fault?.Action is LoseDataFault) continue;
                await WriteAsync(destination, buffer.AsMemory(0, count), sourceIsNetwork, ct).ConfigureAwait(false);
            }

            if (!sourceIsNetwork) await FlushAsync(destination, ct).ConfigureAwait(false);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>Reads the bytes after the end of compressed content, so that the end of TLS is seen.</summary>
    public Task DrainAsync(Stream network, CancellationToken ct) =>
        new ContentCopy(null, _connection).RunAsync(network, Stream.Null, sourceIsNetwork: true, ct);

    /// <summary>True: the content ends here.</summary>
    private async Task<bool> StrikeAsync(Stream destination, bool sourceIsNetwork, CancellationToken ct)
    {
        _struck = true;
        if (!sourceIsNetwork) await FlushAsync(destination, ct).ConfigureAwait(false);
        switch (_fault!.Action)
        {
            case CutDataFault cut:
                if (cut.Reset) _connection.Reset();
                throw new DataLostException("Data connection closed.");
            case StallDataFault:
                await _fault.Handle.Released.WaitAsync(ct).ConfigureAwait(false);
                return false;
            case TruncateTlsFault:
                return true;
            default:
                return false;
        }
    }

    private static async ValueTask<int> ReadAsync(Stream source, Memory<byte> buffer, bool isNetwork, CancellationToken ct)
    {
        try
        {
            return await source.ReadAsync(buffer, ct).ConfigureAwait(false);
        }
        catch (Exception e) when (isNetwork && IsNetworkFailure(e))
        {
            throw new DataLostException("The data connection broke.", e);
        }
    }

    private static async ValueTask WriteAsync(Stream destination, ReadOnlyMemory<byte> bytes, bool sourceIsNetwork, CancellationToken ct)
    {
        try
        {
            await destination.WriteAsync(bytes, ct).ConfigureAwait(false);
        }
        catch (Exception e) when (!sourceIsNetwork && IsNetworkFailure(e))
        {
            throw new DataLostException("The data connection broke.", e);
        }
    }

    private static async ValueTask FlushAsync(Stream network, CancellationToken ct)
    {
        try
        {
            await network.FlushAsync(ct).ConfigureAwait(false);
        }
        catch (Exception e) when (IsNetworkFailure(e))
        {
            throw new DataLostException("The data connection broke.", e);
        }
    }

    /// <summary>InvalidDataException: content that is no zlib stream.</summary>
    private static bool IsNetworkFailure(Exception error) =>
        error is IOException or SocketException or ObjectDisposedException or InvalidDataException;
}
