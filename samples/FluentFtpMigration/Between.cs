#if FLUENTFTP
using FluentFTP;
using Transfer;
using Transfer.FluentFtp;

namespace FluentFtpMigration;

/// <summary>The way between: FluentFTP connects, Transfer moves files; and a client of FluentFTP that is only made faster.</summary>
internal static class Between
{
    public static async Task RunAsync(string host, int port, string user, string password, string thumbprint)
    {
        AsyncFtpClient Connect()
        {
            var fluent = new AsyncFtpClient(host, user, password, port);
            fluent.Config.EncryptionMode = FtpEncryptionMode.Explicit;
            fluent.ValidateCertificate += (_, e) => e.Accept = e.Certificate.GetCertHashString() == thumbprint;
            return fluent;
        }

        await using var client = new FluentFtpTransferClient(Connect, "/between");

        var job = await client.UploadDirectoryAsync("site", "site", new DirectoryOptions { Overwrite = OverwriteMode.Newer });
        Console.WriteLine($"{job.Files} files in {job.Elapsed}, {job.Failed} failed");

        await using var tuned = Connect().Tune();
        await tuned.Connect();
        Console.WriteLine($"tuned: {await tuned.UploadFile("report.pdf", "/between/report.pdf", FtpRemoteExists.NoCheck)}");
    }
}
#endif
