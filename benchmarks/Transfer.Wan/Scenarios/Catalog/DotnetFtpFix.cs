using Transfer.Wan.Clients;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>
/// Document 5: the stock framework's way, each fix alone, all together, and ours; and the libraries that applications have, as they are,
/// tuned, and under our engine.
/// </summary>
internal static class DotnetFtpFix
{
    private static readonly string[] Fixes = ["--no-reverse-lookup", "--send-buffer 1048576", "--overlap-commands", "--keep-session"];

    public static WanReport Report { get; } = new()
    {
        Name = "dotnet-ftp-fix",
        Full = [Row(files: 5, rounds: 3), SftpRow(files: 5, rounds: 3)],
        Quick = [Row(files: 2, rounds: 1), SftpRow(files: 2, rounds: 1)],
    };

    /// <summary>500 KB uploads by the stock client in all its states.</summary>
    public static Scenario Row(int files, int rounds) => new()
    {
        Link = WanLinks.Fix,
        Files = files,
        Size = new FileSize(500_000, "500KB"),
        IsUpload = true,
        Protocol = Protocol.FTP,
        Server = ServerNames.Vsftpd,
        Clients =
        [
            StockClient.Name, .. Fixes.Select(fix => (ClientTurn)$"{StockClient.Name} {fix}"),
            $"{StockClient.Name} {string.Join(' ', Fixes)}",
            "transfer", "transfer --sessions 1", "curl",
            "FluentFTP", "FluentFTP tuned", "Transfer.FluentFtp", "Transfer.FluentFtp 1",
        ],
        Rounds = rounds,
    };

    /// <summary>The same files over SFTP, where SSH.NET is what applications have.</summary>
    private static Scenario SftpRow(int files, int rounds) => Row(files, rounds) with
    {
        Protocol = Protocol.SFTP,
        Server = ServerNames.OpenSsh,
        Clients = ["transfer", "transfer --sessions 1", "sftp", "SSH.NET", "SSH.NET tuned", "Transfer.SshNet", "Transfer.SshNet 1"],
    };
}
