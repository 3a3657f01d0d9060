using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using Transfer.Testing.Connections;
using Transfer.Testing.Faults;
using Transfer.Testing.Stores;
using Transfer.Testing.Tls;

namespace Transfer.Testing.Ftp;

/// <summary>One control connection: commands in order, each executed when the one before is answered.</summary>
internal sealed class FtpSession : ICommandArrival, IDisposable
{
    private static readonly TimeSpan Lingering = TimeSpan.FromSeconds(2);

    private readonly Socket _socket;
    private readonly NetworkStream _network;
    private readonly RecordBoundaryStream _boundary;
    private readonly CancellationTokenSource _stop;
    private readonly CancellationTokenSource _gone;
    private readonly Lock _sync = new();
    private readonly TransferGate _transfers = new();
    private SslStream? _ssl;
    private Stream _stream;
    private ControlCommand? _current;
    private string _currentVerb = FtpFaults.Greeting;
    private string _currentPath = string.Empty;
    private volatile bool _ended;
    private bool _isDropped;
    private bool _lost;
    private bool _disposed;

    public FtpSession(ServerCore core, Socket socket, int number)
    {
        Core = core;
        Number = number;
        _socket = socket;
        _network = new NetworkStream(socket, ownsSocket: true);
        _boundary = new RecordBoundaryStream(_network);
        _stream = _network;
        _stop = CancellationTokenSource.CreateLinkedTokenSource(core.Stopping);
        _gone = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        Local = (IPEndPoint)socket.LocalEndPoint!;
        Remote = (IPEndPoint)socket.RemoteEndPoint!;
        Replies = new ReplyWriter(_network, core.Encoding);
        Tls = core.Tls?.ForControlConnection();
        State.Folder = VirtualPath.Resolve("/", core.Options.HomeDirectory);
    }

    public ServerCore Core { get; }

    public FtpTestServerOptions Options => Core.Options;

    public ITestStore Store => Core.Store;

    public int Number { get; }

    public IPEndPoint Local { get; }

    public IPEndPoint Remote { get; }

    public SessionState State { get; } = new();

    public ReplyWriter Replies { get; }

    /// <summary>The server's side of TLS for this connection and its data connections, or null.</summary>
    public TlsCredentials? Tls { get; }

    public bool IsProtected => _ssl is not null;

    public TransferGate Transfers => _transfers;

    bool ICommandArrival.IsTransferring => _transfers.IsRunning;

