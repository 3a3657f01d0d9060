using System.Security.Authentication;
using Transfer.Dialing;
using Transfer.TestSupport.Network;
using Transfer.Tests.Ftp.Protocol;

namespace Transfer.Tests.Dialing;

[CancelAfter(30_000)]
internal sealed class TlsTransportStreamTests
{
    [Test]
    public async Task While_it_is_held_no_byte_reaches_the_reader(CancellationToken ct)
    {
        var (near, far) = MemoryLink.Create();
        await using var stream = new TlsTransportStream(near);
        var read = stream.ReadAsync(new byte[10], ct).AsTask();
        Assert.That(stream.TryHoldReads(), Is.True);
        Assert.That(stream.TryHoldReads(), Is.False, "one at a time");
        await far.WriteAsync("abc"u8.ToArray(), ct);
        await Task.Delay(20, ct);
        Assert.That(read.IsCompleted, Is.False);
        stream.ReleaseReads();
        Assert.That(await read, Is.EqualTo(3));
    }

    [Test]
    public async Task It_cannot_be_held_while_what_came_is_worked_on(CancellationToken ct)
    {
        var (near, far) = MemoryLink.Create();
        await using var stream = new TlsTransportStream(near);
        Assert.That(stream.TryHoldReads(), Is.False, "nobody reads yet");
        await far.WriteAsync("abc"u8.ToArray(), ct);
        Assert.That(await stream.ReadAsync(new byte[10], ct), Is.EqualTo(3));
        Assert.That(stream.TryHoldReads(), Is.False, "the reader has not come back");
        var next = stream.ReadAsync(new byte[10], ct).AsTask();
        Assert.That(stream.TryHoldReads(), Is.True);
        stream.ReleaseReads();
        await far.DisposeAsync();
        Assert.That(await next, Is.Zero);
    }

    [Test]
    public async Task A_connection_may_be_closed_while_its_session_tickets_come()
    {
        // What goes wrong here ends the process, now and then.
        using var certificate = TestCertificate.Create();
        for (var i = 0; i < 200; i++)
        {
            await using var h = await ControlTlsTests.OpenAsync(t => t with { AcceptAnyCertificate = true, Enabled = SslProtocols.Tls13 });
            await using var server = await h.StartTlsAsync(certificate);
        }
    }
}
