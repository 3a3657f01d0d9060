using Transfer.Ftp;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Files;

/// <summary>MODE Z with ProFTPD's mod_deflate, the one of the test servers that has it.</summary>
[TestFixtureSource(nameof(Servers))]
[Parallelizable]
public sealed class CompressedTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    public static IEnumerable<TestFixtureData> Servers => Fixtures.MainFtp.Where(data => Equals(data.Arguments[0], ServerKind.Proftpd));

    // Larger uploads it never ends, from whatever client: it waits for more when the whole has come (1.3.8).
    [TestCase(0)]
    [TestCase(1)]
    [TestCase(10_000)]
    public async Task A_file_goes_up_as_it_was(int length)
    {
        var content = Shrinking(length);
        await using var client = Compressing();
        await client.UploadFileAsync(LocalFile("source", content), Remote + "/file");
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/file")), content);
        Assert.That(Log, Does.Contain("MODE Z -> 200"));
    }

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(10_000)]
    [TestCase(3_000_001)]
    public async Task A_file_comes_down_as_it_is_and_its_folder_is_listed(int length)
    {
        var content = Shrinking(length);
        Server.Plant(Remote + "/file", content);
        var target = Path.Combine(Scratch, "target");
        await using var client = Compressing();
        await client.DownloadFileAsync(Remote + "/file", target);
        Bytes.AssertSame(File.ReadAllBytes(target), content);
        Assert.That(await client.ListAsync(Remote).Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { "file" }));
        Assert.That(Log, Does.Contain("MODE Z -> 200"));
    }

    private static byte[] Shrinking(int length)
    {
        var content = Bytes.Random(length);
        for (var at = 0; at < length; at += 2) content[at] = 0;
        return content;
    }

    private TransferClient Compressing() => Client(options => (FtpOptions)options with { Deflate = true });
}
