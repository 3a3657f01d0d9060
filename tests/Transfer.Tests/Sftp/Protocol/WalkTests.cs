using System.Collections.Concurrent;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Many directories are listed at the same time on one channel.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class WalkTests
{
    private const int Folders = 60;

    // No OPENDIR is answered before the last one has come, no READDIR before each folder has had one, and no CLOSE at all: what waits for
    // an answer in between has no end.
    [Test]
    public async Task Folders_are_opened_in_one_flight_and_read_in_the_next_and_the_close_is_not_waited_for()
    {
        var server = Server();
        var held = new ConcurrentQueue<byte[]>();
        var (opened, read) = (0, new HashSet<string>());
        server.Instead = request =>
        {
            switch (request.Type)
            {
                case SftpPacketType.OpenDir:
                    held.Enqueue(server.Store.Serve(request));
                    return ++opened < Folders ? [] : Released(held);
                case SftpPacketType.ReadDir:
                    read.Add(request.Text);
                    held.Enqueue(server.Store.Serve(request));
                    return read.Count < Folders ? [] : Released(held);
                case SftpPacketType.Close:
                    return [];
                default:
                    return null;
            }
        };
        await using var session = await server.OpenAsync();
        Assert.That(session.Features.ListsTogether, Is.GreaterThanOrEqualTo(Folders));
        foreach (var names in await ListAllAsync(session)) Assert.That(names, Is.EqualTo(new[] { "a", "b" }));
        Assert.That((opened, read.Count), Is.EqualTo((Folders, Folders)));
    }

    [Test]
    public async Task A_server_that_refuses_more_open_folders_is_asked_for_fewer_and_every_folder_is_listed()
    {
        var server = Server();
        var most = 0;
        server.Instead = request =>
        {
            lock (server.Store)
            {
                if (request.Type == SftpPacketType.OpenDir && server.Store.Open.Count >= 10)
                    return FakeReply.Status(request.Id, SftpStatus.Failure, "Too many open files");
                var reply = server.Store.Serve(request);
                most = Math.Max(most, server.Store.Open.Count);
                return request.Type is SftpPacketType.OpenDir or SftpPacketType.ReadDir or SftpPacketType.Close ? reply : null;
            }
        };
        await using var session = await server.OpenAsync();
        foreach (var names in await ListAllAsync(session)) Assert.That(names, Is.EqualTo(new[] { "a", "b" }));
        Assert.That(most, Is.EqualTo(10));
    }

    [Test]
    public async Task A_folder_that_is_refused_is_one_folders_error()
    {
        var server = Server();
        server.Instead = request => request is { Type: SftpPacketType.OpenDir, Text: "/7" }
            ? FakeReply.Status(request.Id, SftpStatus.PermissionDenied) : null;
        await using var session = await server.OpenAsync();
        var listings = Enumerable.Range(0, Folders).Select(i => ListAsync(session, $"/{i}")).ToArray();
        var error = await listings[7].Failure<TransferException>();
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Denied, "/7")));
        await Task.WhenAll(listings.Where((_, i) => i != 7)).Soon();
        Assert.That(session.Usable, Is.True);
    }

    [TestCase("a/b")]
    [TestCase("..")]
    [TestCase("")]
    public async Task Names_without_an_entry_that_never_end_are_given_up(string name)
    {
        var server = Server();
        server.Instead = request => request.Type != SftpPacketType.ReadDir ? null
            : FakeReply.Packet(SftpPacketType.Name, request.Id, fields => FakeStore.WriteName(fields, name, 0x81A4, 1));
        await using var session = await server.OpenAsync(new SftpOptions { MaxListingBytes = 10_000 });
        var error = await ListAsync(session, "/7").Failure<TransferException>();
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Partial, "/7")));
        Assert.That(error.Message, Does.Contain("--max-listing"));
        server.Instead = null;
        Assert.That(await ListAsync(session, "/8").Soon(), Is.EqualTo(new[] { "a", "b" }));
    }

    [TestCase(null, 64)]
    [TestCase(0ul, 64)]
    [TestCase(20ul, 12)]
    [TestCase(1019ul, 256)]
    [TestCase(3ul, 1)]
    public async Task As_many_are_listed_together_as_the_server_has_handles_for(ulong? handles, int expected)
    {
        var server = handles is { } told
            ? new FakeServer { Extensions = [SftpExtension.Limits], Limits = [1 << 18, 1 << 18, 1 << 18, told] } : new FakeServer();
        await using var session = await server.OpenAsync();
        Assert.That(session.Features.ListsTogether, Is.EqualTo(expected));
    }

    [Test]
    public async Task A_cancelled_listing_gives_its_place_to_another()
    {
        var server = new FakeServer { Extensions = [SftpExtension.Limits], Limits = [1 << 18, 1 << 18, 1 << 18, 10] };
        for (var i = 0; i < 4; i++) server.Store.Files[$"/{i}/a"] = [];
        for (var i = 0; i < 4; i++) server.Store.Directories.Add($"/{i}");
        await using var session = await server.OpenAsync();
        Assert.That(session.Features.ListsTogether, Is.EqualTo(2));
        server.Instead = request => request is { Type: SftpPacketType.OpenDir, Text: "/0" or "/1" } ? [] : null;
        using var stop = new CancellationTokenSource();
        var stuck = new[] { ListAsync(session, "/0", stop.Token), ListAsync(session, "/1", stop.Token) };
        await Eventually.TrueAsync(() => server.Seen().Count(line => line.StartsWith("OpenDir", StringComparison.Ordinal)) == 2);
        var waits = ListAsync(session, "/2", stop.Token);
        var others = ListAsync(session, "/3");
        await stop.CancelAsync();
        foreach (var task in stuck.Append(waits)) await task.Failure<OperationCanceledException>();
        Assert.That(await others.Soon(), Is.EqualTo(new[] { "a" }));
        Assert.That(session.Usable, Is.True);
    }

    private static FakeServer Server()
    {
        var server = new FakeServer();
        for (var i = 0; i < Folders; i++)
        {
            server.Store.Directories.Add($"/{i}");
            foreach (var name in (string[])["a", "b"]) server.Store.Files[$"/{i}/{name}"] = [1];
        }
        return server;
    }

    private static byte[] Released(ConcurrentQueue<byte[]> held)
    {
        var bytes = held.SelectMany(reply => reply).ToArray();
        held.Clear();
        return bytes;
    }

    private static Task<List<string>[]> ListAllAsync(SftpSession session) =>
        Task.WhenAll(Enumerable.Range(0, Folders).Select(i => ListAsync(session, $"/{i}"))).Soon();

    private static async Task<List<string>> ListAsync(SftpSession session, string folder, CancellationToken ct = default)
    {
        await Task.Yield();
        return await session.ListAsync(folder, new ListingReport(), ct).Select(entry => entry.Name).ToListAsync(ct);
    }
}
