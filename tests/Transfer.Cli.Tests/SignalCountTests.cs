using System.Runtime.InteropServices;

namespace Transfer.Cli.Tests;

public sealed class SignalCountTests
{
    [Test]
    public void A_signal_that_comes_twice_at_once_counts_once()
    {
        var time = new ManualTime();
        var signals = new SignalCount(time);
        Assert.That((signals.Add(PosixSignal.SIGTERM), signals.Add(PosixSignal.SIGTERM)), Is.EqualTo((1, 0)));
        time.Advance(TimeSpan.FromSeconds(0.4));
        Assert.That(signals.Add(PosixSignal.SIGTERM), Is.Zero);
        time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.That(signals.Add(PosixSignal.SIGTERM), Is.EqualTo(2), "half a second after the one that counted");
    }

    [Test]
    public void Another_signal_counts_at_once_and_so_does_one_behind_a_new_beginning()
    {
        var signals = new SignalCount(new ManualTime());
        Assert.That((signals.Add(PosixSignal.SIGHUP), signals.Add(PosixSignal.SIGTERM)), Is.EqualTo((1, 2)));
        signals.Reset();
        Assert.That(signals.Add(PosixSignal.SIGTERM), Is.EqualTo(1));
    }
}
