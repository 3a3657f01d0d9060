using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Dialing;

/// <summary>Makes sockets according to the options and the policies.</summary>
internal sealed class SocketTuning
{
    private const int SolSocket = 1;
    private const int SoBufLock = 72; // Linux 5.16
    private const int SockRcvbufLock = 2;
    private const int IpProtoTcp = 6;
    private const int TcpQuickAck = 12;
    private const int TcpCongestion = 13;
    private const int TcpCongestionNameLength = 16; // TCP_CA_NAME_MAX, the closing NUL included
    private const int KeepAliveProbes = 5;

    private static readonly TimeSpan KeepAliveInterval = TimeSpan.FromSeconds(10);

    private readonly DialOptions _options;
    private readonly NetworkLimits _limits;
    private readonly ILogger _logger;

    public SocketTuning(DialOptions options, NetworkLimits limits, ILogger logger)
    {
        _options = options;
        _limits = limits;
        _logger = logger;
    }

    /// <summary>Makes a socket that is ready to connect. Buffers are set now: the window scale is fixed by the handshake.</summary>
    public Socket Create(AddressFamily family, DialHints hints)
    {
        var send = BufferPolicy.Decide(_limits.Platform, BufferDirection.Send, _limits.Send, _options.SendBufferSize, hints.RoundTrip);
        var receive = BufferPolicy.Decide(_limits.Platform, BufferDirection.Receive, _limits.Receive, _options.ReceiveBufferSize,
            hints.RoundTrip);
        while (true)
        {
            var socket = new Socket(family, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                // Autotuning does not come back on a socket whose buffer was set: where setting was a mistake, a new socket is needed.
                var sendIsRight = Apply(socket, BufferDirection.Send, ref send);
                var receiveIsRight = Apply(socket, BufferDirection.Receive, ref receive);
                if (sendIsRight && receiveIsRight)
                {
                    ApplyOptions(socket);
                    return socket;
                }
                socket.Dispose();
            }
            catch
            {
                socket.Dispose();
                throw;
            }
        }
    }

    /// <summary>See <see cref="DialedConnection.AcknowledgeAtOnce"/>. Not permanent: the kernel may delay acknowledgements again.</summary>
    public static void AcknowledgeAtOnce(Socket socket)
    {
        if (!OperatingSystem.IsLinux()) return;
        try
        {
            socket.SetRawSocketOption(IpProtoTcp, TcpQuickAck, [1, 0, 0, 0]);
        }
        catch (SocketException)
        {
            // The connection is gone, which its reader will find out: this call only saves time.
        }
    }

    /// <summary>Chooses a connected socket's congestion control.</summary>
    /// <exception cref="TransferConnectionException">An algorithm named by the options is refused
    /// (<see cref="TransferError.Unsupported"/>).</exception>
    public void ApplyCongestionControl(Socket socket, bool sends, TimeSpan? roundTrip)
    {
        var decision = CongestionPolicy.Decide(_options.CongestionControl, _limits, sends, roundTrip);
        if (decision.Name is { } name)
        {
            try
            {
                // A longer name would be cut off by the kernel, and might then be another's.
                if (name.Length >= TcpCongestionNameLength || !Ascii.IsValid(name))
                    throw new SocketException((int)SocketError.InvalidArgument);
                socket.SetRawSocketOption(IpProtoTcp, TcpCongestion, Encoding.ASCII.GetBytes(name));
            }
            catch (SocketException e) when (decision.Required)
            {
                throw new TransferConnectionException(
                    TransferError.Unsupported, $"The system refuses the congestion control '{name}': {e.Message}", e);
            }
            catch (SocketException e)
            {
                Log.CongestionControlRefused(_logger, name, e.Message);
            }
        }
        if (_logger.IsEnabled(LogLevel.Debug) && _limits.Platform == BufferPlatform.Linux)
            Log.CongestionControlChosen(_logger, ReadCongestionControl(socket), decision.Reason);
    }

    /// <summary>The present congestion control of a socket. Linux only.</summary>
    public static string ReadCongestionControl(Socket socket)
    {
        Span<byte> name = stackalloc byte[TcpCongestionNameLength];
        try
        {
            name = name[..socket.GetRawSocketOption(IpProtoTcp, TcpCongestion, name)];
        }
        catch (SocketException e)
        {
            return $"unknown ({e.Message})";
        }
        var end = name.IndexOf((byte)0);
        return Encoding.ASCII.GetString(end < 0 ? name : name[..end]);
    }

    // False: the socket's buffer is spoiled, and the decision is now not to set the buffer of the next socket.
    private bool Apply(Socket socket, BufferDirection direction, ref BufferDecision decision)
    {
        if (decision.Size is { } size)
        {
            try
            {
                if (direction == BufferDirection.Send) socket.SendBufferSize = size;
                else socket.ReceiveBufferSize = size;
                if (decision.Grows) ReenableAutotuning(socket);
            }
            catch (SocketException e) when (decision.Required)
            {
                throw new TransferConnectionException(
                    TransferError.Unsupported, $"The system refuses a {Name(direction)} buffer of {size} bytes: {e.Message}", e);
            }
            catch (SocketException e)
            {
                decision = BufferDecision.KeepDefault($"the system refused {size} bytes: {e.Message}");
                return false;
            }
        }

        // Of the many data connections of small files each call of the system counts.
        if (decision is { Size: null, Least: 0 } && !_logger.IsEnabled(LogLevel.Debug)) return true;
        var given = direction == BufferDirection.Send ? socket.SendBufferSize : socket.ReceiveBufferSize;
        if (given < decision.Least)
        {
            decision =
                BufferDecision.KeepDefault($"the system gave {given} bytes for {decision.Size}, autotuning goes up to {decision.Least}");
            return false;
        }
        Log.BufferChosen(_logger, Name(direction), decision.Size is null ? "left to the system" : "set", given, decision.Reason);
        return true;
    }

    // Setting the receive buffer has ended the autotuning.
    private static void ReenableAutotuning(Socket socket)
    {
        Span<byte> locks = stackalloc byte[sizeof(int)];
        socket.GetRawSocketOption(SolSocket, SoBufLock, locks);
        BitConverter.TryWriteBytes(locks, BitConverter.ToInt32(locks) & ~SockRcvbufLock);
        socket.SetRawSocketOption(SolSocket, SoBufLock, locks);
    }

    private void ApplyOptions(Socket socket)
    {
        socket.NoDelay = true;
        if (_options.LocalEndPoint is { } local)
        {
            // With a fixed port, the connection before may still be in TIME_WAIT.
            if (local.Port != 0) socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
            Bind(socket, local);
        }
        if (_options.KeepAlive is { } idle) ApplyKeepAlive(socket, idle);
    }

    // The same for every address of the host: no reason to try the next one.
    private static void Bind(Socket socket, IPEndPoint local)
    {
        try
        {
            socket.Bind(local);
        }
        catch (SocketException e)
        {
            throw new TransferConnectionException(TransferError.Lost, $"Could not connect from {local}: {e.Message}", e);
        }
    }

    private static void ApplyKeepAlive(Socket socket, TimeSpan idle)
    {
        var seconds = (int)Math.Clamp(Math.Ceiling(idle.TotalSeconds), 1, short.MaxValue);
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, seconds);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval,
            Math.Min(seconds, (int)KeepAliveInterval.TotalSeconds));
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, KeepAliveProbes);
    }

    private static string Name(BufferDirection direction) => direction == BufferDirection.Send ? "send" : "receive";
}
