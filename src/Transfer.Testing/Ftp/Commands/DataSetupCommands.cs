using System.Net;
using System.Net.Sockets;
using Transfer.Testing.Ftp.Data;

namespace Transfer.Testing.Ftp.Commands;

/// <summary>Commands that set up the next data connection (RFC 959 4.1.2, RFC 2428).</summary>
internal static class DataSetupCommands
{
    public static IEnumerable<KeyValuePair<string, CommandEntry>> All =>
    [
        new("PASV", new(PassiveAsync)),
        new("EPSV", new(ExtendedPassiveAsync)),
        new("PORT", new(PortAsync, NeedsArgument: true)),
        new("EPRT", new(ExtendedPortAsync, NeedsArgument: true)),
        new("PRET", new(PreTransferAsync, NeedsArgument: true)),
    ];

    private static async Task PassiveAsync(FtpSession session, string argument, CancellationToken ct)
    {
        if (await RefuseAsync(session, isExtended: false, ct).ConfigureAwait(false)) return;
        var address = session.Options.PassiveAddress
            ?? (session.Options.Address.Equals(IPAddress.Any) ? session.Local.Address : session.Options.Address);
        if (address.AddressFamily != AddressFamily.InterNetwork)
        {
            await session.ReplyAsync(425, "PASV is for IPv4; use EPSV.", ct).ConfigureAwait(false);
            return;
        }

        var port = await ListenAsync(session).ConfigureAwait(false);
        await session.ReplyAsync(227, $"Entering Passive Mode ({address.ToString().Replace('.', ',')},{port >> 8},{port & 0xFF}).",
            ct).ConfigureAwait(false);
    }

    private static async Task ExtendedPassiveAsync(FtpSession session, string argument, CancellationToken ct)
    {
        if (argument.Equals("ALL", StringComparison.OrdinalIgnoreCase))
        {
            session.State.Data.IsExtendedOnly = true;
            await session.ReplyAsync(200, "Only EPSV from now on.", ct).ConfigureAwait(false);
            return;
        }

        var own = session.Local.AddressFamily == AddressFamily.InterNetwork ? "1" : "2";
        if (argument.Length > 0 && argument != own)
        {
            await session.ReplyAsync(522, $"Network protocol not supported, use ({own})", ct).ConfigureAwait(false);
            return;
        }

        if (await RefuseAsync(session, isExtended: true, ct).ConfigureAwait(false)) return;
        var port = await ListenAsync(session).ConfigureAwait(false);
        await session.ReplyAsync(229, $"Entering Extended Passive Mode (|||{port}|)", ct).ConfigureAwait(false);
    }

    private static Task PortAsync(FtpSession session, string argument, CancellationToken ct) =>
        ConnectLaterAsync(session, DataAddress.TryParsePort(argument, out var target) ? target : null, "PORT", ct);

    private static Task ExtendedPortAsync(FtpSession session, string argument, CancellationToken ct) =>
        ConnectLaterAsync(session, DataAddress.TryParseExtended(argument, out var target) ? target : null, "EPRT", ct);

    private static async Task ConnectLaterAsync(FtpSession session, IPEndPoint? target, string verb, CancellationToken ct)
    {
        if (await RefuseAsync(session, isExtended: false, ct).ConfigureAwait(false)) return;
        await session.State.Data.DropSetupAsync().ConfigureAwait(false);
        var (code, text) = target is null ? (501, "That is no address.")
            : !target.Address.Equals(session.Remote.Address) || target.Port < 1024 ? (500, "Only to a free port of your own (RFC 2577).")
            : (200, $"{verb} command successful.");
        if (code == 200) session.State.Data.Setup = new ActiveSetup(target!);
        await session.ReplyAsync(code, text, ct).ConfigureAwait(false);
    }

    private static async Task PreTransferAsync(FtpSession session, string argument, CancellationToken ct)
    {
        session.State.Data.HasPret = true;
        await session.ReplyAsync(200, "OK, will use it for the next transfer.", ct).ConfigureAwait(false);
    }

    private static async Task<bool> RefuseAsync(FtpSession session, bool isExtended, CancellationToken ct)
    {
        var needsPret = session.Options.RequirePret && !session.State.Data.HasPret;
        session.State.Data.HasPret = false;
        if (session.State.Data.IsExtendedOnly && !isExtended)
            await session.ReplyAsync(501, "Only EPSV after EPSV ALL.", ct).ConfigureAwait(false);
        else if (needsPret) await session.ReplyAsync(503, "PRET first.", ct).ConfigureAwait(false);
        else return false;
        return true;
    }

    private static async Task<int> ListenAsync(FtpSession session)
    {
        await session.State.Data.DropSetupAsync().ConfigureAwait(false);
        var setup = PassiveSetup.Start(session);
        session.State.Data.Setup = setup;
        return setup.Port;
    }
}
