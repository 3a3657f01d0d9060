using System.Security.Cryptography;
using Transfer.Testing;

namespace SshNetMigration;

/// <summary>The ten tasks of docs/migrate-from-sshnet.md, by SSH.NET and by Transfer, against one server in this process.</summary>
internal static class Program
{
    public static async Task Main()
    {
        var folder = Directory.CreateTempSubdirectory("sshnet-migration-").FullName;
        Directory.SetCurrentDirectory(folder);
        await Stage.FillAsync();
        using var key = SftpTestKey.Create();
        await File.WriteAllTextAsync("key", key.PrivateKey);
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode("key", UnixFileMode.UserRead | UnixFileMode.UserWrite);
        var store = new MemoryStore();
        foreach (var root in new[] { "/theirs", "/ours" })
        {
            store.AddDirectory(root);
            store.AddDirectory(root + "/site");
            store.AddFile(root + "/site/old.html", "gone here"u8);
        }

        await using var server =
            await SftpTestServer.StartAsync(new SftpTestServerOptions { Store = store, AuthorizedKeys = [key.PublicKey] });
        await File.WriteAllTextAsync("known_hosts", server.KnownHosts);

        var fingerprint = server.Fingerprint["SHA256:".Length..];
        Theirs.Run("127.0.0.1", server.EndPoint.Port, "demo", "key", fingerprint, "/theirs");
        await Ours.RunAsync(new UriBuilder(server.Uri) { UserName = "demo", Path = "/ours" }.Uri, "key", "known_hosts", fingerprint);

        var (theirs, ours) = (Tree(store, "/theirs"), Tree(store, "/ours"));
        Console.WriteLine($"{ours.Length} files, the same by both: {theirs.SequenceEqual(ours)}");
        Directory.SetCurrentDirectory(Path.GetTempPath());
        Directory.Delete(folder, recursive: true);
    }

    private static string[] Tree(MemoryStore store, string folder) =>
    [
        .. store.Files.Where(path => path.StartsWith(folder + "/", StringComparison.Ordinal)).Order(StringComparer.Ordinal)
            .Select(path => $"{path[folder.Length..]} {Convert.ToHexString(SHA256.HashData(store.ReadFile(path)))}"),
    ];
}
