using System.Globalization;

namespace Transfer.ServerTests.Servers;

/// <summary>
/// Pure-FTPd: MLSD, MFMT, and a command sent during a transfer is lost. It has no implicit TLS and asks for no resumed sessions.
/// </summary>
internal sealed class PureFtpdServer(ServerVariant variant) : FtpServer(variant)
{
    private string Database => Path.Combine(Folder, "users.pdb");

    private string TransferLog => Path.Combine(Folder, "transfers.log");

    protected override IEnumerable<string> LogFiles => [LogFile, TransferLog];

    protected override void Configure()
    {
        if (Variant.Tls == ServerTls.Implicit || Variant.RequiresReuse)
            throw new NotSupportedException($"Pure-FTPd has no variant {Variant}.");
        var passwords = Path.Combine(Folder, "passwords");
        // user:hash:uid:gid:gecos:home/./ (chrooted) and 12 limits that are not set. pure-pw's own hashes cost a third of a second a
        // log-in.
        File.WriteAllText(passwords, string.Create(CultureInfo.InvariantCulture,
            $"{Credential.UserName}:{PasswordHash()}:{ServerUser.Uid}:{ServerUser.Gid}::{Root}/./::::::::::::\n"));
        Shell.Run(ServerFiles.PurePw, "mkdb", Database, "-f", passwords);
    }

    private protected override ServerProcess Launch()
    {
        List<string> arguments =
        [
            "--bind", string.Create(CultureInfo.InvariantCulture, $"{Variant.Place.Address},{Port}"), "--ipv4only",
            "--passiveportrange", string.Create(CultureInfo.InvariantCulture, $"{FirstPassivePort}:{LastPassivePort}"),
            "--login", "puredb:" + Database, "--noanonymous", "--minuid", "1", "--chrooteveryone",
            "--dontresolve", "--umask", "133:022", "--limitrecursion", Variant.ListingLimit ?? "20000:20",
            "--maxclientsnumber", "100",
            "--maxclientsperip", (Variant.ConnectionsPerAddress ?? 100).ToString(CultureInfo.InvariantCulture),
            "--pidfile", Path.Combine(Folder, "pure-ftpd.pid"), "--altlog", "clf:" + TransferLog,
            "--tls", Variant.Tls == ServerTls.Off ? "0" : "3",
        ];
        if (Variant.LogsCommands) arguments.Add("--verboselog");
        if (Variant.FollowsLinks) arguments.Add("--brokenclientscompatibility");
        // Hidden files that are shown unasked count among those that are listed at most.
        if (Variant.ListingLimit is null) arguments.Add("--displaydotfiles");
        if (Variant.Tls != ServerTls.Off) arguments.AddRange(["--certfile", Certificate.Both]);
        return ServerProcess.Start(LogFile, ServerFiles.PureFtpd, arguments, OpenSslEnvironment());
    }
}
