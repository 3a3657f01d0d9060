using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Many sessions at once have no more content in memory than they may, whatever is slow, and none waits for ever.</summary>
[Category(Categories.Slow)]
public sealed class MemoryTests
{
    private const int Sessions = 32;
    private const long Bytes = 12 << 20;
    private const int Length = 3 << 20;

    [Test]
    public async Task Downloads_of_many_sessions_with_a_slow_disk_stay_within_the_bytes_there_are()
    {
        var state = new SftpServerState { Memory = new SftpMemory(Bytes, Sessions, new SegmentPool()) };
        var content = SftpHarness.Bytes(Length);
        var disk = new TaskCompletionSource();
        var (sessions, items) = (new List<SftpSession>(), new List<TestItem>());
        for (var i = 0; i < Sessions; i++)
        {
            var store = new FakeStore();
            store.Files["/f"] = content;
            sessions.Add(await OpenAsync(store, state));
            items.Add(new TestItem(WorkKind.Download, "/f", new SlowSink(Length, disk.Task)));
        }
        var running = sessions.Zip(items, (session, item) => session.RunAsync(new ListSource(item), CancellationToken.None)).ToList();
        // All that fits is asked for, and nothing is written meanwhile.
        await Eventually.TrueAsync(() => state.Memory.Used.Now == Bytes);
        disk.SetResult();
        await Task.WhenAll(running).Soon();
        foreach (var item in items) Assert.That(((SlowSink)item.Content).Bytes.AsSpan().SequenceEqual(content));
        Assert.That(state.Memory.Used.Peak, Is.LessThanOrEqualTo(Bytes));
        Assert.That(state.Memory.Used.Now, Is.Zero);
    }

    [Test]
    public async Task Uploads_of_many_sessions_to_slow_servers_stay_within_the_bytes_there_are()
    {
        var state = new SftpServerState { Memory = new SftpMemory(Bytes, Sessions, new SegmentPool()) };
        var content = SftpHarness.Bytes(Length);
        using var slow = new ManualResetEventSlim();
        var (sessions, stores) = (new List<SftpSession>(), new List<FakeStore>());
        for (var i = 0; i < Sessions; i++)
        {
            stores.Add(new FakeStore());
            sessions.Add(await OpenAsync(stores[i], state, request =>
            {
                // Answers come late, so that as much as may be is on its way.
                if (request.Type == SftpPacketType.Write) slow.Wait(5);
                return null;
            }));
        }
        await Task.WhenAll(sessions.Select(session => session.RunAsync(SftpHarness.Upload("/f", content)))).Soon();
        foreach (var store in stores) Assert.That(store.Files["/f"].AsSpan().SequenceEqual(content));
        Assert.That(state.Memory.Used.Peak, Is.LessThanOrEqualTo(Bytes).And.GreaterThan(Bytes / 2));
        Assert.That(state.Memory.Used.Now, Is.Zero);
    }

    [Test]
    public async Task One_session_alone_has_all_but_what_is_the_others_own()
    {
        var state = new SftpServerState { Memory = new SftpMemory(Bytes, Sessions, new SegmentPool()) };
        var store = new FakeStore();
        store.Files["/f"] = SftpHarness.Bytes(6 << 20);
        var disk = new TaskCompletionSource();
        await using var session = await OpenAsync(store, state);
        var running = session.RunAsync(new ListSource(new TestItem(WorkKind.Download, "/f", new SlowSink(6 << 20, disk.Task))),
            CancellationToken.None);
        // Its own first limit, which is below what there is.
        await Eventually.TrueAsync(() => state.Memory.Used.Now >= 512 << 10);
        disk.SetResult();
        await running.Soon();
    }

    [Test]
    public async Task A_session_that_is_lost_takes_nothing_with_it()
    {
        var state = new SftpServerState { Memory = new SftpMemory(Bytes, Sessions, new SegmentPool()) };
        var store = new FakeStore();
        store.Files["/f"] = SftpHarness.Bytes(Length);
        var server = new FakeServer(store) { CutSent = 600_000 };
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(SftpHarness.Download("/f", store.Files["/f"]));
        Assert.That(session.Usable, Is.False);
        await Eventually.TrueAsync(() => state.Memory.Used.Now == 0);
    }

    [TestCase(1 << 20, 1, 256 * 1024)]
    [TestCase(7 << 20, 32, 128 * 1024 / 4)]
    [TestCase(32 * 256 << 10, 32, 256 * 1024)]
    public void Requests_are_cut_to_what_each_session_has(int bytes, int sessions, int most)
    {
        var memory = new SftpMemory(bytes, sessions, new SegmentPool());
        Assert.That(memory.MostRequest, Is.EqualTo(most));
        Assert.That((long)SftpBuffers.SizeFor(memory.MostRequest) * sessions, Is.LessThanOrEqualTo(bytes));
    }

    [Test]
    public async Task A_copy_between_two_servers_with_hardly_any_room_comes_to_its_end([Values(1, 4)] int sessions)
    {
        var (from, to) = (new FakeStore(), new FakeStore());
        for (var i = 0; i < 300; i++) from.Files[$"/home/user/f{i:000}"] = SftpHarness.Bytes(i % 50 == 0 ? 1_500_000 : 1000 * (i % 40), i);
        var expected = from.Files.ToDictionary(file => RemotePath.GetName(file.Key), file => file.Value);
        var options = new SftpOptions
        {
            MaxSessions = sessions,
            MaxBufferBytes = sessions * 256 << 10,
            IdleTimeout = TimeSpan.FromSeconds(10)
        };
        await using var source = new SftpTransferClient(new Uri("sftp://user@from/"), options, new Host(from));
        await using var target = new SftpTransferClient(new Uri("sftp://user@to/"), options, new Host(to));
        var result = await source.CopyDirectoryAsync("/home/user", target, "/home/user").Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((300L, 0L)));
        foreach (var (name, bytes) in expected) Assert.That(to.Files[$"/home/user/{name}"].AsSpan().SequenceEqual(bytes), name);
    }

    private static ValueTask<SftpSession> OpenAsync(FakeStore store, SftpServerState state, Func<FakeRequest, byte[]?>? instead = null) =>
        new FakeServer(store) { Limits = [0, 261_120, 261_120, 0], Instead = instead }.OpenAsync(state: state);

    /// <summary>Takes nothing until the disk is ready.</summary>
    private sealed class SlowSink(int length, Task disk) : IContent
    {
        public byte[] Bytes { get; } = new byte[length];

        public long? Length => length;

        public bool CanReplay => true;

        public ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct) => throw new NotSupportedException();

        public async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
        {
            await disk;
            data.CopyTo(Bytes.AsMemory((int)offset));
        }
    }

    private sealed class Host(FakeStore store) : ISshConnector
    {
        public ValueTask<ISshSessions> ConnectAsync(EarlyUse? early, CancellationToken ct) => new(new Connection(store));
    }

    private sealed class Connection(FakeStore store) : ISshSessions
    {
        public string? Server => "fake";

        public bool Usable => true;

        public ValueTask<SshChannel> OpenSubsystemAsync(string name, CancellationToken ct) => new(new FakeServer(store).Start().Channel);

        public ValueTask<SshChannel> OpenCommandAsync(string command, CancellationToken ct) =>
            throw new TransferException(TransferError.Denied, "No commands.");

        public ValueTask DisposeAsync() => default;
    }
}
