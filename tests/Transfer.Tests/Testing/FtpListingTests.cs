using Transfer.Testing;

namespace Transfer.Tests.Testing;

internal sealed class FtpListingTests
{
    private static readonly DateTimeOffset Recent = DateTimeOffset.UtcNow.AddDays(-30);
    private static readonly DateTimeOffset Old = new(2019, 3, 5, 15, 4, 5, TimeSpan.Zero);

    [Test]
    public async Task LIST_looks_like_ls()
    {
        await using var server = await StartAsync(FtpListingStyle.Unix);
        await using var client = await RawFtp.LogInAsync(server);
        var lines = await client.LinesAsync("LIST /d");
        var stamp = Recent.ToString("MMM dd HH:mm", System.Globalization.CultureInfo.InvariantCulture);
        Assert.That(lines, Is.EqualTo(new[]
        {
            "-rw-r--r--   1 owner    group               3 Mar 05  2019 old file",
            $"-rw-r--r--   1 owner    group           12345 {stamp} recent",
            "drwxr-xr-x   2 owner    group               0 Mar 05  2019 sub",
        }));
        Assert.That(await client.CommandAsync("SYST"), Does.StartWith("215 UNIX"));
    }

    [Test]
    public async Task LIST_looks_like_dir()
    {
        await using var server = await StartAsync(FtpListingStyle.Windows);
        await using var client = await RawFtp.LogInAsync(server);
        var lines = await client.LinesAsync("LIST /d");
        Assert.That(lines[0], Is.EqualTo("03-05-19  03:04PM                    3 old file"));
        Assert.That(lines[2], Is.EqualTo("03-05-19  03:04PM       <DIR>          sub"));
        Assert.That(await client.CommandAsync("SYST"), Does.StartWith("215 Windows_NT"));
    }

    [TestCase("LIST", 1)]
    [TestCase("LIST -la", 1)]
    [TestCase("LIST -la /d", 3)]
    [TestCase("LIST /d/recent", 1)]
    [TestCase("LIST /d/*e*", 2)]
    [TestCase("LIST /d/sub", 0)]
    public async Task LIST_takes_options_files_and_patterns(string command, int lines)
    {
        await using var server = await StartAsync(FtpListingStyle.Unix);
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.LinesAsync(command), Has.Length.EqualTo(lines));
    }

    [TestCase("NLST", "d")]
    [TestCase("NLST d", "d/old file|d/recent|d/sub")]
    [TestCase("NLST /d/", "/d/old file|/d/recent|/d/sub")]
    [TestCase("NLST d/recent", "d/recent")]
    [TestCase("NLST d/r*", "d/recent")]
    public async Task NLST_sends_paths_from_where_the_session_is(string command, string names)
    {
        await using var server = await StartAsync(FtpListingStyle.Unix);
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(string.Join('|', await client.LinesAsync(command)), Is.EqualTo(names));
    }

    [Test]
    public async Task MLSD_and_MLST_send_facts()
    {
        await using var server = await StartAsync(FtpListingStyle.Unix);
        await using var client = await RawFtp.LogInAsync(server);
        var recent = Recent.ToString("yyyyMMddHHmmss", System.Globalization.CultureInfo.InvariantCulture);
        Assert.That(await client.LinesAsync("MLSD d"), Is.EqualTo(new[]
        {
            "type=cdir;modify=20190305150405;UNIX.mode=0755; .",
            "type=pdir;modify=20190305150405;UNIX.mode=0755; ..",
            "type=file;size=3;modify=20190305150405;UNIX.mode=0644; old file",
            $"type=file;size=12345;modify={recent};UNIX.mode=0644; recent",
            "type=dir;modify=20190305150405;UNIX.mode=0755; sub",
        }));
        Assert.That(await client.CommandAsync("MLST d/old file"),
            Is.EqualTo("250-Listing /d/old file\n type=file;size=3;modify=20190305150405;UNIX.mode=0644; /d/old file\n250 End"));
        Assert.That(await client.CommandAsync("OPTS MLST size;TYPE;nonsense;"), Is.EqualTo("200 MLST OPTS type;size;"));
        Assert.That(await client.CommandAsync("MLST d/old file"), Does.Contain("\n type=file;size=3; /d/old file\n"));
        Assert.That(await client.CommandAsync("FEAT"), Does.Contain(" MLST type*;size*;modify;UNIX.mode;\n"));
    }

    [TestCase("LIST /missing", "550")]
    [TestCase("NLST /missing/*", "550")]
    [TestCase("MLSD /missing", "550")]
    [TestCase("MLSD /d/recent", "501")]
    [TestCase("MLST /missing", "550")]
    [TestCase("STAT /missing", "550")]
    public async Task What_is_not_there_is_not_listed(string command, string code)
    {
        await using var server = await StartAsync(FtpListingStyle.Unix);
        await using var client = await RawFtp.LogInAsync(server);
        await client.PassiveAsync();
        Assert.That(await client.CommandAsync(command), Does.StartWith(code));
    }

    [Test]
    public async Task STAT_lists_on_the_control_connection()
    {
        await using var server = await StartAsync(FtpListingStyle.Unix);
        await using var client = await RawFtp.LogInAsync(server);
        var reply = await client.CommandAsync("STAT /d");
        Assert.That(reply.Split('\n'), Has.Length.EqualTo(7));
        Assert.That(reply, Does.StartWith("213-").And.Contain(" old file\n").And.Contain(" .\n").And.Contain(" ..\n"));
    }

    [Test]
    public async Task A_generated_directory_of_200_000_files_is_listed_and_served()
    {
        var store = new MemoryStore();
        store.AddSyntheticDirectory("/many", 200_000, length: 5, Old);
        await using var server = await FtpTestServer.StartAsync(new() { Store = store });
        await using var client = await RawFtp.LogInAsync(server);
        var lines = await client.LinesAsync("MLSD /many");
        Assert.That(lines, Has.Length.EqualTo(200_002));
        Assert.That(lines[^1], Does.EndWith(" file-0199999.dat").And.Contain("size=5;"));
        var content = await client.ReceiveAsync("RETR /many/file-0199999.dat");
        var expected = new byte[5];
        SyntheticContent.Fill(expected, 0, seed: 199_999);
        Assert.That(content, Is.EqualTo(expected));
        Assert.That(await client.CommandAsync("SIZE /many/file-0200000.dat"), Does.StartWith("550"));
        Assert.That(await client.CommandAsync("DELE /many/file-0000000.dat"), Does.StartWith("550"));
        Assert.That(await client.CommandAsync("RMD /many"), Does.StartWith("550"));
    }

    private static async Task<FtpTestServer> StartAsync(FtpListingStyle style)
    {
        var store = new MemoryStore();
        store.AddDirectory("/d", Old);
        store.AddFile("/d/recent", new byte[12345], Recent);
        store.AddFile("/d/old file", "abc"u8, Old);
        store.AddDirectory("/d/sub", Old);
        return await FtpTestServer.StartAsync(new() { Store = store, ListingStyle = style });
    }
}
