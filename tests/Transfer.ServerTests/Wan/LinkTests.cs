extern alias wan;

using System.Net;
using System.Net.Sockets;
using wan::Transfer.Wan.Link;
using wan::Transfer.Wan.Link.Probes;
using wan::Transfer.Wan.Link.Tun;
using wan::Transfer.Wan.Records;

namespace Transfer.ServerTests.Wan;

/// <summary>
/// The emulated link as it really is: two namespaces and what passes between them. The machine is busy with other tests, which only ever
/// makes a link
/// worse than it is: each figure may be taken again a few times.
/// </summary>
[NonParallelizable]
public sealed class LinkTests
{
    private const int Tries = 5;
    private static readonly TimeSpan Quiet = TimeSpan.FromMilliseconds(200);

    private static TunLink Make(LinkShape shape) => TunLink.Create(LinkSettings.For(shape), seed: 1);

    private static async Task<double> MeasureAsync(double asked, Func<Task<double>> measure)
    {
        double given = 0;
        for (var i = 0; i < Tries; i++)
        {
            given = await measure();
            if (Math.Abs(given - asked) <= asked / 10) break;
        }

        return given;
    }

    [Test]
    public async Task It_delays_as_asked_each_way()
    {
        await using var link = Make(new LinkShape { RoundTrip = 40, Rate = 100 });
        var up = await MeasureAsync(20, async () => (await DelayProbe.MeasureAsync(link.Near, link.Far, 0, Quiet)).Min());
        var down = await MeasureAsync(20, async () => (await DelayProbe.MeasureAsync(link.Far, link.Near, 0, Quiet)).Min());
        Assert.That((up, down), Is.EqualTo((20.0, 20.0)).Within(10).Percent);
    }

    [Test]
    public async Task It_passes_the_rate_that_is_asked_each_way()
    {
        await using var link = Make(new LinkShape { RoundTrip = 10, Rate = 100 });
        var up = await MeasureAsync(100, () => DatagramRateProbe.MeasureAsync(link.Near, link.Far, 100, TimeSpan.FromSeconds(1), Quiet));
        var down = await MeasureAsync(100, () => DatagramRateProbe.MeasureAsync(link.Far, link.Near, 100, TimeSpan.FromSeconds(1), Quiet));
        Assert.That((up, down), Is.EqualTo((100.0, 100.0)).Within(10).Percent);
    }

    [Test]
    public async Task It_loses_the_share_that_is_asked()
    {
        await using var link = Make(new LinkShape { RoundTrip = 2, Rate = 1000, Loss = 0.02 });
        var loss = await MeasureAsync(0.02, () => LossProbe.MeasureAsync(link.Near, link.Far, 40_000, 1000, Quiet));
        Assert.That(loss, Is.EqualTo(0.02).Within(10).Percent);
    }

    [Test]
    public async Task It_takes_another_shape_while_it_is_up()
    {
        await using var link = Make(new LinkShape { RoundTrip = 2, Rate = 100 });
        await link.ReshapeAsync(LinkSettings.For(new LinkShape { RoundTrip = 60, Rate = 100 }));
        var delay = await MeasureAsync(30, async () => (await DelayProbe.MeasureAsync(link.Near, link.Far, 0, Quiet)).Min());
        Assert.That(delay, Is.EqualTo(30).Within(10).Percent);
    }

    [Test]
    public async Task TCP_gets_every_byte_through_losses_out_of_its_super_packets()
    {
        await using var link = Make(new LinkShape { RoundTrip = 2, Rate = 2000, Loss = 0.01 });
        var sent = new byte[8 << 20];
        new Random(3).NextBytes(sent);
        using var listener = link.Far.Inside(() => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        listener.Bind(new IPEndPoint(link.Far.Address, 0));
        listener.Listen();
        using var near = link.Near.Inside(() => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        await near.ConnectAsync(listener.LocalEndPoint!, limit.Token);
        using var far = await listener.AcceptAsync(limit.Token);
        var received = new byte[sent.Length];
        var receiving = new NetworkStream(far).ReadExactlyAsync(received, limit.Token).AsTask();
        await new NetworkStream(near).WriteAsync(sent, limit.Token);
        await receiving;
        Assert.That(received.AsSpan().SequenceEqual(sent), Is.True);
        Assert.That((link.Refused, link.Packets < sent.Length / 1448), Is.EqualTo((0L, true)),
            "super-packets passed, and the kernel refused none");
    }
}
