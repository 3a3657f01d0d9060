namespace Transfer.Ftp.Protocol;

internal sealed class ActiveListener : IAsyncDisposable
{
    public static ActiveListener Listen(ControlConnection control, ActiveSettings active, DataSettings settings) => throw new NotImplementedException();

    /// <summary>EPRT with the announced address and port (RFC 2428 section 2).</summary>
    public FtpCommand Command => throw new NotImplementedException();

    /// <summary>PORT with the same (RFC 959 section 4.1.2), for servers without EPRT; null for IPv6.</summary>
    public FtpCommand? FallbackCommand => throw new NotImplementedException();

    public ValueTask<DataConnection> AcceptAsync(CancellationToken ct) => throw new NotImplementedException();

    public ValueTask DisposeAsync() => throw new NotImplementedException();
}
