using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Transport;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Auth;

/// <summary>Requests and answers of the authentication protocol, and what the server said can go on (RFC 4252 section 5).</summary>
internal sealed class AuthExchange(SshTransport transport, SshConnectionSettings settings, IProofFollower? follower)
{
    // Passwords leave in packets of a multiple of this, which do not tell how long they are.
    private const int HideIn = 128;
    private const int MostBannerLines = 64;

    // Longer than the terms of use of any server.
    private const int MaxBannerBytes = 256 * 1024;

    private bool _serviceAsked;
    private bool _serviceAccepted;
    private int _bannerBytes;

    /// <summary>What the server can go on with, as its last refusal said; null before the first.</summary>
    public IReadOnlyList<string>? Offered { get; private set; }

    /// <summary>The message behind <see cref="AuthOutcome.MethodReply"/>.</summary>
    public byte[] Reply { get; private set; } = [];

    /// <summary>Some attempt was answered.</summary>
    public bool Answered { get; private set; }

    /// <summary>Stops the log-in's clock: a signature may wait for a person.</summary>
    public IDisposable? Pause() => settings.Clock?.Pause();

    /// <summary>Sends a request and gives what is answered.</summary>
    public ValueTask<AuthOutcome> AskAsync(byte[] request, bool secret, CancellationToken ct)
    {
        Send(request, secret);
        return AnswerAsync(ct);
    }

    /// <summary>The same with one that is likely to be the last.</summary>
    public async ValueTask<AuthOutcome> ProveAsync(byte[] request, bool secret, CancellationToken ct)
    {
        Send(request, secret);
        follower?.Follow();
        var outcome = await AnswerAsync(ct).ConfigureAwait(false);
        if (outcome != AuthOutcome.Success) follower?.GiveUp();
        return outcome;
    }

    // The service request in front of the first: a server takes them in order, so nothing is waited for in between.
    private void Send(byte[] request, bool secret)
    {
        var isFirst = !_serviceAsked;
        _serviceAsked = true;
        if (isFirst) transport.Send(AuthMessages.ServiceRequest());
        transport.Writer.Send(request, secret ? HideIn : 0);
        if (secret) CryptographicOperations.ZeroMemory(request);

        // The server's answer to the request waits (Nagle's algorithm) for our ACK of its answer to the service request: it must not be a delayed one.
        if (isFirst) transport.AcknowledgeAtOnce();
    }

    private async ValueTask<AuthOutcome> AnswerAsync(CancellationToken ct)
    {
        while (true)
        {
            var message = await transport.ReceiveAsync(ct).ConfigureAwait(false);
            if (Take(message.Span) is { } outcome) return outcome;
        }
    }

    private AuthOutcome? Take(ReadOnlySpan<byte> message)
    {
        var reader = new SshReader(message[1..]);
        switch (message[0])
        {
            case MessageNumber.ServiceAccept when !_serviceAccepted && reader.ReadString().SequenceEqual("ssh-userauth"u8):
                _serviceAccepted = true;
                return null;
            case MessageNumber.AuthBanner:
                if ((_bannerBytes += message.Length) > MaxBannerBytes) throw new TransferException(TransferError.Protocol, "The server's banner does not end.");
                ShowBanner(reader.ReadText());
                return null;
            case MessageNumber.AuthSuccess when _serviceAccepted:
                Answered = true;
                return AuthOutcome.Success;
            case MessageNumber.AuthFailure when _serviceAccepted:
                Answered = true;
                Offered = reader.ReadNameList();
                return reader.ReadBoolean() ? AuthOutcome.Partial : AuthOutcome.Failure;
            case >= MessageNumber.AuthMethodReply and < MessageNumber.GlobalRequest when _serviceAccepted:
                Reply = message.ToArray();
                return AuthOutcome.MethodReply;
            default:
                throw new TransferException(TransferError.Protocol, $"The server sent message {message[0]} during the log-in, which has no place there.");
        }
    }

    /// <summary>Once a client, not once a connection.</summary>
    private void ShowBanner(string text)
    {
        if (!settings.LogIns.IsNewBanner(text)) return;
        foreach (var line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Take(MostBannerLines)) Log.ServerSays(settings.Logger, settings.Host, WireText.Clean(line));
    }
}
