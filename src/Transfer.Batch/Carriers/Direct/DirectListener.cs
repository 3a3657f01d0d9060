using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>Listens for senders, verifies the proof of each, and gives the connections to the jobs.</summary>
internal sealed class DirectListener : IAsyncDisposable
{
    // An honest sender opens as many as its job may have lanes, at once, and proves itself within two round trips. Some 10 MB for all of
    // them.
    internal const int MaxUnproved = 2 * ReceivingJobs.MaxLanes;
    private const int Backlog = 128;

    private static readonly TimeSpan ProofTime = TimeSpan.FromSeconds(10);

    // The pause after a failure to accept, such as too many open files.
    private static readonly TimeSpan AcceptPause = TimeSpan.FromMilliseconds(200);

    private readonly DirectIdentity _identity;
    private readonly ReceivingJobs _jobs;
    private readonly Func<bool> _hasFiles;
    private readonly TimeSpan _idle;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly int _ahead;
    private readonly Socket _socket;
    private readonly CancellationTokenSource _stop = new();
    private readonly UnprovedConnections _unproved = new(MaxUnproved);
    private readonly Lock _gate = new();
    private readonly HashSet<Task> _serving = [];
    private Task _accepting = Task.CompletedTask;

    /// <summary>Binds the address; connections wait until <see cref="Start"/>.</summary>
    /// <param name="listen">The address and port; port 0: a free one.</param>
    /// <param name="identity">The receiver's identity; belongs to the caller.</param>
    /// <param name="jobs">The jobs, which get the senders' connections.</param>
    /// <param name="hasFiles">Called for each connection: whether there are files, for requests of hashes.</param>
    /// <param name="idle">How long a sender may stay silent.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Logs the connections.</param>
    /// <param name="ahead">The bytes that each connection reads ahead, and writes behind.</param>
    /// <exception cref="TransferException">Listening at the address failed (<see cref="TransferError.Denied"/>).</exception>
    public DirectListener(IPEndPoint listen, DirectIdentity identity, ReceivingJobs jobs, Func<bool> hasFiles, TimeSpan idle,
        TimeProvider time, ILogger logger, int ahead = LinkConnection.MostAhead)
    {
        _ahead = ahead;
        _identity = identity;
        _jobs = jobs;
        _hasFiles = hasFiles;
        _idle = idle;
        _time = time;
        _logger = logger;
        _socket = Listen(listen);
        EndPoint = (IPEndPoint)_socket.LocalEndPoint!;
        TlsStream.Prepare();
        Log.Listening(logger, EndPoint);
    }

    /// <summary>The address and port of the listening socket.</summary>
    public IPEndPoint EndPoint { get; }

    /// <summary>The number of connections without a proof.</summary>
    internal int Unproved => _unproved.Count;

