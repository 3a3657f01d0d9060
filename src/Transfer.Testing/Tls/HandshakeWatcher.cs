namespace Transfer.Testing.Tls;

/// <summary>
/// Reads the clear part of a handshake from the server's place. A resumed one shows in TLS 1.3 by pre_shared_key in the ServerHello
/// (RFC 8446 4.2.11), in TLS 1.2 by the lack of a Certificate message after it (RFC 5246 7.3, RFC 5077 3.1). Which session it was is
/// seen in TLS 1.2 by its ticket or id, and remembered; TLS 1.3 encrypts the tickets it issues.
/// </summary>
internal sealed class HandshakeWatcher
{
    private const byte NewSessionTicket = 4;
    private const byte Certificate = 11;
    private const int TicketAt = 6;

    private readonly TlsSessions _sessions;
    private readonly HandshakeMessages _received = new();
    private readonly HandshakeMessages _sent = new();
    private HelloMessage? _client;
    private HelloMessage? _server;

    public HandshakeWatcher(TlsSessions sessions) => _sessions = sessions;

    /// <summary>Null until it is known.</summary>
    public bool? IsResumed { get; private set; }

    /// <summary>The server's TLS 1.3 hello has been sent, and with it all that a server has to say in a handshake: session tickets come behind it.</summary>
    public bool HasSentHello13 => _server?.Has(HelloMessage.SupportedVersions) == true;

    /// <summary>A session was resumed, and as far as can be seen it is one of those it was to be.</summary>
    public bool IsResumedFromOwn => IsResumed == true && (_server!.Has(HelloMessage.SupportedVersions) || OffersOwn());

    /// <summary>Takes bytes of the client, cut anywhere.</summary>
    public void Received(ReadOnlySpan<byte> bytes)
    {
        _received.Append(bytes);
        if (_received.HasEnded || !_received.TryNext(out var type, out var body)) return;
        if (type == HelloMessage.ClientType) _client = HelloMessage.TryRead(type, body);
        _received.End();
    }

    /// <summary>Takes bytes of the server, cut anywhere.</summary>
    public void Sent(ReadOnlySpan<byte> bytes)
    {
        _sent.Append(bytes);
        while (!_sent.HasEnded && _sent.TryNext(out var type, out var body)) Sent(type, body);
    }

    private void Sent(byte type, byte[] body)
    {
        if (type == HelloMessage.ServerType && HelloMessage.TryRead(type, body) is { IsRetryRequest: false } hello)
        {
            _server = hello;
            if (hello.Has(HelloMessage.SupportedVersions)) IsResumed ??= hello.Has(HelloMessage.PreSharedKey);
        }
        else if (_server is not null && type == Certificate)
        {
            IsResumed ??= false;
            _sessions.Add(_server.SessionId);
        }
        else if (_server is not null && type == NewSessionTicket && body.Length > TicketAt)
        {
            IsResumed ??= true;
            if (IsResumed == false || OffersOwn()) _sessions.Add(body.AsSpan(TicketAt));
        }
        else if (_server is not null && type == HandshakeMessages.OtherRecord)
        {
            // ChangeCipherSpec straight after a TLS 1.2 ServerHello: the session goes on without a Certificate. One after a retry request means nothing.
            IsResumed ??= true;
            _sent.End();
        }
    }

    private bool OffersOwn() => _client is not null && (_sessions.Contains(_client.Extension(HelloMessage.SessionTicket)) || _sessions.Contains(_client.SessionId));
}
