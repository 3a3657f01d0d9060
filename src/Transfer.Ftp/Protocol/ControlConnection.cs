using System.Net;
using System.Security.Authentication;
using System.Text;

namespace Transfer.Ftp.Protocol;

internal sealed class ControlConnection : IAsyncDisposable
{
    public static ValueTask<ControlConnection> OpenAsync(ControlConnectionSettings settings, CancellationToken ct) => throw new NotImplementedException();

    public ControlConnectionSettings Settings => throw new NotImplementedException();

    public bool Usable => throw new NotImplementedException();

    public TransferException? Fault => throw new NotImplementedException();

    public int PendingCount => throw new NotImplementedException();

    public Encoding Encoding { get => throw new NotImplementedException(); set => throw new NotImplementedException(); }

    public IPEndPoint RemoteEndPoint => throw new NotImplementedException();

    public IPEndPoint LocalEndPoint => throw new NotImplementedException();

    public TimeSpan? RoundTrip => throw new NotImplementedException();

    public bool IsTls => throw new NotImplementedException();

    public SslProtocols TlsProtocol => throw new NotImplementedException();

    public byte[]? PeerCertificateHash => throw new NotImplementedException();

    public TlsIdentity? Tls => throw new NotImplementedException();

    public ValueTask<FtpReply> GreetingAsync(CancellationToken ct) => throw new NotImplementedException();

    public ValueTask<IReadOnlyList<PendingReply>> SendAsync(IReadOnlyList<FtpCommand> commands, CancellationToken ct) => throw new NotImplementedException();

    public ValueTask<FtpReply> ExecuteAsync(FtpCommand command, CancellationToken ct) => throw new NotImplementedException();

    public ValueTask StartTlsAsync(CancellationToken ct) => throw new NotImplementedException();

    public ValueTask StopTlsAsync(CancellationToken ct) => throw new NotImplementedException();

    public void Touch() => throw new NotImplementedException();

    public void Break(TransferException fault) => throw new NotImplementedException();

    public ValueTask DisposeAsync() => throw new NotImplementedException();
}
