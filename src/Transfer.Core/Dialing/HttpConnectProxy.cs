using System.Text;

namespace Transfer.Dialing;

/// <summary>Opens a tunnel with HTTP CONNECT (RFC 9110 section 9.3.6), with the Basic log-in of RFC 7617.</summary>
internal static class HttpConnectProxy
{
    /// <summary>The longest header section read, in bytes, interim replies included.</summary>
    public const int MaxHeader = 16 * 1024;

    /// <summary>The request for a tunnel.</summary>
    /// <param name="target">The far end.</param>
    /// <param name="credential">The log-in, of options that are valid (<see cref="ProxyOptions.Validate"/>); null: none.</param>
    public static byte[] CreateRequest(DialTarget target, TransferCredential? credential)
    {
        var request = new StringBuilder()
            .Append("CONNECT ").Append(target).Append(" HTTP/1.1\r\n")
            .Append("Host: ").Append(target).Append("\r\n");
        if (credential is not null)
        {
            var login = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{credential.UserName}:{credential.Password}"));
            request.Append("Proxy-Authorization: Basic ").Append(login).Append("\r\n");
        }
        return Encoding.ASCII.GetBytes(request.Append("\r\n").ToString());
    }

    /// <summary>Sends the request and reads the reply, and not a byte more.</summary>
    public static async ValueTask OpenAsync(ProxyChannel channel, byte[] request, CancellationToken ct)
    {
        await channel.SendAsync(request, ct).ConfigureAwait(false);

        var buffer = new byte[MaxHeader];
        var start = 0;
        while (true)
        {
            var end = start;
            while (HttpConnectReply.LeastMissing(buffer.AsSpan(start, end - start)) is > 0 and var missing)
            {
                if (end + missing > buffer.Length)
                    throw channel.CreateError(TransferError.Protocol, $"sent more than {MaxHeader} bytes of headers.");
                await channel.ReceiveAsync(buffer.AsMemory(end, missing), ct).ConfigureAwait(false);
                end += missing;
            }

            var status = HttpConnectReply.ParseStatus(buffer.AsSpan(start, end - start))
                ?? throw channel.CreateError(TransferError.Protocol, "did not answer with HTTP.");
            if (status is >= 200 and < 300) return;
            if (status is < 100 or >= 200 or 101) throw Refused(channel, status);
            start = end; // 1xx: an interim reply, the real one follows (RFC 9110 section 15.2)
        }
    }

    private static TransferConnectionException Refused(ProxyChannel channel, int status)
    {
        if (status == 407) return channel.CreateError(TransferError.Auth, "wants a log-in, or another one (HTTP status 407).");
        var error = channel.CreateError(TransferError.Lost, $"refused the tunnel (HTTP status {status}).");

        // A prohibition still holds in a minute; a gateway's trouble may pass.
        return new TransferConnectionException(error.Error, error.Message) { IsTransient = status is >= 500 or 408 or 429 };
    }
}
