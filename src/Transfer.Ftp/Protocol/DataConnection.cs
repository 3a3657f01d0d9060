using System.Buffers;
using System.IO.Compression;
using System.Net.Sockets;
using System.Security.Authentication;
using Transfer.Sessions;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// One data connection. A failure here is no failure of the session: the control reply decides the transfer, and is still to be read.
/// One reader and one writer at a time. Progress keeps the control connection's idle time-out from running out.
/// </summary>
internal sealed class DataConnection : IAsyncDisposable
{
    // Beyond the windows that systems reach by autotuning.
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
    private TlsStream? _tls;
    private bool _ended;
    private bool _wireGaveBytes;
    private bool _inflated;
    private bool _completed;
    private int _aborted;
    private bool _keepsWindow;

    internal DataConnection(ControlConnection control, DialedConnection dialed, DataSettings settings)
    {
        _control = control;
        _socket = dialed.Socket;
        _settings = settings;
        _watch = new IdleWatch(control.Settings.TimeProvider, control.Settings.IdleTimeout, Abort);
        _raw = new WatchedStream(dialed.Stream, Moved, Moved);
        _flight = new FlightEstimate(control.RoundTrip, control.Settings.TimeProvider);
        _window = new ReceiveWindow(dialed.Socket);
        if (settings.Deflate)
        {
            var wire = new DataWire(this);
            _deflate = settings.Sends
                ? new ZLibStream(wire, CompressionLevel.Fastest, leaveOpen: true) : new ZLibStream(wire, CompressionMode.Decompress,
                    leaveOpen: true);
        }
    }

    /// <summary>Connects to the address where the server listens.</summary>
    /// <param name="control">The control connection of the session.</param>
    /// <param name="host">The peer's IP literal; behind a proxy the control connection's host name.</param>
    /// <param name="port">From the reply to EPSV or PASV.</param>
    /// <param name="settings">The use of the connection.</param>
    /// <param name="patience">The limit of the dial; null: that of the dial options.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">Not reached. Never a <see cref="TransferConnectionException"/>.</exception>
    public static async ValueTask<DataConnection> ConnectAsync(
        ControlConnection control, string host, int port, DataSettings settings, TimeSpan? patience, CancellationToken ct)
    {
        var shared = control.Settings;
        using var late = new CancellationTokenSource(patience ?? Timeout.InfiniteTimeSpan, shared.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, late.Token);
        try
        {
            var hints = new DialHints { RoundTrip = control.RoundTrip, Sends = settings.Sends };
            var dialed = await DialedConnection.OpenAsync(host, port, shared.Dial, hints, shared.Logger, shared.TimeProvider,
                either.Token).ConfigureAwait(false);
            Log.DataConnected(shared.Logger, host, port, control.Tls?.Reuses ?? false);
            return new DataConnection(control, dialed, settings);
        }
        catch (TransferConnectionException e)
        {
            throw e.WithMessage($"No data connection: {e.Message}");
        }
        catch (OperationCanceledException e) when (!ct.IsCancellationRequested)
        {
            throw new TransferException(
                TransferError.Timeout,
                $"No data connection: port {port} of {host} did not answer within {patience!.Value.TotalSeconds:0.###} s.", e);
        }
    }

