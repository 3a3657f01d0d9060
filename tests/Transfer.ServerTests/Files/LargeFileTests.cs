using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Files;

/// <summary>
/// One GiB up and down, every byte compared; a third of that where the server, or the other library, needs most of the time.
/// </summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Each))]
public sealed class LargeFileTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private long Length => (1L << 30) / (Kind is ServerKind.ProftpdSftp or ServerKind.SshNet ? 3 : 1);

    [Test]
    public async Task A_large_file_goes_up_and_comes_down()
    {
        await using var client = Client();

        await using var source = new PatternStream(Length);
        var up = await client.UploadAsync(source, Remote + "/large");
        await using var expected = new PatternStream(Length);
        await using (var stored = File.OpenRead(Server.Local(Remote + "/large"))) await stored.CopyToAsync(expected, 1 << 20);
        await using var target = new PatternStream(Length);
        var down = await client.DownloadAsync(Remote + "/large", target);

        Assert.That((up.Bytes, expected.Position), Is.EqualTo((Length, Length)));
        Assert.That((down.Bytes, target.Position), Is.EqualTo((Length, Length)));
    }
}
