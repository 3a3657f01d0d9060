using System.Buffers;
using System.IO.Compression;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Transfer.Dialing;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// One data connection. Its failures are no failures of the session: the control reply tells what became of the transfer, and is still to be read.
/// Read by one and written by one at a time. Progress keeps the control connection's idle time-out from running out.
/// </summary>
internal sealed class DataConnection : IAsyncDisposable
{
    // Beyond the windows that systems grow to by themselves.
    private const int MostUnderWay = 64 << 20;

    private const int SkipSize = 64 << 10;

    private readonly ControlConnection _control;
    private readonly Socket _socket;
    private readonly DataSettings _settings;
    private readonly WatchedStream _raw;
    private readonly IdleWatch _watch;
    private readonly ZLibStream? _deflate;
    private readonly FlightEstimate _flight;
    private readonly ReceiveWindow _window;
    private SslStream? _tls;
    private bool _ended;
    private bool _wireGaveBytes;
    private bool _inflated;
    private bool _completed;
    private int _aborted;
    private bool _keepsWindow;

    internal DataConnection(ControlConnection control, Socket socket, DataSettings settings)
    {
        _control = control;
        _socket = socket;
        _settings = settings;
        _watch = new IdleWatch(control.Settings.TimeProvider, control.Settings.IdleTimeout, Abort);
        _raw = new WatchedStream(new SocketStream(socket), Moved, Moved);
        _flight = new FlightEstimate(control.RoundTrip, control.Settings.TimeProvider);
        _window = new ReceiveWindow(socket);
        if (settings.Deflate)
        {
            var wire = new DataWire(this);
            _deflate = settings.Sends ? new ZLibStream(wire, CompressionLevel.Fastest, leaveOpen: true) : new ZLibStream(wire, CompressionMode.Decompress, leaveOpen: true);
        }
    }

    /// <summary>Connects to where the server listens.</summary>
    /// <param name="control">The control connection it belongs to.</param>
    /// <param name="host">The peer's IP literal; behind a proxy the control connection's host name.</param>
    /// <param name="port">From the reply to EPSV or PASV.</param>
    /// <param name="settings">How it is used.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">Not reached. Never a <see cref="TransferConnectionException"/>.</exception>
    public static async ValueTask<DataConnection> ConnectAsync(
        ControlConnection control, string host, int port, DataSettings settings, CancellationToken ct)
    {
        var shared = control.Settings;
        var dialer = new Dialer(shared.Dial, shared.Logger, shared.TimeProvider);
        try
        {
            var hints = new DialHints { RoundTrip = control.RoundTrip, Sends = settings.Sends };
            var dialed = await dialer.DialAsync(host, port, hints, ct).ConfigureAwait(false);
            Log.DataConnected(shared.Logger, host, port, control.Tls?.Reuses ?? false);
            return new DataConnection(control, dialed.Socket, settings);
        }
        catch (TransferConnectionException e)
        {
            throw e.WithMessage($"No data connection: {e.Message}");
        }
    }

    /// <summary>
    /// The TLS handshake, as client in active mode too (RFC 4217 section 7). It may run before the 150 is read, which saves a round trip;
    /// a transfer that was refused then shows as <see cref="TransferError.Lost"/> here.
    /// </summary>
    /// <exception cref="TransferException"><see cref="TransferError.Tls"/>: refused, or another certificate than the control connection's.</exception>
    public async ValueTask StartTlsAsync(CancellationToken ct)
    {
        var identity = _control.Tls ?? throw new InvalidOperationException("The control connection has not spoken TLS.");
        // As a whole, as on the control connection: a byte now and then is no handshake.
        var limit = _control.Settings.IdleTimeout > TimeSpan.Zero ? _control.Settings.IdleTimeout : Timeout.InfiniteTimeSpan;
        using var late = new CancellationTokenSource(limit, _control.Settings.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, late.Token);
        _watch.Begin();
        try
        {
            _tls = await TlsHandshake.DataAsync(_raw, identity, either.Token).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            ct.ThrowIfCancellationRequested();
            if (!late.IsCancellationRequested) throw Translate(e);
            throw new TransferException(TransferError.Timeout, $"The TLS handshake of the data connection was not over within {limit.TotalSeconds:0.###} s.", e);
        }
        finally
        {
            _watch.End();
        }
    }

