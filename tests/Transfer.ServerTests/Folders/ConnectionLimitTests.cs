using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Folders;

/// <summary>The server allows three connections an address, the client would like eight.</summary>
[Parallelizable]
[TestFixtureSource(nameof(Limited))]
public sealed class ConnectionLimitTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int Allowed = 3;

    protected override bool OwnServer => true;

    public static IEnumerable<TestFixtureData> Limited => Fixtures.PlainFtp.Select(data =>
        new TestFixtureData(data.Arguments[0]!, ServerVariant.Plain with { Name = "Limited", ConnectionsPerAddress = Allowed }));

    [Test]
    public async Task A_folder_goes_through_with_the_sessions_that_are_allowed()
    {
        var source = Path.Combine(Scratch, "source");
        var target = Path.Combine(Scratch, "target");
        TestTree.Write(source, files: 200);
        await using var client = Client(options => options with { MaxSessions = 8 });
        await ConnectAsync(client);

        var up = await client.UploadDirectoryAsync(source, Remote + "/tree");
        var down = await client.DownloadDirectoryAsync(Remote + "/tree", target);

        Assert.That((up.Files, up.Failed, down.Files, down.Failed), Is.EqualTo((200L, 0L, 200L, 0L)));
        Assert.That(TestTree.Differences(source, target, ListedPrecision), Is.Empty);
        Assert.That(up.Sessions, Is.InRange(1, Allowed));
        Assert.That(down.Sessions, Is.InRange(1, Allowed));
    }

    [Test]
    public async Task With_every_connection_taken_the_error_is_clear()
    {
        await using var first = Client(options => options with { MaxSessions = 1 });
        await using var second = Client(options => options with { MaxSessions = 1 });
        await using var third = Client(options => options with { MaxSessions = 1 });
        await using var fourth = Client(options => options with { MaxSessions = 1 });
        foreach (var client in new[] { first, second, third }) await ConnectAsync(client);

        var error = (await Assert.CatchAsync<TransferException>(async () => await fourth.ConnectAsync()))!;

        Assert.That(error.ServerCode, Is.EqualTo(421).Or.EqualTo(530));
        Assert.That(error.Error, Is.Not.EqualTo(TransferError.Protocol), error.ToString());
    }

    /// <summary>The test before has closed its sessions, and the server counts each until its process is gone.</summary>
    private static async Task ConnectAsync(TransferClient client)
    {
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        while (true)
        {
            try
            {
                await client.ConnectAsync(limit.Token);
                return;
            }
            catch (TransferException e) when (e.ServerCode is 421 or 530)
            {
                await Task.Delay(50, limit.Token);
            }
        }
    }
}
