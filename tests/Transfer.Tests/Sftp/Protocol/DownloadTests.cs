using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

public sealed class DownloadTests
{
    [Test]
    public async Task A_small_file_takes_open_then_everything_to_close_back_to_back()
    {
        var server = new FakeServer();
        server.Store.Files["/a"] = [1, 2, 3];
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Download("/a", [1, 2, 3]));
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(3, VerificationMode.Size)));
        Assert.That(item.Received(), Is.EqualTo(new byte[] { 1, 2, 3 }));
        await Eventually.TrueAsync(() => server.RequestCount == 6);
        Assert.That(server.Seen()[2..], Is.EqualTo(new[] { "Open /a", "FStat h1", "Read h1 0+3", "Close h1" }));
    }

    [Test]
    public async Task Contents_arrive_whole([Values(0, 1, 32 * 1024, 200_000, 5_000_001)] int length, [Values] bool announced,
        [Values(256 * 1024, 10_000)] int maxRead)
    {
        var server = new FakeServer { MaxRead = maxRead, Limits = [262_144, 261_120, 261_120, 0], Extensions = [SftpExtension.Limits] };
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(length);
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Download("/a", announced ? bytes : null));
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(length, VerificationMode.Size)));
        Same.Bytes(item.Received(), bytes);
        await Eventually.TrueAsync(() => server.Store.Open.Count == 0);
        Assert.That(item.Reported, Is.EqualTo(length));
    }

    [TestCase(10, 20)]
    [TestCase(20, 10)]
    [TestCase(2_000_000, 1_500_000)]
    [TestCase(1_500_000, 2_000_000)]
    [TestCase(10, 2_000_000)]
    [TestCase(0, 10)]
    public async Task A_file_of_another_length_than_was_announced_comes_as_it_is(int announced, int real)
    {
        var server = new FakeServer();
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(real);
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Download("/a", new byte[announced]));
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(real, VerificationMode.Size)));
        Same.Bytes(item.Received(), bytes);
    }

    [Test]
    public async Task A_file_without_a_size_is_read_to_its_end([Values(0L, null)] long? told)
    {
        var server = new FakeServer { MaxRead = 5000 };
        var bytes = server.Store.Files["/proc/x"] = SftpHarness.Bytes(100_000);
        server.Instead = request =>
            request.Type == SftpPacketType.FStat
            ? FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, told, 0x81A4)) : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Download("/proc/x"));
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(100_000, VerificationMode.Reply)));
        Same.Bytes(item.Received(), bytes);
    }

    // With a predicted handle READs leave with the OPEN.
    [Test]
    public async Task No_more_bytes_of_a_segment_are_under_way_than_its_window_has(
        [Values(1, 100_000)] int window, [Values] bool isExpected)
    {
        const int Chunk = 32 * 1024;
        var server = new FakeServer();
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(3_000_000);
        await using var session = await server.OpenAsync();
        if (isExpected) await session.RunAsync(SftpHarness.Download("/a", bytes));
        var item = new TestItem(WorkKind.Download, "/a", new SftpHarness.Sink(bytes.Length)) { IsSegment = true, OwnWindow = window };
        var most = 0L;
        server.Instead = request =>
        {
            // What the client has had when it asks, it has also had when the request is here.
            if (request.Type == SftpPacketType.Read) most = Math.Max(most, request.Offset + request.Length - item.Reported);
            return null;
        };
        await session.RunAsync(item);
        Same.Bytes(item.Received(), bytes);
        Assert.That(most, Is.InRange(1, window + Chunk));
    }

    [Test]
    public async Task A_range_is_read_and_nothing_beside_it()
    {
        var server = new FakeServer();
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(100_000);
        await using var session = await server.OpenAsync();
        var sink = new TestContent(new byte[100_000]);
        var item = new TestItem(WorkKind.Download, "/a", sink) { Offset = 40_000, End = 90_000 };
        await session.RunAsync(item);
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(50_000, VerificationMode.Size)));
        Same.Bytes(sink.Bytes.AsSpan(40_000, 50_000), bytes.AsSpan(40_000, 50_000));
        Assert.That(server.Seen().Where(line => line.StartsWith("Read ", StringComparison.Ordinal)),
            Is.EqualTo(new[] { "Read h1 40000+32768", "Read h1 72768+17232" }));
    }

    [Test]
    public async Task Short_reads_in_the_middle_make_later_requests_smaller_and_later_files_stay_open()
    {
        var server = new FakeServer { MaxRead = 8192 };
        var state = new SftpServerState();
        server.Store.Files["/a"] = server.Store.Files["/b"] = SftpHarness.Bytes(100_000);
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(SftpHarness.Download("/a", server.Store.Files["/a"]));
        Assert.That(state.ShortReads);
        server.Requests.Clear();
        var item = await session.RunAsync(SftpHarness.Download("/b", server.Store.Files["/b"]));
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Seen().Count(line => line.StartsWith("Open ", StringComparison.Ordinal)), Is.EqualTo(1));
        Same.Bytes(item.Received(), server.Store.Files["/b"]);
    }

    [Test]
    public async Task Data_without_a_byte_is_a_clear_error_and_ends_nothing_else()
    {
        var server = new FakeServer();
        server.Store.Files["/a"] = [1, 2, 3];
        server.Instead = request => request.Type == SftpPacketType.Read ? FakeReply.Data(request.Id, []) : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Download("/a", [1, 2, 3]));
        Assert.That(item.Error().Error, Is.EqualTo(TransferError.Protocol));
        Assert.That(session.Usable);
    }

    [Test]
    public async Task An_end_before_the_size_is_an_integrity_error([Values] bool large)
    {
        var server = new FakeServer();
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(large ? 2_000_000 : 100_000);
        server.Instead = request =>
            request is { Type: SftpPacketType.Read, Offset: >= 64 * 1024 } ? FakeReply.Status(request.Id, SftpStatus.EndOfFile) : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Download("/a", bytes));
        Assert.That(item.Error().Error, Is.EqualTo(TransferError.Integrity));
    }

    [TestCase(SftpPacketType.Open, SftpStatus.NoSuchFile, TransferError.NotFound)]
    [TestCase(SftpPacketType.Open, SftpStatus.PermissionDenied, TransferError.Denied)]
    [TestCase(SftpPacketType.Open, SftpStatus.Failure, TransferError.Denied)]
    [TestCase(SftpPacketType.Read, SftpStatus.PermissionDenied, TransferError.Denied)]
    [TestCase(SftpPacketType.Read, SftpStatus.Failure, TransferError.Unknown)]
    [TestCase(SftpPacketType.Read, (SftpStatus)77, TransferError.Unknown)]
    public async Task A_refusal_is_the_files_error(object type, object status, TransferError error)
    {
        var server = new FakeServer();
        server.Store.Files["/a"] = SftpHarness.Bytes(100);
        server.Instead =
            request => request.Type == (SftpPacketType)type ? FakeReply.Status(request.Id, (SftpStatus)status, "so\u001b[31m sorry") : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Download("/a", new byte[100]));
        Assert.That(item.Error(), Has.Property("Error").EqualTo(error).And.Property("ServerCode").EqualTo((int)(SftpStatus)status));
        Assert.That(item.Error().Message, Does.Contain("so [31m sorry"), "control characters of a stranger");
        Assert.That(session.Usable);
    }

    [Test]
    public async Task A_sink_that_fails_costs_its_file_alone()
    {
        var server = new FakeServer();
        server.Store.Files["/a"] = SftpHarness.Bytes(3_000_000);
        server.Store.Files["/b"] = [1];
        await using var session = await server.OpenAsync();
        var bad = SftpHarness.Download("/a", server.Store.Files["/a"]);
        ((SftpHarness.Sink)bad.Content).Fault = new IOException("The disk is full.");
        var good = SftpHarness.Download("/b", [1]);
        await session.RunAsync(bad, good);
        Assert.That(bad.Error().Message, Does.Contain("The disk is full."));
        Assert.That(good.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        await Eventually.TrueAsync(() => server.Store.Open.Count == 0);
    }

    [TestCase(nameof(SftpPacketType.Open))]
    [TestCase(nameof(SftpPacketType.FStat))]
    [TestCase(nameof(SftpPacketType.Read))]
    public async Task A_file_over_which_the_server_falls_silent_counts_as_tried_and_those_behind_do_not(string silent)
    {
        var clock = new ManualTime();
        var server = new FakeServer();
        server.Store.Files["/pipe"] = server.Store.Files["/a"] = [1];
        await using var session = await server.OpenAsync(new SftpOptions { TimeProvider = clock, IdleTimeout = TimeSpan.FromSeconds(60) });
        var isSilent = false;
        server.Instead = request => (isSilent |= request.Type.ToString() == silent) ? [] : null;
        var (pipe, other) = (SftpHarness.Download("/pipe", [1]), SftpHarness.Download("/a", [1]));
        var run = session.RunAsync(pipe, other);
        await Eventually.TrueAsync(() => isSilent && server.RequestCount >= 4);
        clock.Advance(TimeSpan.FromSeconds(59));
        clock.Advance(TimeSpan.FromSeconds(2));
        await run;
        Assert.That(pipe.Outcome, Is.TypeOf<WorkOutcome.InDoubt>());
        Assert.That(pipe.Error().Error, Is.EqualTo(TransferError.Timeout));
        Assert.That(other.Outcome, Is.TypeOf<WorkOutcome.Untouched>());
    }

    [TestCase(1_700_000_000u, 2_000_000, true)]
    [TestCase(1_700_000_001u, 2_000_000, false)]
    [TestCase(1_700_000_001u, 1_999_999, false)]
    [TestCase(1_700_000_001u, 2_000_001, true)]
    public async Task A_file_that_is_opened_again_for_its_rest_must_be_the_first_one(uint modified, int length, bool isDone)
    {
        var server = new FakeServer();
        var bytes = server.Store.Files["/a"] = SftpHarness.Bytes(2_000_000);
        var looks = 0;
        server.Instead = request => request.Type == SftpPacketType.FStat && ++looks == 2
            ? FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, length, 0x81A4, modified)) : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Download("/a", new byte[10]));
        Assert.That(server.Seen().Count(line => line.StartsWith("Open ", StringComparison.Ordinal)), Is.EqualTo(2));
        if (isDone)
        {
            // The engine compares a file that has grown.
            Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(bytes.Length, VerificationMode.Size)
            {
                Source = length > bytes.Length ? new FileStamp(length, DateTimeOffset.FromUnixTimeSeconds(modified)) : null,
            }));
            return;
        }
        Assert.That((item.Error().Error, item.Error().IsTransient), Is.EqualTo((TransferError.Integrity, true)));
    }

    [Test]
    public async Task Many_small_files_come_together()
    {
        var server = new FakeServer();
        var items = new List<TestItem>();
        for (var i = 0; i < 600; i++)
        {
            server.Store.Files[$"/f{i}"] = SftpHarness.Bytes(i * 3, i);
            items.Add(SftpHarness.Download($"/f{i}", i % 2 == 0 ? server.Store.Files[$"/f{i}"] : null));
        }
        await using var session = await server.OpenAsync();
        await session.RunAsync([.. items]);
        for (var i = 0; i < items.Count; i++)
        {
            Assert.That(items[i].Outcome, Is.EqualTo(new WorkOutcome.Done(i * 3, VerificationMode.Size)));
            Same.Bytes(items[i].Received(), server.Store.Files[$"/f{i}"]);
        }
    }
}
