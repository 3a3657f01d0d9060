using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Servers that run requests at once, so that later ones overtake earlier ones.</summary>
public sealed class OrderTests
{
    [Test]
    public async Task A_file_whose_CLOSE_overtook_is_sent_again_and_from_then_on_each_step_waits_for_the_one_before()
    {
        var (server, state) = (new FakeServer(), State(SftpHarness.Usual()));
        FakeRequest? held = null;
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Write && request.Text == "h1")
            {
                held = request;
                return [];
            }
            // The handle is gone by then.
            return request.Type == SftpPacketType.Close && request.Text == "h1"
                ? [.. server.Store.Serve(request), .. FakeReply.Status(held!.Id, SftpStatus.Failure)] : null;
        };
        await using var session = await server.OpenAsync(state: state);
        var first = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3]));
        Assert.That(first.Error().IsTransient, first.Error().Message);
        Assert.That(state.Traits.Has(SftpTrait.Unordered));

        server.Instead = null;
        var second = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3]));
        Assert.That(second.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Store.Files["/a"], Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    [Test]
    public async Task Nothing_is_sent_behind_a_request_that_it_builds_upon([Values] bool isForced)
    {
        var (server, state) = (new FakeServer(), State(SftpHarness.Usual(isForced ? new() { AwaitsReplies = true } : null)));
        if (!isForced) state.Traits.Settle(SftpTrait.Unordered, has: true);
        await using var session = await server.OpenAsync(state: state);
        // The last reply to a WRITE is late: whatever did not wait would be among the requests by then.
        var (before, atLast, later) = (server.RequestCount, 0, 0);
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.Write || request.Offset < 98_304) return null;
            atLast = server.RequestCount;
            var reply = server.Store.Serve(request);
            _ = Task.Run(async () =>
            {
                await Task.Delay(100);
                later = server.RequestCount;
                await server.SendAsync(reply);
            });
            return [];
        };
        var item = await session.RunAsync(SftpHarness.Upload("/a", SftpHarness.Bytes(100_000)));
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That((later, server.Requests[before..].FindAll(request => request.StartsWith("Write", StringComparison.Ordinal)).Count),
            Is.EqualTo((atLast, 4)));
    }

    [Test]
    public async Task A_small_download_whose_CLOSE_overtook_is_fetched_again_with_its_handle_open_to_the_end()
    {
        var (server, state) = (new FakeServer(), State(SftpHarness.Usual()));
        server.Store.Files["/a"] = [1, 2, 3];
        FakeRequest? held = null;
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Read && request.Text == "h1")
            {
                held ??= request;
                return held == request ? [] : FakeReply.Status(request.Id, SftpStatus.Failure);
            }
            return request.Type == SftpPacketType.Close && request.Text == "h1"
                ? [.. server.Store.Serve(request), .. FakeReply.Status(held!.Id, SftpStatus.Failure)] : null;
        };
        await using var session = await server.OpenAsync(state: state);
        var first = await session.RunAsync(SftpHarness.Download("/a", [1, 2, 3]));
        Assert.That(first.Error().IsTransient, first.Error().Message);
        var second = await session.RunAsync(SftpHarness.Download("/a", [1, 2, 3]));
        Assert.That(second.Received(), Is.EqualTo(new byte[] { 1, 2, 3 }));
        await Eventually.IsAsync(() => server.Seen()[^1], "Close h2");
    }

    [Test]
    public async Task Replies_in_order_settle_nothing()
    {
        var (server, state) = (new FakeServer(), State(new SftpTraits()));
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(SftpHarness.Upload("/a", SftpHarness.Bytes(100_000)), SftpHarness.Upload("/b", [1]));
        Assert.That(state.Traits.Has(SftpTrait.Unordered), Is.False);
    }

    private static SftpServerState State(SftpTraits traits) =>
        new() { Umask = new SftpUmask((UnixFileMode)0b000_010_010), Traits = traits };
}
