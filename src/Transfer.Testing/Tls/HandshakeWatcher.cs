namespace Transfer.Testing.Tls;

/// <summary>
/// Reads the clear part of a handshake on the server's side. Resumption shows in TLS 1.3 by pre_shared_key in the ServerHello (RFC 8446
/// 4.2.11), in TLS 1.2 by the lack of a Certificate message after it (RFC 5246 7.3, RFC 5077 3.1). In TLS 1.2 the ticket or id shows the
/// session, and is remembered; TLS 1.3 encrypts its tickets.
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

    /// <summary>Whether the session is resumed; null until known.</summary>
    public bool? IsResumed { get; private set; }

    /// <summary>Whether the server's TLS 1.3 hello was sent, and with it the server's whole handshake: session tickets follow.</summary>
    public bool HasSentHello13 => _server?.Has(HelloMessage.SupportedVersions) == true;

    /// <summary>Whether a session was resumed which, as far as visible, is one of the permitted.</summary>
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
            // ChangeCipherSpec straight after a TLS 1.2 ServerHello: the session goes on without a Certificate. One after a retry request
            // means nothing.
            IsResumed ??= true;
            _sent.End();
        }
    }

    private bool OffersOwn() =>
        _client is not null && (_sessions.Contains(_client.Extension(HelloMessage.SessionTicket)) || _sessions.Contains(_client.SessionId));
}
