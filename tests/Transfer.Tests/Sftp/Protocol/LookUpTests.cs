using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>
/// Some servers answer FAILURE, or that permission is missing, for what is not there. The folder's listing tells the three answers apart:
/// there, absent, unknown.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class LookUpTests
{
    // FAILURE, PERMISSION_DENIED, OP_UNSUPPORTED, BAD_MESSAGE.
    private static readonly int[] Refusals = [4, 3, 8, 5];

    [TestCaseSource(nameof(Refusals))]
    public async Task A_file_that_is_refused_is_found_in_its_folder(int status)
    {
        var server = Server(status, refusesListing: false);
        await using var session = await server.OpenAsync();
        Assert.That((await session.GetEntryAsync("/d/old", CancellationToken.None).Soon())?.Length, Is.EqualTo(3));
    }

    [TestCaseSource(nameof(Refusals))]
    public async Task A_file_that_is_refused_and_not_in_its_folder_is_absent(int status)
    {
        var server = Server(status, refusesListing: false);
        await using var session = await server.OpenAsync();
        Assert.That(await session.GetEntryAsync("/d/new", CancellationToken.None).Soon(), Is.Null);
    }

    [TestCaseSource(nameof(Refusals))]
    public async Task A_file_whose_folder_is_refused_too_is_unknown(int status)
    {
        var server = Server(status, refusesListing: true);
        await using var session = await server.OpenAsync();
        Assert.That(async () => await session.GetEntryAsync("/d/new", CancellationToken.None).Soon(),
            Throws.InstanceOf<TransferException>());
    }

    [Test]
    public async Task A_move_replaces_nothing_that_cannot_be_looked_at()
    {
        var server = Server((int)SftpStatus.Failure, refusesListing: true);
        server.Store.Files["/d/from"] = [1, 2];
        await using var session = await server.OpenAsync();
        Assert.That(async () => await session.RenameAsync(new Renaming("/d/from", "/d/old"), CancellationToken.None).AsTask().Soon(),
            Throws.InstanceOf<TransferException>());
        Assert.That(server.Store.Files["/d/old"], Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(server.Requests, Has.None.StartsWith("Rename"));
    }

    [Test]
    public async Task Where_the_folder_is_absent_so_is_the_file()
    {
        var server = Server((int)SftpStatus.Failure, refusesListing: false);
        await using var session = await server.OpenAsync();
        Assert.That(await session.GetEntryAsync("/no/such/file", CancellationToken.None).Soon(), Is.Null);
    }

    // The line may be the name alone: d, l, b, c, p and s are letters as others.
    [TestCase("data.csv", "data.csv", RemoteEntryType.File)]
    [TestCase("list.txt", "list.txt", RemoteEntryType.File)]
    [TestCase("plan", "plan", RemoteEntryType.File)]
    [TestCase("sub", "sub", RemoteEntryType.Directory)]
    [TestCase("sub", "[D] sub", RemoteEntryType.Directory)]
    [TestCase("drwxr-xr-x x", "drwxr-xr-x x", RemoteEntryType.File)]
    [TestCase("x", "drwxr-xr-x    2 me us 6 Jan  1 2020 x", RemoteEntryType.Directory)]
    [TestCase("x", "lrwxrwxrwx+   1 me us 6 Jan  1 2020 x -> y", RemoteEntryType.Link)]
    [TestCase("x", "-rw-r--r--    1 me us 6 Jan  1 2020 x", RemoteEntryType.File)]
    public async Task A_name_without_type_bits_has_the_type_of_its_line_or_of_LSTAT(string name, string line, RemoteEntryType type)
    {
        var server = new FakeServer();
        server.Store.Directories.Add("/d");
        server.Store.Directories.Add("/d/sub");
        foreach (var file in new[] { "data.csv", "list.txt", "plan", "drwxr-xr-x x" }) server.Store.Files["/d/" + file] = [1, 2, 3];
        server.Store.Listings["/d"] =
            new([FakeReply.Packet(SftpPacketType.Name, 0, fields => FakeStore.WriteName(fields, name, 0x1A4, 3, line))]);
        await using var session = await server.OpenAsync();
        var entries = new List<RemoteEntry>();
        await foreach (var entry in session.ListAsync("/d", new ListingReport(), CancellationToken.None)) entries.Add(entry);
        Assert.That(entries.Select(entry => (entry.Name, entry.Type)), Is.EqualTo(new[] { (name, type) }));
    }

    [Test]
    public async Task A_name_that_is_gone_at_the_look_says_nothing_of_types()
    {
        var server = new FakeServer();
        server.Store.Directories.UnionWith(["/d", "/d/sub"]);
        // In turn: a name that nothing has any more, and a folder.
        server.Store.Listings["/d"] = new(new[] { "gone", "sub" }.Select(name =>
            FakeReply.Packet(SftpPacketType.Name, 0, fields => FakeStore.WriteName(fields, name, 0x1A4, 3, name))));
        await using var session = await server.OpenAsync();
        var types = new Dictionary<string, RemoteEntryType>();
        await foreach (var entry in session.ListAsync("/d", new ListingReport(), CancellationToken.None)) types.Add(entry.Name, entry.Type);
        Assert.That((types["gone"], types["sub"]), Is.EqualTo((RemoteEntryType.File, RemoteEntryType.Directory)));
    }

    [Test]
    public async Task Where_LSTAT_has_no_type_a_directory_is_what_OPENDIR_takes()
    {
        var server = new FakeServer
        {
            Instead = request => request.Type is SftpPacketType.LStat or SftpPacketType.Stat
                ? FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, 3, null)) : null,
        };
        server.Store.Directories.Add("/d");
        server.Store.Files["/f"] = [1, 2, 3];
        await using var session = await server.OpenAsync();
        Assert.That((await session.GetEntryAsync("/d", CancellationToken.None))?.Type, Is.EqualTo(RemoteEntryType.Directory));
        Assert.That((await session.GetEntryAsync("/f", CancellationToken.None))?.Type, Is.EqualTo(RemoteEntryType.File));
    }

    private static FakeServer Server(int status, bool refusesListing)
    {
        var server = new FakeServer
        {
            Instead = request => request.Type switch
            {
                SftpPacketType.Stat or SftpPacketType.LStat => FakeReply.Status(request.Id, (SftpStatus)status),
                SftpPacketType.OpenDir when refusesListing => FakeReply.Status(request.Id, (SftpStatus)status),
                _ => null,
            },
        };
        server.Store.Directories.Add("/d");
        server.Store.Files["/d/old"] = [1, 2, 3];
        return server;
    }
}
