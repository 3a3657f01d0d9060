using Transfer;
using Transfer.Ftp;
using Transfer.Testing;

namespace Programs;

/// <summary>What the programs are run with: files to send, and servers in this process.</summary>
internal static class Stage
{
    public static TransferCredential LogIn { get; } = new("demo", "demo");

    /// <summary>Makes the files in the working folder.</summary>
    public static async Task CreateFilesAsync()
    {
        await File.WriteAllTextAsync("report.pdf", new string('r', 2000));
        foreach (var (folder, files) in new[] { ("photos", 200), ("site", 20) })
        {
            Directory.CreateDirectory(folder);
            for (var i = 0; i < files; i++) await File.WriteAllTextAsync(Path.Combine(folder, $"{i}.txt"), new string('x', 1000 + i));
        }
    }

    /// <summary>Runs a program against a server.</summary>
    public static async Task WithServerAsync(Func<FtpTestServer, Task> program, FtpTestServerOptions? options = null)
    {
        await using var server = await FtpTestServer.StartAsync(options);
        await program(server);
    }

    public static FtpTransferClient Connect(FtpTestServer server) => new(server.Uri, new FtpOptions { Credential = LogIn });
}