    /// <summary>
    /// Does the TLS handshake, as client in active mode too (RFC 4217 section 7). A handshake before the 150 is read saves a round trip;
    /// a transfer that was refused then shows as <see cref="TransferError.Lost"/> here.
    /// </summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Tls"/>: refused, or another certificate than the control connection's.
    /// </exception>
    public async ValueTask StartTlsAsync(CancellationToken ct)
    {
        var identity = _control.Tls ?? throw new InvalidOperationException("The control connection has not spoken TLS.");
        // A limit on the whole, as on the control connection: a byte now and then is no handshake.
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
            throw new TransferException(TransferError.Timeout,
                $"The TLS handshake of the data connection was not over within {limit.TotalSeconds:0.###} s.", e);
        }
        finally
        {
            _watch.End();
        }
    }

    /// <summary>Reads some bytes; 0 at the end only. Under TLS and MODE Z the end is confirmed.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Integrity"/>: cut short (no close_notify, or a truncated zlib stream). <see cref="TransferError.Timeout"/>,
    /// <see cref="TransferError.Lost"/>.
    /// </exception>
    public ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken ct) =>
        _deflate is null ? ReadWireAsync(buffer, ct) : InflateAsync(_deflate, buffer, ct);

    /// <summary>Sends bytes.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Lost"/>: the server closed or reset the connection, and the control reply gives the reason.
    /// <see cref="TransferError.Timeout"/>.
    /// </exception>
    public ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken ct) =>
        _deflate is null ? WriteWireAsync(buffer, ct) : _deflate.WriteAsync(buffer, ct);

    /// <summary>
    /// Sends the end: that of the zlib stream, close_notify, FIN. Does not wait for the server's close_notify, which some servers never
    /// send. The transfer counts only after the control reply; keep the connection until then.
    /// </summary>
    /// <exception cref="TransferException">As for <see cref="WriteAsync"/>.</exception>
    public async ValueTask CompleteWritesAsync(CancellationToken ct)
    {
        // A stream that inflates is still to be read.
        if (_deflate is not null && _settings.Sends)
            await _deflate.DisposeAsync().ConfigureAwait(false);
        if (_tls is { } tls)
            await GuardAsync(token => new ValueTask(tls.SendCloseNotifyAsync(token)), ct).ConfigureAwait(false);
        await CloseWritesAsync(ct).ConfigureAwait(false);
    }

    /// <summary>
    /// Sends FIN and nothing else, from a side that will only read. Under TLS a server that closes upon the first sign of an end would
    /// leave a close_notify unread, and a connection closed so is reset, with the bytes still on their way to this side (Linux; RFC 2525
    /// section 2.17).
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

    /// <summary>
    /// An end without close_notify, or by a reset, counts as the end: the caller knows the length, and looks at <see cref="EndDoubt"/>.
    /// Not under MODE Z.
    /// </summary>
    public bool TakesUnconfirmedEnd { get; set; }

    /// <summary>Why the end that was read may not be the real one; null: it is.</summary>
    public TransferException? EndDoubt { get; private set; }

    /// <summary>The number of bytes that the server has probably sent beyond those read: bytes that are wasted if not wanted.</summary>
    public int UnderWay => (int)Math.Min(_flight.Bytes, _window.Most ?? MostUnderWay);

    /// <summary>Stops all time-outs of the session until <see cref="Release"/>: reads and writes here wait for the local end.</summary>
    public void Hold() => _control.Hold();

    /// <summary>Starts the time-outs again after <see cref="Hold"/>.</summary>
    public void Release() => _control.Release();

    /// <summary>The number of received bytes that are not read yet.</summary>
    public int Waiting => Volatile.Read(ref _aborted) == 0 ? _socket.Available : 0;

    /// <summary>
    /// Lets the server send beyond the wanted range: the server notices ABOR only after sending more. A closed window would make both sides
    /// wait for timers of 200 ms, or let the server's send buffer trickle in at a few KiB a round trip.
    /// </summary>
    public void KeepWindow() => _keepsWindow = true;

    /// <summary>Limits what the server may send: where the system can, the server is kept from sending more.</summary>
    /// <param name="bytes">The wanted bytes; null: all.</param>
    /// <param name="window">The most bytes that may be under way; null: as many as can be.</param>
    public void LimitTo(long? bytes, int? window)
    {
        if (_deflate is not null) return;
        // Each TLS record of 16 KiB adds up to 40 bytes (RFC 5246 section 6.2.3, RFC 8446 section 5.2).
        _window.Limit(_keepsWindow ? null : _tls is null ? bytes : bytes + (bytes / 256) + 256, window);
    }

    /// <summary>
    /// Discards the bytes of the wire, undecoded, until the connection ends or is aborted. No read is possible after that.
    /// </summary>
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

    /// <summary>
    /// Resets the connection, so that the server does not take the bytes so far for a whole file. Pending reads and writes fail.
    /// </summary>
    public void Abort()
    {
        if (Interlocked.Exchange(ref _aborted, 1) != 0)
            return;
        _socket.Close(0);
        _raw.Dispose();
    }

    /// <summary>Closes the connection; an incomplete upload is reset.</summary>
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
            var error = Translate(e);
            var mayBeEnd = TakesUnconfirmedEnd && _deflate is null && Volatile.Read(ref _aborted) == 0;
            if (!mayBeEnd || error.Error is not (TransferError.Integrity or TransferError.Lost)) throw error;
            EndDoubt = error;
            _ended = true;
            return 0;
        }
        finally
        {
            _watch.End();
        }
    }

    /// <summary>
    /// Ends TLS and this side of the connection, for which servers hold their 226 back. No result depends on that any more: the data is
    /// whole, and a server that has gone without waiting is as good.
    /// </summary>
    private async ValueTask AnswerEndAsync()
    {
        if (_completed) return;
        try
        {
            if (_tls is not null)
                await _tls.SendCloseNotifyAsync().ConfigureAwait(false);
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

        // A zlib stream marks its own end, so the reader sees the connection's end only if the stream was cut. No bytes at all are an empty
        // file.
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
        AuthenticationException =>
            new TransferException(TransferError.Tls, $"TLS failed on the data connection: {e.GetBaseException().Message}", e),
        _ => new TransferException(TransferError.Lost, "The data connection was lost.", e),
    };

    private static TransferException CutShort(Exception? cause) =>
        new(TransferError.Integrity, "The data connection was cut: its end was not confirmed.", cause) { IsTransient = true };
}
