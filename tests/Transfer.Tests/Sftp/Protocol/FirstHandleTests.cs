using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>The only handle of a session to OpenSSH is known before it is given: FSTAT and READs leave with the OPEN (ADR 11).</summary>
public sealed class FirstHandleTests
{
    private const string OpenSsh = "SSH-2.0-OpenSSH_9.2p1 Debian-2";

    [TestCase(3, "Read \0\0\0\0 0+3", false)]
    [TestCase(300_000, "Read \0\0\0\0 262144+37856", false)]
    [TestCase(3, "Read \0\0\0\0 0+3", true)]
    public async Task A_file_is_asked_for_before_its_handle_is_here(int length, string last, bool later)
    {
        var server = new FakeServer(new FakeStore { NumbersHandles = true })
        {
            Limits = [1 << 20, 1 << 18, 1 << 18, 0],
            Extensions = [SftpExtension.Limits]
        };
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(length);
        byte[]? handle = null;
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.Open) return null;
            handle = server.Store.Serve(request);
            return [];
        };
        await using var session = await server.OpenAsync(software: OpenSsh);
        if (later)
        {
            // One after the other: each time it is the first number that is free.
            var (instead, before) = (server.Instead, server.Store.Files["/before"] = SftpHarness.Bytes(300_000));
            server.Instead = null;
            server.Store.Listings["/in"] = new();
            Assert.That(await session.ListAsync("/in", new ListingReport(), CancellationToken.None).ToListAsync(), Is.Empty);
            Same.Bytes((await session.RunAsync(SftpHarness.Download("/before", before))).Received(), before);
            await Eventually.TrueAsync(() => server.Store.Open.Count == 0);
            server.Instead = instead;
        }
        var first = server.RequestCount;
        var item = SftpHarness.Download("/a", bytes);
        var run = session.RunAsync(item);
        await Eventually.TrueAsync(() => server.Seen().Skip(first).Contains(last));
        Assert.That(server.Seen().Skip(first).Take(2), Is.EqualTo(new[] { "Open /a", "FStat \0\0\0\0" }));
        Assert.That(item.Reported, Is.Zero);

        await server.SendAsync(handle!);
        await run;
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(length, VerificationMode.Size)));
        Same.Bytes(item.Received(), bytes);
        await Eventually.TrueAsync(() => server.Store.Open.Count == 0);
    }

    [Test]
    public async Task Contents_arrive_whole_whether_it_was_right_or_not([Values(0, 1, 200_000, 5_000_001)] int length,
        [Values] bool announced, [Values] bool numbered, [Values(256 * 1024, 10_000)] int maxRead)
    {
        var server = new FakeServer(new FakeStore { NumbersHandles = numbered }) { MaxRead = maxRead };
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(length);
        var state = new SftpServerState();
        await using var session = await server.OpenAsync(state: state, software: OpenSsh);
        foreach (var _ in (int[])[1, 2])
        {
            var item = await session.RunAsync(SftpHarness.Download("/a", announced ? bytes : null));
            Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(length, VerificationMode.Size)));
            Same.Bytes(item.Received(), bytes);
            Assert.That(item.Reported, Is.EqualTo(length));
            await Eventually.TrueAsync(() => server.Store.Open.Count == 0);
        }
        Assert.That(state.HasUnpredictableHandles, Is.EqualTo(!numbered));
    }

    [Test]
    public async Task A_refused_OPEN_is_the_files_error_and_the_next_one_comes()
    {
        var server = new FakeServer(new FakeStore { NumbersHandles = true });
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(100_000);
        var state = new SftpServerState();
        await using var session = await server.OpenAsync(state: state, software: OpenSsh);

        var missing = await session.RunAsync(SftpHarness.Download("/none", new byte[100_000]));
        Assert.That(missing.Error().Error, Is.EqualTo(TransferError.NotFound));

        var item = await session.RunAsync(SftpHarness.Download("/a", bytes));
        Same.Bytes(item.Received(), bytes);
        Assert.That(state.HasUnpredictableHandles, Is.False, "Nothing was learned of handles.");
    }

    [Test]
    public async Task FAILURE_is_asked_again()
    {
        var server = new FakeServer(new FakeStore { NumbersHandles = true });
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(100_000);
        var refused = false;
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.Open || refused) return null;
            refused = true;
            return FakeReply.Status(request.Id, SftpStatus.Failure);
        };
        await using var session = await server.OpenAsync(software: OpenSsh);
        var item = await session.RunAsync(SftpHarness.Download("/a", bytes));
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(bytes.Length, VerificationMode.Size)));
        Same.Bytes(item.Received(), bytes);
    }

    [Test]
    public async Task A_session_that_is_lost_by_it_is_the_last_to_be_asked_so()
    {
        var state = new SftpServerState();
        var server = new FakeServer(new FakeStore { NumbersHandles = true });
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(100_000);
        server.Instead = request => request.Type switch
        {
            SftpPacketType.Open => [],
            SftpPacketType.Read => throw new EndOfStreamException(),
            _ => null,
        };
        await using (var session = await server.OpenAsync(state: state, software: OpenSsh))
        {
            var item = await session.RunAsync(SftpHarness.Download("/a", bytes));
            Assert.That(item.Outcome, Is.TypeOf<WorkOutcome.Untouched>());
        }
        Assert.That(state.HasUnpredictableHandles, Is.True);
    }

    [TestCase("SSH-2.0-mod_sftp", false)]
    [TestCase(OpenSsh, true)]
    public async Task Others_and_what_comes_after_several_are_waited_for(string software, bool several)
    {
        var server = new FakeServer(new FakeStore { NumbersHandles = true });
        server.Store.Files["/a"] = [1, 2, 3];
        await using var session = await server.OpenAsync(software: software);
        if (several)
        {
            await session.RunAsync(SftpHarness.Download("/a", [1, 2, 3]), SftpHarness.Download("/a", [1, 2, 3]));
            await Eventually.TrueAsync(() => server.Store.Open.Count == 0);
        }
        byte[]? handle = null;
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.Open) return null;
            handle = server.Store.Serve(request);
            return [];
        };
        var before = server.RequestCount;
        var item = SftpHarness.Download("/a", [1, 2, 3]);
        var run = session.RunAsync(item);
        await Eventually.TrueAsync(() => handle is not null);
        await Task.Delay(50);
        Assert.That(server.Seen().Skip(before), Is.EqualTo(new[] { "Open /a" }));
        await server.SendAsync(handle!);
        await run;
        Assert.That(item.Received(), Is.EqualTo(new byte[] { 1, 2, 3 }));
    }
}
