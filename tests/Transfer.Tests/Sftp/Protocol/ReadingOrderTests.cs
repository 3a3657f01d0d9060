using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>READDIRs at servers that run requests at once: names are lost or doubled where several are under way.</summary>
public sealed class ReadingOrderTests
{
    private const string Unknown = "SSH-2.0-XServ_1.0";

    private readonly Lock _gate = new();

    // Each READDIR that comes before the reply to the one before gets the end, behind that reply: nothing shows that names are missing.
    [TestCase(Unknown, false)]
    [TestCase(null, false)]
    [TestCase("SSH-2.0-OpenSSH_9.9", true)]
    public async Task Names_are_not_lost_where_only_one_READDIR_at_a_time_is_answered(string? software, bool isForced)
    {
        var (server, parts, late) = (new FakeServer(), new Queue<string>(["a", "b", "c"]), new List<byte[]>());
        var isBusy = false;
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.ReadDir) return null;
            lock (_gate)
            {
                var end = FakeReply.Status(request.Id, SftpStatus.EndOfFile);
                if (isBusy) late.Add(end);
                if (isBusy) return [];
                if (!parts.TryDequeue(out var name)) return end;
                isBusy = true;
                late.Add(Names(request, name));
            }
            _ = Task.Run(async () =>
            {
                await Task.Delay(50);
                byte[] replies;
                lock (_gate)
                {
                    replies = [.. late.SelectMany(reply => reply)];
                    late.Clear();
                    isBusy = false;
                }
                await server.SendAsync(replies);
            });
            return [];
        };
        var state = new SftpServerState { Traits = SftpHarness.Usual(new() { AwaitsReplies = isForced }) };
        await using var session = await server.OpenAsync(state: state, software: software!);
        var report = new ListingReport();
        Assert.That(await ListAsync(session, report), Is.EqualTo(new[] { "a", "b", "c" }));
        Assert.That(report.Verdict, Is.EqualTo(ListingVerdict.Complete));
    }

    [Test]
    public async Task A_server_that_is_known_to_read_in_turn_gets_several_READDIRs_at_once()
    {
        var (server, reads) = (new FakeServer(), new List<byte[]>());
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.ReadDir) return null;
            reads.Add(reads.Count == 0 ? Names(request, "a") : FakeReply.Status(request.Id, SftpStatus.EndOfFile));
            return reads.Count < 4 ? [] : reads.Count == 4 ? [.. reads.SelectMany(reply => reply)] : reads[^1];
        };
        await using var session = await server.OpenAsync(software: "SSH-2.0-OpenSSH_9.9");
        Assert.That(await ListAsync(session, new ListingReport()).Soon(), Is.EqualTo(new[] { "a" }));
    }

    [Test]
    public async Task Where_replies_come_out_of_order_all_the_same_the_listing_is_partial()
    {
        var server = new FakeServer();
        FakeRequest? held = null;
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.ReadDir) return null;
            held ??= request;
            if (held == request) return [];
            var end = FakeReply.Status(request.Id, SftpStatus.EndOfFile);
            if (server.Seen().Count(line => line.StartsWith("ReadDir", StringComparison.Ordinal)) > 2) return end;
            return [.. end, .. Names(held, "a")];
        };
        await using var session = await server.OpenAsync(software: "SSH-2.0-OpenSSH_9.9");
        var report = new ListingReport();
        Assert.That(await ListAsync(session, report), Is.EqualTo(new[] { "a" }));
        Assert.That((report.Verdict, report.Reason), Is.EqualTo((ListingVerdict.Partial, "the server answers out of order")));
    }

    [TestCase(3, ListingVerdict.Complete)]
    [TestCase(4, ListingVerdict.Partial)]
    public async Task A_few_replies_without_names_are_no_end(int empty, object verdict)
    {
        var (server, reads) = (new FakeServer(), 0);
        server.Instead = request => request.Type != SftpPacketType.ReadDir ? null
            : ++reads > empty + 1 ? FakeReply.Status(request.Id, SftpStatus.EndOfFile)
            : reads == empty + 1 ? Names(request, "a")
            : FakeReply.Packet(SftpPacketType.Name, request.Id, fields => fields.WriteUInt32(0));
        await using var session = await server.OpenAsync(software: Unknown);
        var report = new ListingReport();
        await ListAsync(session, report);
        Assert.That((report.Verdict, reads), Is.EqualTo(((ListingVerdict)verdict, empty == 3 ? 5 : 4)));
    }

    private static byte[] Names(FakeRequest request, string name) =>
        FakeReply.Packet(SftpPacketType.Name, request.Id, fields => FakeStore.WriteName(fields, name, 0x81A4, 1));

    private static async Task<List<string>> ListAsync(SftpSession session, ListingReport report) =>
        await session.ListAsync("/", report, CancellationToken.None).Select(entry => entry.Name).ToListAsync().AsTask().Soon();
}
