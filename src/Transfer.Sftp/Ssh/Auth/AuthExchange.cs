using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Transport;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Auth;

/// <summary>Requests and answers of the authentication protocol, and the methods that can continue (RFC 4252 section 5).</summary>
internal sealed class AuthExchange(SshTransport transport, SshConnectionSettings settings, IProofFollower? follower)
{
    // Packets with passwords have a multiple of this length, which hides the passwords' own.
    private const int HideIn = 128;
    private const int MostBannerLines = 64;

    // Longer than the terms of use of any server.
    private const int MaxBannerBytes = 256 * 1024;

    private bool _serviceAsked;
    private bool _serviceAccepted;
    private int _bannerBytes;

    /// <summary>The methods that can continue, by the server's last refusal; null before the first.</summary>
    public IReadOnlyList<string>? Offered { get; private set; }

    /// <summary>The message of <see cref="AuthOutcome.MethodReply"/>.</summary>
    public byte[] Reply { get; private set; } = [];

    /// <summary>Whether any attempt was answered.</summary>
    public bool HasAnswer { get; private set; }

    /// <summary>Stops the log-in's clock: a signature may wait for a person.</summary>
    public IDisposable? Pause() => settings.Clock?.Pause();

    /// <summary>Sends a request and returns the outcome.</summary>
    public ValueTask<AuthOutcome> SendAsync(byte[] request, bool secret, CancellationToken ct)
    {
        Send(request, secret);
        return AnswerAsync(ct);
    }

    /// <summary>Sends a request that is likely to be the last, and returns the outcome.</summary>
    public async ValueTask<AuthOutcome> SendProofAsync(byte[] request, bool secret, CancellationToken ct)
    {
        Send(request, secret);
        follower?.Follow();
        var outcome = await AnswerAsync(ct).ConfigureAwait(false);
        if (outcome != AuthOutcome.Success) follower?.GiveUp();
        return outcome;
    }

    // The service request precedes the first: a server handles both in order, so no wait is needed in between.
    private void Send(byte[] request, bool secret)
    {
        var isFirst = !_serviceAsked;
        _serviceAsked = true;
        if (isFirst) transport.Send(AuthMessages.ServiceRequest());
        transport.Writer.Send(request, secret ? HideIn : 0);
        if (secret) CryptographicOperations.ZeroMemory(request);

        // The server's next answer waits (Nagle's algorithm) for the ACK of its answer to the service request: that ACK must not be
        // delayed.
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
                if ((_bannerBytes += message.Length) > MaxBannerBytes)
                    throw new TransferException(TransferError.Protocol, "The server's banner does not end.");
                ShowBanner(reader.ReadText());
                return null;
            case MessageNumber.AuthSuccess when _serviceAccepted:
                HasAnswer = true;
                return AuthOutcome.Success;
            case MessageNumber.AuthFailure when _serviceAccepted:
                HasAnswer = true;
                Offered = reader.ReadNameList();
                return reader.ReadBoolean() ? AuthOutcome.Partial : AuthOutcome.Failure;
            case >= MessageNumber.AuthMethodReply and < MessageNumber.GlobalRequest when _serviceAccepted:
                Reply = message.ToArray();
                return AuthOutcome.MethodReply;
            default:
                throw new TransferException(TransferError.Protocol,
                    $"The server sent message {message[0]} during the log-in, which has no place there.");
        }
    }

    /// <summary>Logs a banner once a client, not once a connection.</summary>
    private void ShowBanner(string text)
    {
        if (!settings.LogIns.IsNewBanner(text)) return;
        foreach (var line in text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Take(MostBannerLines))
            Log.ServerSays(settings.Logger, settings.Host, settings.Show(line));
    }
}
