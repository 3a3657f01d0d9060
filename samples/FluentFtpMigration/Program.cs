using System.Security.Cryptography;
using Transfer;
using Transfer.Testing;

namespace FluentFtpMigration;

/// <summary>
/// The programs of docs/migrate-from-fluentftp.md, against a server in this process: Transfer's side, and in a build with
/// -p:FluentFtp=true FluentFTP's side and the way between too.
/// </summary>
internal static class Program
{
    public static async Task Main()
    {
        var folder = Directory.CreateTempSubdirectory("fluentftp-migration-").FullName;
        Directory.SetCurrentDirectory(folder);
        await File.WriteAllTextAsync("report.pdf", new string('r', 2000));
        await File.WriteAllBytesAsync("disk.img", new byte[300_000]);
        Directory.CreateDirectory("small");
        for (var i = 0; i < 100; i++) await File.WriteAllTextAsync(Path.Combine("small", $"{i}.txt"), $"{i}");
        Directory.CreateDirectory("site");
        for (var i = 0; i < 20; i++) await File.WriteAllTextAsync(Path.Combine("site", $"{i}.txt"), new string('x', 1000 + i));

        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit });
        var pin = "SHA256:" + Convert.ToBase64String(SHA256.HashData(server.Certificate!.PublicKey.ExportSubjectPublicKeyInfo()));
        await Ours.RunAsync(new UriBuilder(server.Uri) { Path = "/ours" }.Uri, new TransferCredential("demo", "demo"), pin);
#if FLUENTFTP
        await Theirs.RunAsync("127.0.0.1", server.EndPoint.Port, "demo", "demo", server.Certificate.GetCertHashString());
        await Between.RunAsync("127.0.0.1", server.EndPoint.Port, "demo", "demo", server.Certificate.GetCertHashString());
#endif
        Directory.SetCurrentDirectory(Path.GetTempPath());
        Directory.Delete(folder, recursive: true);
    }
}
