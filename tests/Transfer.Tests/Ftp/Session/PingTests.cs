using Transfer.Ftp;

namespace Transfer.Tests.Ftp.Session;

public sealed class PingTests
{
    [Test]
    public async Task A_ping_asks_the_server_each_time_and_a_refusal_is_an_answer()
    {
        await using var ftp = await FtpHarness.StartAsync();
        for (var i = 1; i <= 3; i++)
        {
            await ftp.Client.PingAsync();
            Assert.That(ftp.Work.Count, Is.GreaterThanOrEqualTo(i));
        }
        ftp.Server.Faults.Reply(ftp.Work[^1].Verb, "550 no", times: 10);
        await ftp.Client.PingAsync();
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task A_session_that_was_lost_while_it_was_idle_is_replaced()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await ftp.Client.PingAsync();
        ftp.Server.Faults.DropConnection(ftp.Work[^1].Verb);
        await ftp.Client.PingAsync();
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(2));
    }

    [Test]
    public async Task A_server_that_is_gone_is_told_of()
    {
        var ftp = await FtpHarness.StartAsync();
        await using var client = new FtpTransferClient(ftp.Server.Uri,
            FtpHarness.Options with { Retry = new RetryOptions { Attempts = 1 } });
        await client.PingAsync();
        await ftp.DisposeAsync();
        await FtpHarness.FailsAsync(() => client.PingAsync().AsTask());
    }
}
