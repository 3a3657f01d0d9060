using Transfer.Wan.Link;
using Transfer.Wan.Link.Netem;
using Transfer.Wan.Records;

namespace Transfer.Wan.Tests.Link;

public sealed class LinkNameTests
{
    [TestCase(100, 500, 0, 0, "100ms-500M")]
    [TestCase(0.5, 1000, 0.025, 0.002, "0.5ms-1000M-jitter0.025ms-loss0.2")]
    public void A_link_is_named_after_its_shape(double roundTrip, double rate, double jitter, double loss, string name) =>
        Assert.That(LinkNames.Of(new LinkShape { RoundTrip = roundTrip, Rate = rate, Jitter = jitter, Loss = loss }), Is.EqualTo(name));

    [Test]
    public void Netem_is_told_each_ways_half()
    {
        var shape = new LinkShape { RoundTrip = 100, Rate = 500, Jitter = 5, Loss = 0.002 };
        Assert.That(
            string.Join(' ', NetemLink.Discipline(LinkSettings.For(shape))),
            Is.EqualTo("root netem delay 50ms 5ms loss 0.2% rate 500mbit limit 6250"));
    }
}
