using Transfer.Dialing;

namespace Transfer.Tests.Dialing;

public sealed class NetworkLimitsTests
{
    private string _proc = null!;

    [SetUp]
    public void SetUp() => _proc = Directory.CreateTempSubdirectory("transfer-limits-").FullName;

    [TearDown]
    public void TearDown() => Directory.Delete(_proc, recursive: true);

    [Test]
    public void The_limits_are_the_third_numbers_and_the_maxima()
    {
        Write("sys/net/ipv4/tcp_wmem", "4096\t16384\t4194304\n");
        Write("sys/net/ipv4/tcp_rmem", "4096 131072 6291456\n");
        Write("sys/net/core/wmem_max", "212992\n");
        Write("sys/net/core/rmem_max", "212993\n");

        var limits = NetworkLimits.Read(_proc);
        Assert.That(limits.Platform, Is.EqualTo(BufferPlatform.Linux));
        Assert.That(limits.Send, Is.EqualTo(new BufferLimits(4194304, 212992)));
        Assert.That(limits.Receive, Is.EqualTo(new BufferLimits(6291456, 212993)));
    }

    [Test]
    public void What_is_missing_or_odd_is_not_known()
    {
        Write("sys/net/ipv4/tcp_wmem", "4096 16384");
        Write("sys/net/core/wmem_max", "much\n");

        var limits = NetworkLimits.Read(_proc);
        Assert.That(limits.Send, Is.EqualTo(default(BufferLimits)));
        Assert.That(limits.Receive, Is.EqualTo(default(BufferLimits)));
        Assert.That(limits.CongestionControls, Is.Empty);
    }

    // Bit 12 of the effective capabilities is CAP_NET_ADMIN.
    [TestCase("0000000000001000", "reno cubic bbr")]
    [TestCase("000001ffffffffff", "reno cubic bbr")]
    [TestCase("00000000a80425fb", "reno bbr")]
    [TestCase("000001ffffffefff", "reno bbr")]
    public void Who_administers_the_network_may_set_every_congestion_control(string effective, string expected)
    {
        Write("self/status", $"Name:\tx\nCapPrm:\t0000000000001000\nCapEff:\t{effective}\nCapBnd:\t000001ffffffffff\n");
        Write("sys/net/ipv4/tcp_available_congestion_control", "reno cubic bbr\n");
        Write("sys/net/ipv4/tcp_allowed_congestion_control", "reno bbr\n");
        Assert.That(NetworkLimits.Read(_proc).CongestionControls, Is.EqualTo(expected.Split(' ')));
    }

    [Test]
    public void Without_proc_it_is_another_system() =>
        Assert.That(NetworkLimits.Read(null).Platform, Is.Not.EqualTo(BufferPlatform.Linux));

    [Test]
    public void This_system_is_the_one_it_is() =>
        Assert.That(NetworkLimits.Current.Platform == BufferPlatform.Linux, Is.EqualTo(OperatingSystem.IsLinux()));

    private void Write(string name, string text)
    {
        var path = Path.Combine(_proc, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }
}
