using Transfer.Wan.Clients.StockFtp;

namespace Transfer.Wan.Commands;

/// <summary><c>Transfer.Wan client NAME ...</c>: the clients that are part of this program; it starts itself so at the near end.</summary>
internal static class ClientDispatch
{
    public static Task<int> RunAsync(string[] words) => words switch
    {
        ["stock-ftp", .. var rest] => StockFtpCommand.RunAsync(rest),
        ["sshnet", .. var rest] => Clients.Packages.SshNetCommand.RunAsync(rest),
#if FLUENTFTP
        ["fluentftp", .. var rest] => Clients.Packages.FluentFtpCommand.RunAsync(rest),
#endif
        [var name, ..] => throw new UsageException($"There is no client {name} in this build."),
        _ => throw new UsageException("Which client?"),
    };
}