    /// <summary>Reads some bytes; 0 at the end only. Under TLS and MODE Z the end is known to be the real one.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Integrity"/>: cut short (no close_notify, or a truncated zlib stream). <see cref="TransferError.Timeout"/>, <see cref="TransferError.Lost"/>.
    /// </exception>
    public ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken ct) =>
        _deflate is null ? ReadWireAsync(buffer, ct) : InflateAsync(_deflate, buffer, ct);

    /// <summary>Sends bytes.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Lost"/>: the server closed or reset it, and the control reply says why. <see cref="TransferError.Timeout"/>.</exception>
    public ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken ct) =>
        _deflate is null ? WriteWireAsync(buffer, ct) : _deflate.WriteAsync(buffer, ct);

    /// <summary>
    /// Says that this was all: the end of the zlib stream, close_notify, FIN. Does not wait for the server's close_notify, which some never send.
    /// The transfer counts once the control reply says so; keep the connection until then.
    /// </summary>
    /// <exception cref="TransferException">As for <see cref="WriteAsync"/>.</exception>
    public async ValueTask CompleteWritesAsync(CancellationToken ct)
    {
        // What inflates is still to be read from.
        if (_deflate is not null && _settings.Sends)
            await _deflate.DisposeAsync().ConfigureAwait(false);
        if (_tls is { } tls)
            await GuardAsync(token => new ValueTask(TlsCloseNotify.SendAsync(tls, token)), ct).ConfigureAwait(false);
        await CloseWritesAsync(ct).ConfigureAwait(false);
    }

    /// <summary>
    /// FIN and nothing else, from one who will only read. Under TLS a close_notify would be left unread by a server that closes as soon as something has come, and
    /// a connection closed so is reset, with what was still on its way to us (Linux; RFC 2525 section 2.17).
    /// </summary>
    /// <exception cref="TransferException">As for <see cref="WriteAsync"/>.</exception>
    public async ValueTask CloseWritesAsync(CancellationToken ct)
    {
        await GuardAsync(
            _ =>
            {
                _socket.Shutdown(SocketShutdown.Send);
                return ValueTask.CompletedTask;
            },
            ct).ConfigureAwait(false);
        _completed = true;
    }

    /// <summary>How many bytes behind those that were read the server has probably sent: whoever wants fewer than these wastes them.</summary>
    public int UnderWay => (int)Math.Min(_flight.Bytes, _window.Most ?? MostUnderWay);

    /// <summary>What is read or written here waits for the local end, however long: no time-out of the session's runs until <see cref="Release"/>.</summary>
    public void Hold() => _control.Hold();

    /// <summary>The local end is there again.</summary>
    public void Release() => _control.Release();

    /// <summary>Bytes that have arrived and were not read.</summary>
    public int Waiting => Volatile.Read(ref _aborted) == 0 ? _socket.Available : 0;

    /// <summary>
    /// The server may send all it has, also behind what is wanted: it sees that it is to stop when it has sent more. A window that ends would have it, and us, wait for
    /// timers of 200 ms, or trickle what its send buffer holds at a few KiB a round trip.
    /// </summary>
    public void KeepWindow() => _keepsWindow = true;

    /// <summary>Only so many bytes more are wanted: where the system can, the server is kept from sending others.</summary>
    public void ExpectOnly(long bytes)
    {
        // Each TLS record of 16 KiB comes with up to 40 bytes of its own (RFC 5246 section 6.2.3, RFC 8446 section 5.2).
        if (_deflate is null && !_keepsWindow) _window.EndAfter(_tls is null ? bytes : bytes + (bytes / 256) + 256);
    }

    /// <summary>Takes what comes off the wire and throws it away, as it is, until the connection ends or is aborted. Nothing can be read any more then.</summary>
    public async Task SkipAsync()
    {
        var buffer = ArrayPool<byte>.Shared.Rent(SkipSize);
        try
        {
            while (await _raw.ReadAsync(buffer, CancellationToken.None).ConfigureAwait(false) > 0)
            {
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            Log.SkippingEnded(_control.Settings.Logger, e.Message);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>Resets the connection: the server must not take what it got for a whole file. Whatever waits on it fails.</summary>
    public void Abort()
    {
        if (Interlocked.Exchange(ref _aborted, 1) != 0)
            return;
        _socket.Close(0);
        _raw.Dispose();
    }

    /// <summary>Closes it; an upload that was not completed is reset.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_settings.Sends && !_completed)
            Abort();
        if (_deflate is not null && (!_settings.Sends || _completed))
            await _deflate.DisposeAsync().ConfigureAwait(false);
        if (_tls is not null)
            await _tls.DisposeAsync().ConfigureAwait(false);
        await _raw.DisposeAsync().ConfigureAwait(false);
        _watch.Dispose();
    }

    /// <summary>Reads below MODE Z.</summary>
    internal async ValueTask<int> ReadWireAsync(Memory<byte> buffer, CancellationToken ct)
    {
        if (buffer.IsEmpty || _ended)
            return 0;
        _watch.Begin();
        try
        {
            var read = await ((Stream?)_tls ?? _raw).ReadAsync(buffer, ct).ConfigureAwait(false);
            if (read == 0 && _tls is not null && _raw.SawEnd)
                throw CutShort(null);
            _wireGaveBytes |= read > 0;
            _flight.Add(read);
            if (read == 0)
            {
                _ended = true;
                await AnswerEndAsync().ConfigureAwait(false);
            }

            return read;
        }
        catch (Exception e)
        {
            ct.ThrowIfCancellationRequested();
            throw Translate(e);
        }
        finally
        {
            _watch.End();
        }
    }

    /// <summary>
    /// Servers hold their 226 back until the client has ended TLS as well, or its side of the connection. Nothing depends on this any more: the data is whole,
    /// and a server that has gone without waiting is as good.
    /// </summary>
    private async ValueTask AnswerEndAsync()
    {
        if (_completed) return;
        try
        {
            if (_tls is not null)
                await TlsCloseNotify.SendAsync(_tls).ConfigureAwait(false);
            _socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            Log.CloseNotifyFailed(_control.Settings.Logger, e.Message);
        }
    }

    /// <summary>Writes below MODE Z.</summary>
    internal ValueTask WriteWireAsync(ReadOnlyMemory<byte> buffer, CancellationToken ct) =>
        GuardAsync(token => ((Stream?)_tls ?? _raw).WriteAsync(buffer, token), ct);

    private async ValueTask GuardAsync(Func<CancellationToken, ValueTask> step, CancellationToken ct)
    {
        _watch.Begin();
        try
        {
            await step(ct).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            ct.ThrowIfCancellationRequested();
            throw Translate(e);
        }
        finally
        {
            _watch.End();
        }
    }

    private async ValueTask<int> InflateAsync(ZLibStream deflate, Memory<byte> buffer, CancellationToken ct)
    {
        if (buffer.IsEmpty)
            return 0;
        try
        {
            var read = await deflate.ReadAsync(buffer, ct).ConfigureAwait(false);
            if (read > 0)
                return read;
        }
        catch (InvalidDataException e)
        {
            throw new TransferException(TransferError.Integrity, "The compressed data is damaged.", e);
        }

        // A zlib stream says itself where it ends, so its reader never sees the connection's end unless it was cut. Nothing at all is an empty file.
        if (_ended && _wireGaveBytes && !_inflated)
            throw CutShort(null);
        _inflated = true;
        if (await ReadWireAsync(new byte[1], ct).ConfigureAwait(false) > 0)
            throw new TransferException(TransferError.Integrity, "More data came behind the end of the compressed data.");
        return 0;
    }

    private void Moved()
    {
        _watch.Touch();
        _control.Touch();
    }

    private TransferException Translate(Exception e) => e switch
    {
        _ when _watch.Expired => new TransferException(
            TransferError.Timeout, $"Nothing moved on the data connection for {_control.Settings.IdleTimeout.TotalSeconds:0.###} s.", e),
        TransferException known => known,
        IOException when _tls is not null && _raw.SawEnd => CutShort(e),
        AuthenticationException => new TransferException(TransferError.Tls, $"TLS failed on the data connection: {e.GetBaseException().Message}", e),
        _ => new TransferException(TransferError.Lost, "The data connection was lost.", e),
    };

    private static TransferException CutShort(Exception? cause) =>
        new(TransferError.Integrity, "The data connection was cut: its end was not confirmed.", cause) { IsTransient = true };
}
