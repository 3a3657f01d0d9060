using System.Buffers.Binary;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>Every request of SFTP version 3 and the extensions, by hand.</summary>
[TestFixture(true)]
[TestFixture(false)]
internal sealed class SftpProtocolTests(bool memory)
{
    private const SftpOpenFlags ReadWrite = SftpOpenFlags.Read | SftpOpenFlags.Write;

    private static readonly object Nothing = default(SftpAttributes);

    private string _folder = null!;
    private ITestStore _store = null!;
    private SftpTestServer _server = null!;
    private RawSftp _sftp = null!;

    [SetUp]
    public async Task SetUpAsync()
    {
        _folder = Directory.CreateTempSubdirectory("transfer-sftp-").FullName;
        _store = memory ? new MemoryStore() : new DirectoryStore(_folder);
        _server = await SftpServerHarness.StartAsync(new() { Store = _store });
        _sftp = await RawSftp.StartAsync(_server);
    }

    [TearDown]
    public async Task TearDownAsync()
    {
        await _sftp.DisposeAsync();
        await _server.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Test]
    public async Task Open_files_are_read_and_written_anywhere()
    {
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Open, "/a", (uint)ReadWrite, Nothing), Is.EqualTo(SftpStatus.NoSuchFile));
        var handle = await _sftp.OpenAsync("/a", ReadWrite | SftpOpenFlags.Create | SftpOpenFlags.Exclusive);
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Write, handle, 5UL, "world"u8.ToArray()), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Write, handle, 0UL, "hello"u8.ToArray()), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.ReadAsync(handle, 3, 4), Is.EqualTo("lowo"u8.ToArray()));
        Assert.That(await _sftp.ReadAsync(handle, 8, 100), Is.EqualTo("ld"u8.ToArray()));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Read, handle, 10UL, 100u), Is.EqualTo(SftpStatus.EndOfFile));
        Assert.That((await _sftp.AttributesAsync(SftpPacketType.FStat, handle)).Size, Is.EqualTo(10));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.FSetStat, handle, new SftpAttributes { Size = 7, Modified = 1_234_567_890 }),
            Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Extended, SftpExtension.FSync, handle), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Close, handle), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Close, handle), Is.EqualTo(SftpStatus.Failure));
        var attributes = await _sftp.AttributesAsync(SftpPacketType.Stat, "/a");
        Assert.That((attributes.Size, attributes.Modified), Is.EqualTo((7UL, 1_234_567_890U)), "closing changes no times");

        Assert.That(await _sftp.StatusAsync(SftpPacketType.Open, "/a", (uint)(ReadWrite | SftpOpenFlags.Create | SftpOpenFlags.Exclusive),
            Nothing), Is.EqualTo(SftpStatus.Failure));
        var appending = await _sftp.OpenAsync("/a", SftpOpenFlags.Write | SftpOpenFlags.Append);
        await _sftp.StatusAsync(SftpPacketType.Write, appending, 0UL, "!"u8.ToArray());
        Assert.That(await ContentAsync("/a"), Is.EqualTo("hellowo!"));
        await _sftp.StatusAsync(SftpPacketType.Close, await _sftp.OpenAsync("/a", SftpOpenFlags.Write | SftpOpenFlags.Truncate));
        Assert.That(await ContentAsync("/a"), Is.Empty);
        Assert.That(await _sftp.StatusAsync(SftpPacketType.SetStat, "/a", new SftpAttributes { Size = 3 }), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await ContentAsync("/a"), Is.EqualTo("\0\0\0"));
    }

    [Test]
    public async Task Names_are_made_renamed_and_removed()
    {
        Assert.That(await _sftp.StatusAsync(SftpPacketType.MkDir, "/d", Nothing), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.MkDir, "/d", Nothing), Is.EqualTo(SftpStatus.Failure));
        await PutAsync("/d/a", "a");
        await PutAsync("/d/b", "b");
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Rename, "/d/a", "/d/b"),
            Is.EqualTo(SftpStatus.Failure), "RENAME replaces nothing");
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Extended, SftpExtension.PosixRename, "/d/a", "/d/b"),
            Is.EqualTo(SftpStatus.Ok));
        Assert.That(await ContentAsync("/d/b"), Is.EqualTo("a"));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Rename, "/d/b", "/c"), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Remove, "/d"), Is.EqualTo(SftpStatus.Failure), "REMOVE is for files");
        Assert.That(await _sftp.StatusAsync(SftpPacketType.RmDir, "/c"), Is.Not.EqualTo(SftpStatus.Ok), "RMDIR is for directories");
        Assert.That(await _sftp.StatusAsync(SftpPacketType.RmDir, "/d"), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Remove, "/c"), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Remove, "/c"), Is.EqualTo(SftpStatus.NoSuchFile));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.LStat, "/c"), Is.EqualTo(SftpStatus.NoSuchFile));
    }

    [Test]
    public async Task Directories_are_listed_in_batches()
    {
        await _sftp.StatusAsync(SftpPacketType.MkDir, "/d", Nothing);
        for (var i = 0; i < 150; i++) await PutAsync($"/d/{i}", "x");
        var (_, reply) = await _sftp.AskAsync(SftpPacketType.OpenDir, "/d");
        var handle = new SshReader(reply).ReadString().ToArray();
        var counts = new List<uint>();
        while (await _sftp.AskAsync(SftpPacketType.ReadDir, handle) is (SftpPacketType.Name, var names))
            counts.Add(BinaryPrimitives.ReadUInt32BigEndian(names));
        Assert.That(counts, Is.EqualTo(new[] { 100u, 52u }), "with . and ..");
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Close, handle), Is.EqualTo(SftpStatus.Ok));
    }

    [Test]
    public async Task Links_are_made_read_and_followed()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Links take a privilege there.");
        await _sftp.StatusAsync(SftpPacketType.MkDir, "/d", Nothing);
        await PutAsync("/d/a", "content");
        Assert.That(await _sftp.StatusAsync(SftpPacketType.SymLink, "a", "/d/relative"),
            Is.EqualTo(SftpStatus.Ok), "the text comes first, as at OpenSSH");
        Assert.That(await _sftp.StatusAsync(SftpPacketType.SymLink, "/d", "/absolute"), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.PathAsync(SftpPacketType.ReadLink, "/d/relative"), Is.EqualTo("a"));
        Assert.That(await _sftp.PathAsync(SftpPacketType.ReadLink, "/absolute"), Is.EqualTo("/d"));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.ReadLink, "/d"), Is.EqualTo(SftpStatus.Failure));
        var link = await _sftp.AttributesAsync(SftpPacketType.LStat, "/absolute");
        Assert.That((link.Type, link.Size), Is.EqualTo((RemoteEntryType.Link, 2UL)));
        Assert.That((await _sftp.AttributesAsync(SftpPacketType.Stat, "/absolute")).Type, Is.EqualTo(RemoteEntryType.Directory));
        Assert.That((await _sftp.AttributesAsync(SftpPacketType.Stat, "/absolute/relative")).Size, Is.EqualTo(7));
        Assert.That(await _sftp.PathAsync(SftpPacketType.RealPath, "/absolute/relative"), Is.EqualTo("/d/a"));
        Assert.That(await ContentAsync("/absolute/relative"), Is.EqualTo("content"));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Remove, "/absolute"), Is.EqualTo(SftpStatus.Ok), "the link, not the directory");
        Assert.That(await ContentAsync("/d/a"), Is.EqualTo("content"));

        Assert.That(await _sftp.StatusAsync(SftpPacketType.SymLink, "loop2", "/loop1"), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.SymLink, "loop1", "/loop2"), Is.Not.EqualTo(SftpStatus.BadMessage));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Stat, "/loop1"), Is.Not.EqualTo(SftpStatus.Ok));
    }

    [Test]
    public async Task A_hard_link_is_the_same_file()
    {
        await PutAsync("/a", "one");
        Assert.That(_sftp.Extensions, Does.Contain(SftpExtension.HardLink));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Extended, SftpExtension.HardLink, "/a", "/b"), Is.EqualTo(SftpStatus.Ok));
        await PutAsync("/b", "two");
        Assert.That(await ContentAsync("/a"), Is.EqualTo("two"));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Remove, "/a"), Is.EqualTo(SftpStatus.Ok));
        Assert.That(await ContentAsync("/b"), Is.EqualTo("two"));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Extended, SftpExtension.HardLink, "/none", "/c"),
            Is.EqualTo(SftpStatus.NoSuchFile));
    }

    [Test]
    public async Task Content_is_copied_by_the_server()
    {
        await PutAsync("/a", "0123456789");
        var (from, to) = (await _sftp.OpenAsync("/a", SftpOpenFlags.Read),
            await _sftp.OpenAsync("/b", SftpOpenFlags.Write | SftpOpenFlags.Create));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Extended, SftpExtension.CopyData, from, 2UL, 3UL, to, 1UL),
            Is.EqualTo(SftpStatus.Ok));
        Assert.That(await ContentAsync("/b"), Is.EqualTo("\0" + "234"));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Extended, SftpExtension.CopyData, from, 5UL, 0UL, to, 0UL),
            Is.EqualTo(SftpStatus.Ok));
        Assert.That(await ContentAsync("/b"), Is.EqualTo("56789"));
    }

    [Test]
    public async Task The_server_tells_of_itself()
    {
        var (type, limits) = await _sftp.AskAsync(SftpPacketType.Extended, SftpExtension.Limits);
        Assert.That(type, Is.EqualTo(SftpPacketType.ExtendedReply));
        Assert.That(Numbers(limits), Is.EqualTo(new ulong[] { 262144, 261120, 261120, 1000 }));
        var (_, space) = await _sftp.AskAsync(SftpPacketType.Extended, SftpExtension.StatVfs, "/");
        Assert.That(Numbers(space), Has.Length.EqualTo(11).And.ItemAt(0).EqualTo(4096).And.ItemAt(10).EqualTo(255));
    }

    [Test]
    public async Task Another_owner_and_unknown_requests_are_refused()
    {
        await PutAsync("/a", "a");
        Assert.That(await _sftp.StatusAsync(SftpPacketType.SetStat, "/a", new SftpAttributes { UserId = 0, GroupId = 0 }),
            Is.EqualTo(SftpStatus.PermissionDenied));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.SetStat, "/none", Nothing), Is.EqualTo(SftpStatus.NoSuchFile));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Extended, "nothing@example.com"), Is.EqualTo(SftpStatus.Unsupported));
        Assert.That(await _sftp.StatusAsync((SftpPacketType)99), Is.EqualTo(SftpStatus.Unsupported));
        Assert.That(await _sftp.StatusAsync(SftpPacketType.LStat, new byte[] { 0xFF, 0xFE }),
            Is.EqualTo(SftpStatus.NoSuchFile), "a name that is no UTF-8");
    }

    [Test]
    public async Task A_packet_that_is_none_ends_the_channel_only()
    {
        await _sftp.SendAsync([0xFF, 0xFF, 0xFF, 0xFF]);
        Assert.That(async () => await _sftp.ReceiveAsync(), Throws.InstanceOf<EndOfStreamException>());
        await using var other = await RawSftp.StartAsync(_server);
        Assert.That(await other.PathAsync(SftpPacketType.RealPath, "."), Is.EqualTo("/"));
    }

    [Test]
    public async Task No_path_and_no_link_leads_out_of_the_store()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Links take a privilege there.");
        var outside = _folder + ".outside";
        await File.WriteAllTextAsync(outside, "secret");
        try
        {
            foreach (var path in (string[])["../" + Path.GetFileName(outside), "/../" + Path.GetFileName(outside),
                "/d/../../" + Path.GetFileName(outside), outside])
            {
                Assert.That(await _sftp.StatusAsync(SftpPacketType.Stat, path), Is.EqualTo(SftpStatus.NoSuchFile), path);
            }

            Assert.That(await _sftp.PathAsync(SftpPacketType.RealPath, "/../../.."), Is.EqualTo("/"));

            await _sftp.StatusAsync(SftpPacketType.SymLink, "../" + Path.GetFileName(outside), "/relative");
            await _sftp.StatusAsync(SftpPacketType.SymLink, outside, "/absolute");
            if (!memory) File.CreateSymbolicLink(Path.Join(_folder, "found"), outside);
            foreach (var link in (string[])["/relative", "/absolute", "/found"])
            {
                Assert.That((await _sftp.AskAsync(SftpPacketType.Open, link, (uint)SftpOpenFlags.Read, Nothing)).Type,
                    Is.EqualTo(SftpPacketType.Status), link);
                await _sftp.AskAsync(SftpPacketType.Open, link, (uint)(SftpOpenFlags.Write | SftpOpenFlags.Truncate), Nothing);
                await _sftp.StatusAsync(SftpPacketType.SetStat, link, new SftpAttributes { Size = 0 });
            }

            Assert.That(await File.ReadAllTextAsync(outside), Is.EqualTo("secret"));
        }
        finally
        {
            File.Delete(outside);
        }
    }

    private async Task PutAsync(string path, string content)
    {
        var handle = await _sftp.OpenAsync(path, SftpOpenFlags.Write | SftpOpenFlags.Create | SftpOpenFlags.Truncate);
        Assert.That(await _sftp.StatusAsync(SftpPacketType.Write, handle, 0UL, System.Text.Encoding.UTF8.GetBytes(content)),
            Is.EqualTo(SftpStatus.Ok));
        await _sftp.StatusAsync(SftpPacketType.Close, handle);
    }

    private async Task<string> ContentAsync(string path)
    {
        var handle = await _sftp.OpenAsync(path, SftpOpenFlags.Read);
        var content = await _sftp.ReadAsync(handle, 0, 1000);
        await _sftp.StatusAsync(SftpPacketType.Close, handle);
        return System.Text.Encoding.UTF8.GetString(content);
    }

    private static ulong[] Numbers(byte[] fields) => [.. fields.Chunk(8).Select(number => BinaryPrimitives.ReadUInt64BigEndian(number))];
}
