using Transfer.Diagnostics;

namespace Transfer.Tests.Engine;

/// <summary>The words of the log for what failed.</summary>
public sealed class LogReasonTests
{
    [Test]
    public void What_was_stopped_is_not_told_in_the_words_of_the_runtime()
    {
        Assert.That(LogReason.Of(new TaskCanceledException()), Is.EqualTo("stopped before an answer came"));
        Assert.That(LogReason.Of(new ObjectDisposedException("session")), Is.EqualTo("stopped before an answer came"));
        Assert.That(LogReason.Of(new TransferException(TransferError.Denied, "not allowed")), Is.EqualTo("not allowed"));
    }
}
