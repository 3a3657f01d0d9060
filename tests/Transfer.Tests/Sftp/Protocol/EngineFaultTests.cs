using System.Buffers;
using System.Collections.Concurrent;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

[Category(Categories.Slow)]
public sealed class EngineFaultTests
{
    private static readonly (string Name, Func<FakeRequest, byte[]> Packet)[] Broken =
    [
        ("an id that is not under way", request => FakeReply.Status(request.Id + 1, SftpStatus.Ok)),
        ("an id of the far end of the table", _ => FakeReply.Status(uint.MaxValue, SftpStatus.Ok)),
        ("the same reply twice",
            request => [.. FakeReply.Status(request.Id, SftpStatus.NoSuchFile), .. FakeReply.Status(request.Id, SftpStatus.NoSuchFile)]),
        ("a length of 0", _ => [0, 0, 0, 0]),
        ("a length of 2^32-1", _ => [255, 255, 255, 255, 105]),
        ("a packet over 256 KiB", _ => [0, 4, 0, 1, 105]),
        ("a packet without an id", _ => [0, 0, 0, 1, 105]),
        ("an answer of another type", request => FakeReply.Handle(request.Id, "h")),
        ("a type that does not exist", request => FakeReply.Packet((SftpPacketType)99, request.Id, _ => { })),
        ("OK without the attributes", request => FakeReply.Status(request.Id, SftpStatus.Ok)),
        ("attributes cut short", request => FakeReply.Packet(SftpPacketType.Attributes, request.Id, fields => fields.WriteUInt32(0xF))),
        ("2^32-1 extended attributes", request => FakeReply.Packet(SftpPacketType.Attributes, request.Id, fields =>
        {
            fields.WriteUInt32(0x80000000);
            fields.WriteUInt32(uint.MaxValue);
        })),
        ("a status cut short", request => FakeReply.Packet(SftpPacketType.Status, request.Id, fields => fields.WriteByte(0))),
        ("a message longer than its packet", request => FakeReply.Packet(SftpPacketType.Status, request.Id, fields =>
        {
            fields.WriteUInt32(4);
            fields.WriteUInt32(uint.MaxValue);
        })),
        ("a connection lost behind the server", request => FakeReply.Status(request.Id, SftpStatus.ConnectionLost)),
    ];

    private static IEnumerable<TestCaseData> BrokenReplies =>
        Broken.Select((broken, index) => new TestCaseData(index).SetArgDisplayNames(broken.Name));

    [Test]
    public async Task A_channel_that_ends_before_the_version_shows_what_the_server_wrote_to_standard_error([Values] bool says)
    {
        var channel = new PipeChannel { Said = says ? "Your password\r\nhas expired.\u001b[31m\n" : "\r\n" };
        await channel.ServerOutput.CompleteAsync();
        var error = await SftpSession.OpenAsync(channel, "server", new SftpOptions(), new SftpServerState(), NullLogger.Instance, default)
            .AsTask().Failure<TransferConnectionException>();
        Assert.That(error.Message, Is.EqualTo("The server closed the SFTP channel."
            + (says ? " The server says: Your password  has expired. [31m" : string.Empty)));
    }

