using Transfer.Replacing;
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
