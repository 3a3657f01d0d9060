using Transfer.Wan.Link;
using Transfer.Wan.Runs;

namespace Transfer.Wan.Tests.Scenarios;

/// <summary>What is read of the kernel's tables.</summary>
internal sealed class MemoryWatchTests
{
    [TestCase("4711 (transfer) S 42 4711 4711 0 -1", 42)]
    [TestCase("4711 (a ) (b) S 42 4711", 42)]
    [TestCase("4711 (x) S", 0)]
    [TestCase("", 0)]
    public void A_parent_stands_behind_the_name_whatever_that_is(string line, int parent) =>
        Assert.That(MemoryWatch.ParentOf(line), Is.EqualTo(parent));

    [TestCase("Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t   1234 kB\nVmRSS:\t 1000 kB\n", 1234 * 1024)]
    [TestCase("Name:\tx\nState:\tZ (zombie)\n", 0)]
    [TestCase("VmHWM:", 0)]
    [TestCase("", 0)]
    public void The_most_is_the_high_water_mark(string status, long bytes) => Assert.That(MemoryWatch.MostOf(status), Is.EqualTo(bytes));

    [Test]
    [Platform("Linux")]
    public async Task A_program_that_runs_is_seen()
    {
        await using var watch = new MemoryWatch(Environment.ProcessId, frames: 0);
        Assert.That(() => watch.Peak, Is.GreaterThan(1_000_000).After(20_000, 20));
    }

    [Test]
    public async Task One_that_is_not_there_has_no_memory()
    {
        await using var watch = new MemoryWatch(int.MaxValue, frames: 0);
        Assert.That(watch.Peak, Is.Null);
    }

    [Test]
    public void Traffic_is_that_of_its_device()
    {
        string[] lines =
        [
            "Inter-|   Receive                                                |  Transmit",
            " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed",
            "    lo:       1       2    3    4    5     6          7         8        9      10   11   12   13    14      15         16",
            "  wan0: 1000000     900    0    0    0     0          0         0  2000000    1800    0    0    0     0       0          0",
        ];
        Assert.That(LinkTraffic.Of("wan0", lines), Is.EqualTo(new LinkTraffic(Sent: 2_000_000, Received: 1_000_000)));
        Assert.That(LinkTraffic.Of("wan0", lines) - new LinkTraffic(500_000, 1), Is.EqualTo(new LinkTraffic(1_500_000, 999_999)));
        Assert.That(() => LinkTraffic.Of("wan", lines), Throws.InstanceOf<FormatException>());
    }
}
