using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>
/// Takes the items of a job by the names that messages have for them, and holds back failures that may be none. From any thread.
/// </summary>
/// <param name="report">Gets the items, but for those held back.</param>
/// <param name="describe">Gives what messages call a path.</param>
/// <param name="isHeldBack">Tells whether a failure is held back; null: none is.</param>
internal sealed class NamedItems(JobReport report, Func<string, string> describe, Func<TransferException, bool>? isHeldBack = null)
{
    private readonly Lock _gate = new();
    private readonly List<ItemResult> _heldBack = [];

    /// <summary>The items, but for those held back.</summary>
    public JobReport Report => report;

    /// <summary>Failures that may be none, by their own paths.</summary>
    public IReadOnlyList<ItemResult> HeldBack
    {
        get
        {
            lock (_gate) return [.. _heldBack];
        }
    }

    /// <summary>The job's result without what is held back, and with the names of messages.</summary>
    public JobResult Of(JobResult result) => result with
    {
        Failed = result.Failed - HeldBack.Count,
        Failures = [.. result.Failures.Where(item => !IsHeldBack(item)).Select(Named)],
    };

    /// <summary>What was held back is a failure after all.</summary>
    public void LetGo()
    {
        lock (_gate)
        {
            foreach (var item in _heldBack) Report.Report(Named(item));
            _heldBack.Clear();
        }
    }

    /// <summary>Takes an item as it ends.</summary>
    public void Take(ItemResult value)
    {
        if (!IsHeldBack(value))
        {
            Report.Report(Named(value));
            return;
        }

        lock (_gate) _heldBack.Add(value);
    }

    private bool IsHeldBack(ItemResult item) => item.Error is { } error && isHeldBack?.Invoke(error) == true;

    private ItemResult Named(ItemResult item) => item with { Path = describe(item.Path) };
}
