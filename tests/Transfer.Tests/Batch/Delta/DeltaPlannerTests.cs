using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Tests.Batch.Delta;

/// <summary>What stands between walk and plan, when one of both ends before its time.</summary>
public sealed class DeltaPlannerTests
{
    [Test]
    public async Task Why_the_walk_ended_is_told_and_not_that_the_questions_were_given_up()
    {
        using var folder = new TempFolder();
        var inquiry = new NeverAnswered();
        using var planner = new DeltaPlanner(new LocalTreeReader(folder.Path, NullLogger.Instance), inquiry, new BatchPackOptions());
        await using var planned = planner.PlanAsync(Broken(inquiry.Asked), default).GetAsyncEnumerator();
        Assert.That(
            async () => await planned.MoveNextAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30)),
            Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Denied));
    }

    private static async IAsyncEnumerable<PackItem> Broken(Task asked, [EnumeratorCancellation] CancellationToken ct = default)
    {
        yield return new PackItem { Path = "a", Type = TarEntryType.File, Length = 100_000 };
        await asked.WaitAsync(ct);
        throw new TransferException(TransferError.Denied, "The folder can't be read.");
    }

    private sealed class NeverAnswered : IBaseInquiry
    {
        private readonly TaskCompletionSource _asked = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Asked => _asked.Task;

        public ValueTask<bool> IsWorthwhileAsync(CancellationToken ct) => ValueTask.FromResult(true);

        public async ValueTask<BaseAnswer> AskAsync(string path, long length, long modified, CancellationToken ct)
        {
            _asked.SetResult();
            await Task.Delay(Timeout.Infinite, ct);
            return default;
        }
    }
}
