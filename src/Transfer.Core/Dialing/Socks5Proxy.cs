namespace Transfer.Dialing;

/// <summary>Opens a tunnel through a SOCKS 5 proxy (RFC 1928, RFC 1929).</summary>
internal static class Socks5Proxy
{
    /// <summary>Goes through the handshake and reads the last reply, and not a byte more.</summary>
    /// <param name="channel">The connection to the proxy.</param>
    /// <param name="connect">The request (<see cref="Socks5Message.CreateConnect"/>).</param>
    /// <param name="login">The log-in (<see cref="Socks5Message.CreateLogin"/>), or null.</param>
    /// <param name="ct">Cancels; the connection is then of no use.</param>
    public static async ValueTask OpenAsync(ProxyChannel channel, byte[] connect, byte[]? login, CancellationToken ct)
    {
        await channel.SendAsync(Socks5Message.CreateGreeting(login is not null), ct).ConfigureAwait(false);
        var choice = new byte[2];
        await channel.ReceiveAsync(choice, ct).ConfigureAwait(false);
        if (choice[0] != Socks5Message.Version) throw channel.CreateError(TransferError.Protocol, "does not speak SOCKS 5.");
        switch (choice[1])
        {
            case Socks5Message.NoLogin:
                break;
            case Socks5Message.PasswordLogin when login is not null:
                await LogInAsync(channel, login, ct).ConfigureAwait(false);
                break;
            case Socks5Message.NoAcceptableMethod:
                throw channel.CreateError(TransferError.Auth,
                    login is null ? "wants a log-in." : "accepts neither a password nor no log-in.");
            default:
                throw channel.CreateError(TransferError.Protocol, "chose a log-in method that was not offered.");
        }

        await channel.SendAsync(connect, ct).ConfigureAwait(false);
        await ReceiveReplyAsync(channel, ct).ConfigureAwait(false);
    }

    private static async ValueTask LogInAsync(ProxyChannel channel, byte[] login, CancellationToken ct)
    {
        await channel.SendAsync(login, ct).ConfigureAwait(false);
        var status = new byte[2];
        await channel.ReceiveAsync(status, ct).ConfigureAwait(false);

        // The first byte is ignored: some proxies send SOCKS' version there instead of the log-in's.
        if (status[1] != Socks5Message.Succeeded) throw channel.CreateError(TransferError.Auth, "refused the log-in.");
    }

    private static async ValueTask ReceiveReplyAsync(ProxyChannel channel, CancellationToken ct)
    {
        // A refusing proxy may close after the code without the rest.
        var head = new byte[4];
        await channel.ReceiveAsync(head.AsMemory(0, 2), ct).ConfigureAwait(false);
        if (head[0] != Socks5Message.Version) throw channel.CreateError(TransferError.Protocol, "does not speak SOCKS 5.");
        if (head[1] != Socks5Message.Succeeded)
        {
            var (error, meaning) = Socks5Message.Explain(head[1]);
            throw channel.CreateError(error, $"{meaning} (SOCKS reply {head[1]}).");
        }

        await channel.ReceiveAsync(head.AsMemory(2, 2), ct).ConfigureAwait(false);
        var length = head[3] switch
        {
            Socks5Message.AddressV4 => 4,
            Socks5Message.AddressV6 => 16,
            Socks5Message.AddressName => await ReceiveByteAsync(channel, ct).ConfigureAwait(false),
            _ => throw channel.CreateError(TransferError.Protocol, "gave an address of an unknown kind."),
        };
        await channel.ReceiveAsync(new byte[length + 2], ct).ConfigureAwait(false); // the proxy's outgoing address, and the port
    }

    private static async ValueTask<int> ReceiveByteAsync(ProxyChannel channel, CancellationToken ct)
    {
        var value = new byte[1];
        await channel.ReceiveAsync(value, ct).ConfigureAwait(false);
        return value[0];
    }
}