    /// <summary>Serves the connection to its end. Throws only for defects.</summary>
    /// <param name="refused">Greets with 421 and ends.</param>
    public async Task RunAsync(bool refused)
    {
        var pump = Task.CompletedTask;
        try
        {
            if (Options.Tls == FtpTestTls.Implicit)
            {
                await ProtectAsync(_stop.Token).ConfigureAwait(false);
                State.Data.HasBufferSize = State.Data.IsProtected = true;
            }

            // Reading starts before the greeting, so that a greeting that is held back ends with the client.
            var commands = new CommandPump(Core.Encoding, this);
            pump = commands.RunAsync(_stream, _stop.Token);
            await GreetAsync(refused, _stop.Token).ConfigureAwait(false);
            await ServeAsync(commands, _stop.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (Disconnect.IsDisconnect(e))
        {
            // The peer left, a fault closed the connection or the server stops: no reply is possible.
            _lost = !_isDropped;
        }

        await CloseAsync(pump).ConfigureAwait(false);
    }

    /// <summary>Ends the loop after the current command.</summary>
    public void End() => _ended = true;

    /// <summary>Resets the connection now; thread-safe.</summary>
    public void Reset()
    {
        _ended = true;
        lock (_sync)
        {
            if (_disposed) return;
            _socket.Close(0);
            _ = _stop.CancelAsync();
        }
    }

    /// <summary>
    /// Ends the connection without a reply, by RST or by FIN alone (TLS without close_notify). Throws to leave the command.
    /// </summary>
    public void Drop(bool reset)
    {
        if (reset) Reset();
        else _isDropped = true;
        throw new ConnectionLostException();
    }

    /// <summary>Makes a path absolute.</summary>
    public string Resolve(string path) => VirtualPath.Resolve(State.Folder, path);

    /// <summary>Answers the current command; several lines become a multi-line reply. Faults of the final reply strike here.</summary>
    public ValueTask ReplyAsync(int code, string text, CancellationToken ct) => FinalAsync(ReplyWriter.Format(code, text), ct);

    /// <summary>Answers the current command with a reply that is formatted already.</summary>
    public ValueTask ReplyFormattedAsync(string reply, CancellationToken ct) => FinalAsync(reply, ct);

    /// <summary>Sends a 1xx, after which another reply follows.</summary>
    public ValueTask PreliminaryAsync(int code, string text, CancellationToken ct) =>
        Replies.WriteAsync(ReplyWriter.Format(code, text), ct);

    /// <summary>The rule that strikes the current command's data connection, or null.</summary>
    public FaultRule? TakeDataFault() => Core.Rules.Take(FaultStage.Data, _currentVerb, _currentPath);

    /// <summary>
    /// Marks a transfer as running, until <see cref="TransferGate.End"/>; ABOR and the end of the connection cancel the returned source.
    /// </summary>
    public CancellationTokenSource BeginTransfer(CancellationToken ct) => _transfers.Begin(_current!.Sequence, ct);

    /// <summary>Starts TLS on the control connection (RFC 4217 4).</summary>
    public async Task ProtectAsync(CancellationToken ct)
    {
        if (await StrikeAsync(FtpFaults.Handshake, string.Empty, ct).ConfigureAwait(false)) throw new ConnectionLostException();
        _ssl = new SslStream(new TlsTap(_boundary, Tls!.Sessions), leaveInnerStreamOpen: true);
        await _ssl.AuthenticateAsServerAsync(Tls.ForControl(), ct).ConfigureAwait(false);
        _stream = _ssl;
        Replies.Use(_stream);
        _current?.NextStream?.TrySetResult(_stream);
    }

    /// <summary>Ends TLS on the control connection (CCC, RFC 4217 6) and goes on in the clear.</summary>
    public async Task UnprotectAsync(CancellationToken ct)
    {
        var ssl = _ssl!;
        _boundary.ExpectEndOfTls();
        await ssl.ShutdownAsync().WaitAsync(ct).ConfigureAwait(false);
        var rest = new byte[1];
        if (await ssl.ReadAsync(rest, ct).ConfigureAwait(false) != 0) throw new ConnectionLostException();
        await ssl.DisposeAsync().ConfigureAwait(false);
        _ssl = null;
        _stream = _boundary;
        _boundary.EndTls();
        Replies.Use(_stream);
        _current?.NextStream?.TrySetResult(_stream);
    }

    async ValueTask<bool> ICommandArrival.AcceptAsync(ControlCommand command, int read, bool duringTransfer, CancellationToken ct)
    {
        var line = command.Line;
        var secret = line.Verb is "PASS" or "ACCT" && line.Argument.Length > 0;
        Core.Log.Add(new TestCommand(Number, read, line.Verb, secret ? "***" : line.Argument));
        if (line.Verb == "ABOR") _transfers.Abort(command.Sequence);
        if (!Options.StrictPipelining || !duringTransfer || line.Verb is "ABOR" or "STAT" or "QUIT") return true;
        await Replies.WriteAsync(ReplyWriter.Format(500, "Not while a transfer runs."), ct).ConfigureAwait(false);
        return false;
    }

    void ICommandArrival.Ended()
    {
        _transfers.Abort(long.MaxValue);
        _ = _gone.CancelAsync();
    }

    public void Dispose()
    {
        lock (_sync) _disposed = true;
        _gone.Dispose();
        _stop.Dispose();
        Replies.Dispose();
    }

    private async Task GreetAsync(bool refused, CancellationToken ct)
    {
        if (refused)
        {
            End();
            await ReplyAsync(421, "Too many connections, try later.", ct).ConfigureAwait(false);
        }
        else if (!await StrikeAsync(FtpFaults.Greeting, string.Empty, ct).ConfigureAwait(false))
        {
            await ReplyAsync(220, Options.Greeting, ct).ConfigureAwait(false);
        }
    }

    private async Task ServeAsync(CommandPump pump, CancellationToken ct)
    {
        while (!_ended)
        {
            using var timer = new CancellationTokenSource(Options.IdleTimeout ?? Timeout.InfiniteTimeSpan, Options.TimeProvider);
            using var idle = CancellationTokenSource.CreateLinkedTokenSource(ct, timer.Token);
            try
            {
                if (!await pump.Commands.WaitToReadAsync(idle.Token).ConfigureAwait(false)) return;
            }
            catch (OperationCanceledException) when (!ct.IsCancellationRequested)
            {
                _currentVerb = string.Empty;
                await ReplyAsync(421, "Idle for too long.", ct).ConfigureAwait(false);
                return;
            }

            while (!_ended && pump.Commands.TryRead(out var command)) await ServeOneAsync(command, ct).ConfigureAwait(false);
        }
    }

    private async Task ServeOneAsync(ControlCommand command, CancellationToken ct)
    {
        var line = command.Line;
        _current = command;
        _currentVerb = line.Verb;
        _currentPath = line.Argument.Length == 0 ? string.Empty : Resolve(line.Argument);
        try
        {
            if (line.Fault != LineFault.None) await CommandDispatcher.RefuseAsync(this, line.Fault, ct).ConfigureAwait(false);
            else if (!await StrikeAsync(line.Verb, _currentPath, ct).ConfigureAwait(false))
                await CommandDispatcher.RunAsync(this, command, ct).ConfigureAwait(false);
            else if (CommandDispatcher.IsTransfer(line.Verb)) await State.Data.DropSetupAsync().ConfigureAwait(false);
        }
        finally
        {
            command.NextStream?.TrySetResult(_stream);
        }
    }

    /// <summary>Lets the rules for a command strike; true when the command must not be executed any more.</summary>
    private async ValueTask<bool> StrikeAsync(string verb, string path, CancellationToken ct)
    {
        if (Core.Rules.Take(FaultStage.Delay, verb, path) is { } hold)
            await FaultHold.WaitAsync(hold, Options.TimeProvider, _gone.Token).ConfigureAwait(false);
        if (Core.Rules.Take(FaultStage.Command, verb, path) is not { } rule) return false;
        await FaultPlayer.PlayAsync(rule.Action, this, ct).ConfigureAwait(false);
        return true;
    }

    private async ValueTask FinalAsync(string reply, CancellationToken ct)
    {
        switch (Core.Rules.Take(FaultStage.Final, _currentVerb, _currentPath)?.Action)
        {
            case FinalReplyFault { Reply: null }:
                return;
            case FinalReplyFault { Reply: { } other }:
                reply = ReplyFault.Complete(other);
                break;
            case ReplyTwiceFault:
                reply += reply;
                break;
            case DropFault drop:
                Drop(drop.Reset);
                break;
        }

        await Replies.WriteAsync(reply, ct).ConfigureAwait(false);
    }

    private async Task CloseAsync(Task pump)
    {
        try
        {
            if (!_lost) await LingerAsync(pump).ConfigureAwait(false);
        }
        catch (Exception e) when (Disconnect.IsDisconnect(e))
        {
            // All replies were sent; the peer need not await the end.
        }

        lock (_sync) _disposed = true;
        await _stop.CancelAsync().ConfigureAwait(false);
        await State.Data.DropSetupAsync().ConfigureAwait(false);

        // Before the socket: closing it during a read would reset it.
        await pump.ConfigureAwait(false);
        if (_ssl is not null) await _ssl.DisposeAsync().ConfigureAwait(false);
        await _network.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Ends so that the last reply arrives: unread bytes would turn the FIN into a RST, which may overtake the reply.</summary>
    private async Task LingerAsync(Task pump)
    {
        if (_ssl is { IsAuthenticated: true } && !_isDropped) await _ssl.ShutdownAsync().WaitAsync(_stop.Token).ConfigureAwait(false);
        _socket.Shutdown(SocketShutdown.Send);
        _current?.NextStream?.TrySetResult(_stream);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        limit.CancelAfter(Lingering);
        await pump.WaitAsync(limit.Token).ConfigureAwait(false);
    }
}
