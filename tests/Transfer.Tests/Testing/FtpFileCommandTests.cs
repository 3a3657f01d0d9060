using Transfer.Testing;

namespace Transfer.Tests.Testing;

internal sealed class FtpFileCommandTests
{
    private FtpTestServer _server = null!;
    private RawFtp _client = null!;

    private MemoryStore Files => (MemoryStore)_server.Store;

    [SetUp]
    public async Task SetUpAsync()
    {
        var store = new MemoryStore();
        store.AddFile("/d/f", "123456789"u8, new DateTimeOffset(2001, 2, 3, 4, 5, 6, TimeSpan.Zero));
        _server = await FtpTestServer.StartAsync(new() { Store = store, HomeDirectory = "/d" });
        _client = await RawFtp.LogInAsync(_server);
    }

    [TearDown]
    public async Task TearDownAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Test]
    public async Task Folders_are_changed_made_and_removed()
    {
        await ExpectAsync("PWD", "257 \"/d\"");
        await ExpectAsync("CDUP", "250");
        await ExpectAsync("CDUP", "250");
        await ExpectAsync("PWD", "257 \"/\"");
        await ExpectAsync("CWD missing", "550");
        await ExpectAsync("CWD d/f", "550");
        await ExpectAsync("MKD say \"hi\"", "257 \"/say \"\"hi\"\"\"");
        await ExpectAsync("CWD say \"hi\"", "250");
        await ExpectAsync("PWD", "257 \"/say \"\"hi\"\"\"");
        await ExpectAsync("MKD ../../../x", "257 \"/x\"");
        await ExpectAsync("MKD /x", "550");
        await ExpectAsync("MKD /no/such/parent", "550");
        await ExpectAsync("RMD /d", "550");
        await ExpectAsync("RMD /", "550");
        await ExpectAsync("RMD /x", "250");
        await ExpectAsync("RMD /x", "550");
        Assert.That(Files.Directories, Is.EqualTo(new[] { "/d", "/say \"hi\"" }));
    }

    [Test]
    public async Task Sizes_and_times_are_told_and_set()
    {
        await ExpectAsync("SIZE f", "213 9");
        await ExpectAsync("SIZE /d", "550");
        await ExpectAsync("SIZE missing", "550");
        await ExpectAsync("MDTM f", "213 20010203040506");
        await ExpectAsync("MFMT 20201112131415 f", "213 Modify=20201112131415; f");
        await ExpectAsync("MDTM f", "213 20201112131415");
        await ExpectAsync("MFMT 2020 f", "501");
        await ExpectAsync("MFMT 20201112131415 missing", "550");
        await ExpectAsync("MDTM 20000101000000 f", "213 ");
        await ExpectAsync("MDTM f", "213 20000101000000");
        await ExpectAsync("SITE UTIME 200506070809 f", "200");
        await ExpectAsync("MDTM f", "213 20050607080900");
        await ExpectAsync("SITE UTIME f 20010101000000 20020202020202 20030303030303 UTC", "200");
        await ExpectAsync("MDTM f", "213 20020202020202");
        await ExpectAsync("SITE UTIME nonsense", "501");
        await ExpectAsync("SITE CHMOD 751 f", "200");
        await ExpectAsync("SITE CHMOD 888 f", "501");
        Assert.That(await _client.CommandAsync("MLST f"), Does.Contain("UNIX.mode=0751;"));
    }

    [Test]
    public async Task Renaming_replaces_files_but_not_directories()
    {
        Files.AddFile("/d/g", "old"u8);
        Files.AddDirectory("/d/e");
        await ExpectAsync("RNFR missing", "550");
        await ExpectAsync("RNTO g", "503");
        await ExpectAsync("RNFR f", "350");
        await ExpectAsync("RNTO e", "550");
        await ExpectAsync("RNTO g", "503");
        await ExpectAsync("RNFR f", "350");
        await ExpectAsync("RNTO g", "250");
        Assert.That(Files.ReadFile("/d/g"), Is.EqualTo("123456789"u8.ToArray()));
        await ExpectAsync("RNFR /d", "350");
        await ExpectAsync("RNTO /d/e/inside", "550");
        await ExpectAsync("RNFR /d", "350");
        await ExpectAsync("RNTO /moved", "250");
        Assert.That(Files.Files, Is.EqualTo(new[] { "/moved/g" }));
        await ExpectAsync("DELE /moved/g", "250");
        await ExpectAsync("DELE /moved/g", "550");
        await ExpectAsync("DELE /moved", "550");
    }

    [TestCase("XCRC f", "250 CBF43926")]
    [TestCase("XCRC \"f\"", "250 CBF43926")]
    [TestCase("XMD5 f", "250 25F9E794323B453885F5181F1B624D0B")]
    [TestCase("XSHA1 f", "250 F7C3BC1D808E04732ADF679965CCC34CA7AE3441")]
    [TestCase("XSHA f", "250 F7C3BC1D808E04732ADF679965CCC34CA7AE3441")]
    [TestCase("XSHA256 f", "250 15E2B0D3C33891EBB0F1EF609EC419420C20E320CE94C65FBC8C3312448EB225")]
    [TestCase("XMD5 \"f\" 0 3", "250 202CB962AC59075B964B07152D234B70")]
    [TestCase("XMD5 \"f\" 3 6", "250 250CF8B51C773F3F8DC8B4BE867A9A02")]
    [TestCase("HASH f", "213 SHA-256 0-9 15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225 f")]
    [TestCase("HASH missing", "550")]
    public async Task Hashes_are_right(string command, string reply) =>
        Assert.That(await _client.CommandAsync(command), reply.Length == 3 ? Does.StartWith(reply) : Is.EqualTo(reply));

    [Test]
    public async Task The_algorithm_of_HASH_is_chosen_by_OPTS()
    {
        await ExpectAsync("OPTS HASH", "200 SHA-256");
        await ExpectAsync("OPTS HASH md5", "200 MD5");
        await ExpectAsync("HASH f", "213 MD5 0-9 25f9e794323b453885f5181f1b624d0b f");
        await ExpectAsync("OPTS HASH none", "504");
        Assert.That(await _client.CommandAsync("FEAT"), Does.Contain("\n HASH SHA-256;SHA-512;SHA-1;MD5*;CRC32\n"));
    }

    private async Task ExpectAsync(string command, string reply) =>
        Assert.That(await _client.CommandAsync(command), Does.StartWith(reply), command);
}
