using Transfer.Dialing;

namespace Transfer.Tests.Dialing;

internal sealed class CongestionPolicyTests
{
    private static readonly NetworkLimits Linux = new() { Platform = BufferPlatform.Linux, CongestionControls = ["reno", "cubic", "bbr"] };
    private static readonly TimeSpan Long = TimeSpan.FromMilliseconds(100);

    [Test]
    public void Auto_takes_bbr_for_much_that_is_sent_over_a_long_path()
    {
        var decision = CongestionPolicy.Decide(CongestionControl.Auto, Linux, sends: true, Long);
        Assert.That(decision.Name, Is.EqualTo("bbr"));
        Assert.That(decision.Required, Is.False);
    }

    [TestCase(false, 100.0)]
    [TestCase(true, 9.9)]
    [TestCase(true, null)]
    public void Auto_leaves_little_that_is_sent_and_short_or_unknown_paths_alone(bool sends, double? milliseconds) =>
        Assert.That(CongestionPolicy.Decide(CongestionControl.Auto, Linux, sends,
            milliseconds is { } ms ? TimeSpan.FromMilliseconds(ms) : null).Name, Is.Null);

    [Test]
    public void Auto_takes_nothing_the_system_does_not_allow() =>
        Assert.That(CongestionPolicy.Decide(CongestionControl.Auto, Linux with { CongestionControls = ["reno", "cubic"] }, true, Long).Name,
            Is.Null);

    [Test]
    public void A_name_is_taken_whatever_the_path_and_must_be_had()
    {
        var decision = CongestionPolicy.Decide(CongestionControl.Named("reno"), Linux, sends: false, null);
        Assert.That(decision.Name, Is.EqualTo("reno"));
        Assert.That(decision.Required);
    }

    [Test]
    public void The_systems_default_is_left_alone() =>
        Assert.That(CongestionPolicy.Decide(CongestionControl.Default, Linux, true, Long).Name, Is.Null);

    [TestCase(BufferPlatform.Windows)]
    [TestCase(BufferPlatform.Other)]
    public void Elsewhere_it_has_no_effect(BufferPlatform platform) =>
        Assert.That(CongestionPolicy.Decide(CongestionControl.Named("bbr"), Linux with { Platform = platform }, true, Long).Name, Is.Null);
}