    /// <summary>Begins to accept senders.</summary>
    public void Start() => _accepting = Task.Run(AcceptAsync);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        _socket.Dispose();
        await _accepting.ConfigureAwait(false);
        Task[] serving;
        lock (_gate) serving = [.. _serving];
        await Task.WhenAll(serving).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stop.Dispose();
    }

    private static Socket Listen(IPEndPoint where)
    {
        var socket = new Socket(where.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            if (where.Address.Equals(IPAddress.IPv6Any)) socket.DualMode = true;
            // A restarted receiver finds the port free, although the system remembers the last connections. On Windows the option means
            // something else.
            if (!OperatingSystem.IsWindows()) socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
            socket.Bind(where);
            socket.Listen(Backlog);
            return socket;
        }
        catch (SocketException e)
        {
            socket.Dispose();
            throw new TransferException(TransferError.Denied, $"Cannot listen at {where}: {e.Message}", e);
        }
    }

    private async Task AcceptAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                var socket = await _socket.AcceptAsync(_stop.Token).ConfigureAwait(false);
                Serve(socket);
            }
            catch (Exception e)
                when (_stop.IsCancellationRequested && e is OperationCanceledException or ObjectDisposedException or SocketException)
            {
                // A disposed socket ends the call in one of three ways.
                return;
            }
            catch (SocketException e)
            {
                Log.AcceptFailed(_logger, e.Message);
                await Task.Delay(AcceptPause, _time).ConfigureAwait(false);
            }
        }
    }

    private void Serve(Socket socket)
    {
        var serving = Task.Run(() => ServeAsync(socket));
        lock (_gate) _serving.Add(serving);
        _ = serving.ContinueWith(
            task =>
            {
                lock (_gate) _serving.Remove(task);
                if (task.Exception is { } fault) Log.ConnectionFault(_logger, fault);
            },
            CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    private async Task ServeAsync(Socket socket)
    {
        using var late = new CancellationTokenSource(ProofTime, _time);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token, late.Token);
        var link = await ProveAsync(socket, end).ConfigureAwait(false);
        if (link is null) return;
        await using var connection = link.ConfigureAwait(false);
        await ReceivingLane.RunAsync(link, _jobs, _logger, _stop.Token).ConfigureAwait(false);
    }

    // The time limit is for the proof only. Null: the peer proved nothing, and the connection is closed.
    private async ValueTask<LinkConnection?> ProveAsync(Socket socket, CancellationTokenSource end)
    {
        var from = "somebody";
        LinkConnection? link = null;
        var tls = default(DirectStream);
        var proved = false;
        try
        {
            var address = ((IPEndPoint)socket.RemoteEndPoint!).Address;
            from = address.ToString();
            _unproved.Add(address, end);
            socket.NoDelay = true;
            tls = new DirectStream(new DialedConnection(socket), _time);
            using var certificate = _identity.CreateCertificate(_time.GetUtcNow(), _hasFiles());
            await tls.AuthenticateAsServerAsync(DirectTls.ForReceiver(certificate), end.Token).ConfigureAwait(false);
            DirectTls.Check(tls);
            link = new LinkConnection(tls, _idle, _time, _ahead);
            await ProveAsync(link, certificate, end.Token).ConfigureAwait(false);
            proved = true;
            return link;
        }
        catch (Exception e)
            when (e is TransferException or IOException or SocketException or AuthenticationException or OperationCanceledException
                or ObjectDisposedException)
        {
            Log.Unproved(_logger, from, e.Message);
            if (link is not null && e is TransferException refusal) await ReceivingLane.RefuseAsync(link, refusal).ConfigureAwait(false);
            return null;
        }
        finally
        {
            _unproved.Remove(end);
            if (!proved) await CloseAsync(socket, tls, link).ConfigureAwait(false);
        }
    }

    private static async ValueTask CloseAsync(Socket socket, DirectStream? tls, LinkConnection? link)
    {
        try
        {
            if (link is not null) await link.DisposeAsync().ConfigureAwait(false);
            else if (tls is not null) await tls.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            socket.Dispose();
        }
    }

    private async ValueTask ProveAsync(LinkConnection link, X509Certificate2 certificate, CancellationToken ct)
    {
        var hello = (await link.Reader.NextAsync(ct).ConfigureAwait(false)).As<HelloMessage>();
        if (!DirectProof.Holds(hello.Proof, DirectProof.OfSender(_identity.Token, hello.Nonce, certificate.RawData)))
            throw new TransferException(TransferError.Auth, "The token's secret is wrong.");
        link.Reader.MaxPayload = LinkFrame.MaxPayload;
        link.KeepAwake(TimeSpan.FromMilliseconds(hello.IdleTimeout));
        var nonce = RandomNumberGenerator.GetBytes(HelloMessage.NonceLength);
        var proof = DirectProof.OfReceiver(_identity.Token, hello.Nonce, nonce, certificate.RawData);
        await link.Writer.WriteAsync(new HelloMessage(HelloMessage.CurrentVersion, HelloMessage.Milliseconds(_idle), nonce, proof),
            ct).ConfigureAwait(false);
    }
}
