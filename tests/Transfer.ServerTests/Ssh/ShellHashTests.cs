using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Ssh;

/// <summary>Files are compared by a hash that the host computes itself, where it lets its users run commands.</summary>
[TestFixture]
[Parallelizable]
public sealed class ShellHashTests() : SshFixture(ServerVariant.Sftp)
{
    private static readonly string[] Names = ["plain", "-rf", "with space", "quote'quote", "double\"quote", "$HOME", "`id`", "a\\b",
        "*?[x]", "é ü 漢"];

    [Test]
    public async Task Uploads_and_downloads_are_compared_by_hashes_of_the_host_and_are_not_read_back()
    {
        Directory.CreateDirectory(Path.Combine(Scratch, "up"));
        for (var i = 0; i < Names.Length; i++) LocalFile(Path.Combine("up", Names[i]), Bytes.Random(10_000 + i));
        await using var client = Client();
        var up = await client.UploadDirectoryAsync(Path.Combine(Scratch, "up"), Remote + "/t", new() { Verify = VerificationMode.Hash });
        Assert.That((up.Files, up.Failed), Is.EqualTo(((long)Names.Length, 0L)));
        Assert.That(Log, Does.Contain("Starting session: command"));
        var down = await client.DownloadDirectoryAsync(Remote + "/t", Path.Combine(Scratch, "down"),
            new() { Verify = VerificationMode.Hash });
        Assert.That((down.Files, down.Failed), Is.EqualTo(((long)Names.Length, 0L)));
        Assert.That(TestTree.Differences(Path.Combine(Scratch, "up"), Path.Combine(Scratch, "down"), TimeSpan.FromSeconds(1)), Is.Empty);
        var file = await client.UploadFileAsync(LocalFile("one", Bytes.Random(5)), Remote + "/one",
            new() { Verify = VerificationMode.Hash });
        Assert.That((file.Verified, file.HashAlgorithm, file.HashSource),
            Is.EqualTo((VerificationMode.Hash, "SHA-256", HashSource.Command)));
    }

    [Test]
    public async Task A_hash_is_the_files_and_null_of_what_is_not_there()
    {
        Server.Plant(Remote + "/f", [1, 2, 3]);
        await using var client = Client();
        Assert.That(await client.GetHashAsync(Remote + "/f", "SHA-256"),
            Is.EqualTo("039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"));
        Assert.That(await client.GetHashAsync(Remote + "/none", "SHA-256"), Is.Null);
        Assert.That(await client.GetHashAsync(Remote + "/f", "MD5"), Is.Null);
    }
}

/// <summary>Where the host runs nothing but SFTP, files are read back.</summary>
[TestFixture]
[Parallelizable]
public sealed class NoShellHashTests()
    : SshFixture(ServerVariant.Sftp with { Name = "SftpForced", SshSettings = "ForceCommand internal-sftp" })
{
    [Test]
    public async Task Files_are_read_back_where_commands_are_forced_to_be_SFTP()
    {
        await using var client = Client();
        var file = await client.UploadFileAsync(LocalFile("one", Bytes.Random(100_000)), Remote + "/one",
            new() { Verify = VerificationMode.Hash });
        Assert.That((file.Verified, file.HashAlgorithm, file.HashSource),
            Is.EqualTo((VerificationMode.Hash, "SHA-256", HashSource.ReadBack)));
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/one")), Bytes.Random(100_000));
        Assert.That(await client.GetHashAsync(Remote + "/one", "SHA-256"), Is.Null);
    }
}

/// <summary>Where the user is shut in, there is no shell: files are read back.</summary>
[TestFixture]
[Parallelizable]
public sealed class ChrootHashTests() : SshFixture(ServerVariant.SftpChroot)
{
    [Test]
    public async Task Files_are_read_back_where_there_is_no_shell()
    {
        await using var client = Client();
        var file = await client.UploadFileAsync(LocalFile("one", Bytes.Random(100_000)), Remote + "/one",
            new() { Verify = VerificationMode.Hash });
        Assert.That((file.Verified, file.HashAlgorithm, file.HashSource),
            Is.EqualTo((VerificationMode.Hash, "SHA-256", HashSource.ReadBack)));
        Assert.That(await client.GetHashAsync(Remote + "/one", "SHA-256"), Is.Null);
    }
}