    [TestCaseSource(nameof(BrokenReplies))]
    public async Task A_reply_that_breaks_the_protocol_ends_the_session_and_every_request_with_one_reason(int index)
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync();
        server.Instead = request => request.Text switch
        {
            "/silent" => [],
            _ => Broken[index].Packet(request),
        };
        var silent = session.GetEntryAsync("/silent", CancellationToken.None).AsTask();
        var broken = session.GetEntryAsync("/broken", CancellationToken.None).AsTask();
        var first = await silent.Failure<TransferConnectionException>();
        Assert.That(first.Error, Is.EqualTo(TransferError.Protocol).Or.EqualTo(TransferError.Lost));
        if (Broken[index].Name != "the same reply twice")
            Assert.That(await broken.Failure<TransferConnectionException>(), Is.SameAs(first));
        Assert.That(session.Usable, Is.False);
        var later = await session.GetEntryAsync("/later", CancellationToken.None).AsTask().Failure<TransferConnectionException>();
        Assert.That(later, Is.SameAs(first));
    }

    [Test]
    public async Task More_data_than_was_asked_for_ends_the_session([Values] bool announcedOnly)
    {
        var server = new FakeServer();
        server.Store.Files["/a"] = [1, 2, 3];
        server.Instead = request => request.Type != SftpPacketType.Read ? null
            : announcedOnly
            ? FakeReply.Packet(SftpPacketType.Data, request.Id, fields => fields.WriteUInt32(3)) : FakeReply.Data(request.Id, new byte[4]);
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Download("/a", [1, 2, 3]));
        Assert.That((item.Outcome as WorkOutcome.Untouched)?.Reason?.Message, Does.Contain(", where 3 at most were requested"));
        Assert.That(session.Usable, Is.False);
    }

    [Test]
    public async Task A_reply_to_a_guessed_id_of_a_request_that_has_not_left_ends_the_session()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync();
        await server.SendAsync(FakeReply.Status(0x0003_0000, SftpStatus.Ok));
        await Eventually.TrueAsync(() => !session.Usable);
    }

    [Test]
    public async Task A_cancelled_request_ends_at_once_and_its_late_handle_is_closed()
    {
        var server = new FakeServer();
        server.Store.Directories.Add("/slow");
        FakeRequest? held = null;
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.OpenDir) return null;
            held = request;
            return [];
        };
        await using var session = await server.OpenAsync();
        using var cancel = new CancellationTokenSource();
        var listing = ListAsync(session, "/slow", cancel.Token);
        await Eventually.TrueAsync(() => Volatile.Read(ref held) is not null);
        await cancel.CancelAsync();
        Assert.That((await listing.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(cancel.Token));
        Assert.That(session.Usable);
        await server.SendAsync(server.Store.Serve(held!));
        await Eventually.TrueAsync(() => server.Store.Open.Count == 0);
        Assert.That(await session.GetEntryAsync("/slow", CancellationToken.None), Is.Not.Null);
    }

    [Test]
    public async Task A_listing_that_is_left_early_costs_nothing()
    {
        var server = new FakeServer();
        for (var i = 0; i < 50; i++) server.Store.Files[$"/f{i}"] = [];
        await using var session = await server.OpenAsync();
        await foreach (var _ in session.ListAsync("/", new ListingReport(), CancellationToken.None)) break;
        await Eventually.TrueAsync(() => server.Store.Open.Count == 0);
        Assert.That(server.Seen().Count(request => request.StartsWith("ReadDir", StringComparison.Ordinal)), Is.LessThan(50),
            "the rest of the listing was read by nobody");
        Assert.That(await ListAsync(session, "/", CancellationToken.None).Soon(), Has.Count.EqualTo(50));
        Assert.That(session.Usable);
    }

    [Test]
    public async Task A_server_that_falls_silent_is_given_up_after_the_idle_time_out()
    {
        var clock = new ManualTime();
        var server = new FakeServer();
        await using var session = await server.OpenAsync(new SftpOptions { TimeProvider = clock, IdleTimeout = TimeSpan.FromSeconds(60) });
        clock.Advance(TimeSpan.FromHours(1)); // nothing is waited for
        Assert.That(session.Usable);
        server.Instead = _ => [];
        var asked = session.GetEntryAsync("/a", CancellationToken.None).AsTask();
        await Eventually.TrueAsync(() => server.RequestCount == 3);
        clock.Advance(TimeSpan.FromSeconds(59));
        Assert.That(session.Usable);
        clock.Advance(TimeSpan.FromSeconds(2));
        Assert.That((await asked.Failure<TransferConnectionException>()).Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task An_abort_ends_every_item_cleans_up_and_throws_with_its_token()
    {
        var server = new FakeServer();
        using var abort = new CancellationTokenSource();
        var items = Enumerable.Range(0, 100).Select(i => SftpHarness.Upload($"/f{i}", SftpHarness.Bytes(50_000))).ToArray();
        var opened = 0;
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Open && ++opened == 40) abort.Cancel();
            return null;
        };
        await using var session = await server.OpenAsync();
        var run = session.RunAsync(new ListSource(items), abort.Token);
        Assert.That((await run.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(abort.Token));
        var taken = items.Where(item => item.Outcomes.Count > 0).ToArray();
        Assert.That(taken.Select(item => item.Outcomes.Count), Is.All.EqualTo(1));
        Assert.That(server.Store.Open, Is.Empty);
        Assert.That(server.Store.Files.Keys.Where(name => name.Contains(".part", StringComparison.Ordinal)), Is.Empty);
        Assert.That(session.Usable);
    }

    [Test]
    public async Task An_abort_that_the_server_does_not_answer_costs_the_session_after_a_while()
    {
        var clock = new ManualTime();
        var server = new FakeServer();
        await using var session = await server.OpenAsync(new SftpOptions { TimeProvider = clock });
        server.Instead = _ => [];
        using var abort = new CancellationTokenSource();
        var item = SftpHarness.Upload("/a", [1]);
        var run = session.RunAsync(new ListSource(item), abort.Token);
        await Eventually.TrueAsync(() => server.RequestCount == 4);
        await abort.CancelAsync();
        clock.Advance(CleanUpWatch.ShortestSilence * 0.9);
        Assert.That((run.IsCompleted, session.Usable), Is.EqualTo((false, true)));
        clock.Advance(CleanUpWatch.ShortestSilence * 0.4);
        await run.Failure<OperationCanceledException>();
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.InDoubt>());
        Assert.That(session.Usable, Is.False);
    }

    [Test]
    public async Task An_abort_that_the_server_answers_slowly_is_cleaned_up_after_on_the_same_session()
    {
        var clock = new ManualTime();
        var server = new FakeServer();
        await using var session = await server.OpenAsync(new SftpOptions { TimeProvider = clock });
        var held = new ConcurrentQueue<FakeRequest>();
        server.Instead = request =>
        {
            held.Enqueue(request);
            return [];
        };
        using var abort = new CancellationTokenSource();
        var run = session.RunAsync(new ListSource(SftpHarness.Upload("/a", [1])), abort.Token);
        await Eventually.TrueAsync(() => !held.IsEmpty);
        await abort.CancelAsync();
        var rounds = 0;
        for (; rounds < 6 && !run.IsCompleted; rounds++)
        {
            clock.Advance(CleanUpWatch.ShortestSilence * 0.6);
            while (held.TryDequeue(out var request)) await server.SendAsync(server.Store.Serve(request));
            await Eventually.TrueAsync(() => !held.IsEmpty || run.IsCompleted);
        }
        await run.Failure<OperationCanceledException>();
        Assert.That(rounds, Is.GreaterThan(1), "longer in all than a silence that ends the session");
        Assert.That(session.Usable);
        Assert.That(server.Store.Open, Is.Empty);
    }

    [Test]
    public async Task A_channel_cut_at_any_byte_leaves_every_item_ended_once_and_nothing_falsely_done([Values] bool sending)
    {
        var (received, sent) = await RunCutAsync(long.MaxValue, long.MaxValue);
        // Every byte of the first two thousand, then in steps: the rest repeats.
        for (long cut = 0; cut < (sending ? sent : received); cut += cut < 2000 ? 1 : 97)
            await RunCutAsync(sending ? long.MaxValue : cut, sending ? cut : long.MaxValue);
    }

    [Test]
    public async Task A_session_lost_while_files_wait_for_room_leaves_none_of_them_waiting([Values] bool uploads, [Values(1000, 100_000,
        1_000_000, 3_000_000)] int cut)
    {
        // One file may be open at once in the first half, and more bytes wait than may be under way in both.
        var server = new FakeServer
        {
            Limits = [262_144, 261_120, 261_120, cut < 1_000_000 ? 1ul : 0],
            Extensions = [SftpExtension.Limits],
            CutReceived = uploads ? cut : long.MaxValue,
            CutSent = uploads ? long.MaxValue : cut,
        };
        var bytes = SftpHarness.Bytes(200_000);
        var items = Enumerable.Range(0, 100).Select(
            i => uploads ? SftpHarness.Upload($"/f{i}", bytes) : SftpHarness.Download($"/f{i}", bytes)).ToArray();
        foreach (var item in items.Where(_ => !uploads)) server.Store.Files[item.Path] = bytes;
        await using var session = await server.OpenAsync();
        await session.RunAsync(items);
        var taken = items.Where(item => item.Outcomes.Count > 0).ToArray();
        Assert.That(taken, Is.Not.Empty);
        Assert.That(taken.Select(item => item.Outcome),
            Is.All.InstanceOf<WorkOutcome.Done>().Or.InstanceOf<WorkOutcome.InDoubt>().Or.InstanceOf<WorkOutcome.Untouched>());
        Assert.That(taken.Any(item => item.Outcome is not WorkOutcome.Done) && !session.Usable);
    }

    [Test]
    public void Any_split_of_the_servers_bytes_gives_the_same() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(60), Prop.ForAll(
            Gen.Choose(1, 40).NonEmptyListOf().ToArbitrary(),
            sizes => RunSplitAsync([.. sizes]).Soon().GetAwaiter().GetResult()));

    [Test]
    public void Arbitrary_bytes_give_a_result_or_a_protocol_error() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(3000), Prop.ForAll<byte[]>(bytes =>
        {
            Try(() => SftpVersion.Parse([(byte)SftpPacketType.Version, .. bytes]));
            Try(() => SftpVersion.Parse([2, 0, 0, 0, 3, .. bytes]));
            Try(() => SftpLimits.Parse(bytes));
            Try(() =>
            {
                var names = new SftpNames(bytes, NameEncoding.LosslessUtf8);
                while (names.MoveNext())
                {
                    // Only that it ends.
                }
            });
            Try(() =>
            {
                var buffer = new ReadOnlySequence<byte>(bytes);
                while (SftpFraming.TryTake(ref buffer, out var packet)) Assert.That(packet.Length, Is.GreaterThan(0));
            });
        }));

    private static void Try(Action parse)
    {
        try
        {
            parse();
        }
        catch (TransferException e) when (e.Error is TransferError.Protocol or TransferError.Unsupported)
        {
            // That is the other result.
        }
    }

    private static async Task<(long Received, long Sent)> RunCutAsync(long cutReceived, long cutSent)
    {
        var server = new FakeServer { CutReceived = cutReceived, CutSent = cutSent };
        server.Store.Files["/d0"] = SftpHarness.Bytes(100);
        server.Store.Files["/d1"] = SftpHarness.Bytes(40_000);
        TestItem[] items =
        [
            SftpHarness.Upload("/u0", SftpHarness.Bytes(50)), SftpHarness.Upload("/u1", SftpHarness.Bytes(40_000)),
            SftpHarness.Upload("/u2", [], replace: false),
            SftpHarness.Download("/d0", server.Store.Files["/d0"]), SftpHarness.Download("/d1"),
        ];
        SftpSession session;
        try
        {
            session = await server.OpenAsync();
        }
        catch (TransferConnectionException)
        {
            Assert.That(server.Channel.Disposed);
            return default;
        }
        await using (session)
        {
            await session.RunAsync(items);
            foreach (var item in items.Where(item => item.Outcomes.Count > 0))
            {
                Assert.That(item.Outcomes, Has.Count.EqualTo(1), item.Path);
                if (item.Outcome is not WorkOutcome.Done)
                    Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.InDoubt>().Or.InstanceOf<WorkOutcome.Untouched>(), item.Path);
                else if (item.Kind == WorkKind.Upload)
                    Assert.That(server.Store.Files[item.Path].AsSpan().SequenceEqual(((TestContent)item.Content).Bytes), item.Path);
                else Assert.That(item.Received().AsSpan().SequenceEqual(server.Store.Files[item.Path]), item.Path);
                var published = item.Kind == WorkKind.Upload && server.Store.Files.ContainsKey(item.Path);
                if (published && item.Outcome is not WorkOutcome.Done)
                    Assert.That(item.Outcome is WorkOutcome.InDoubt { Publishing: true }, item.Path);
            }
            if (cutReceived == long.MaxValue && cutSent == long.MaxValue)
                Assert.That(items.Select(item => item.Outcome), Is.All.InstanceOf<WorkOutcome.Done>());
        }
        return (server.Received, server.Sent);
    }

    private static async Task<bool> RunSplitAsync(int[] pieces)
    {
        var server = new FakeServer { Pieces = pieces, Limits = [262_144, 4096, 4096, 100], Extensions = [SftpExtension.Limits] };
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(10_000);
        await using var session = await server.OpenAsync();
        var up = SftpHarness.Upload("/b", bytes);
        var down = SftpHarness.Download("/a", bytes);
        await session.RunAsync(up, down);
        Assert.That(down.Received().AsSpan().SequenceEqual(bytes) && server.Store.Files["/b"].AsSpan().SequenceEqual(bytes));
        Assert.That((await ListAsync(session, "/", CancellationToken.None)).Select(entry => entry.Path),
            Is.EquivalentTo(new[] { "/a", "/b" }));
        return true;
    }

    private static async Task<List<RemoteEntry>> ListAsync(SftpSession session, string path, CancellationToken ct)
    {
        var entries = new List<RemoteEntry>();
        await foreach (var entry in session.ListAsync(path, new ListingReport(), ct)) entries.Add(entry);
        return entries;
    }
}
