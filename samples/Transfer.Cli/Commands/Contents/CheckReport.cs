using System.Text.Json;
using Transfer.Cli.Output;

namespace Transfer.Cli.Commands.Contents;

/// <summary>Prints the differences of two folders and counts them.</summary>
internal sealed class CheckReport(Invocation invocation)
{
    private readonly bool _oneWay = invocation.Flag(invocation.Options.Contents.OneWay);
    private readonly long[] _counts = new long[Enum.GetValues<ComparisonOutcome>().Length];

    /// <summary>Prints what comes.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(IAsyncEnumerable<ComparedItem> items, CancellationToken ct)
    {
        await foreach (var item in items.WithCancellation(ct))
        {
            if (_oneWay && item.Outcome == ComparisonOutcome.Extra) continue;
            _counts[(int)item.Outcome]++;
            if (item.Outcome == ComparisonOutcome.Same) continue;
            if (item.Error is { } error) invocation.Messages.Error($"{item.Path}: {error.Message}");
            if (item.Error is null || invocation.Json) await invocation.Host.WriteLineAsync(Line(item), ct);
        }

        if (invocation.Json)
        {
            await invocation.Host.WriteLineAsync(
                JsonSerializer.Serialize(new CheckSummaryJson
                {
                    Same = Count(ComparisonOutcome.Same),
                    Missing = Count(ComparisonOutcome.Missing),
                    Extra = Count(ComparisonOutcome.Extra),
                    Different = Count(ComparisonOutcome.Different),
                    Failed = Count(ComparisonOutcome.Failed),
                }, EntryJsonContext.Default.CheckSummaryJson), ct);
        }

        invocation.Messages.Info(string.Join(", ", Enum.GetValues<ComparisonOutcome>()
            .Where(outcome => outcome == ComparisonOutcome.Same || Count(outcome) > 0)
            .Select(outcome => $"{Count(outcome)} {CheckJson.NameOf(outcome)}")));
        return _counts.Skip(1).All(count => count == 0) ? ExitCode.Done : ExitCode.SomeFailed;
    }

    private long Count(ComparisonOutcome outcome) => _counts[(int)outcome];

    private string Line(ComparedItem item)
    {
        if (invocation.Json) return JsonSerializer.Serialize(CheckJson.Of(item), EntryJsonContext.Default.CheckJson);
        var folder = item.Type == RemoteEntryType.Directory ? "/" : string.Empty;
        return $"{CheckJson.NameOf(item.Outcome)} {EntryTable.Name(item.Path, invocation.Host.OutputIsTerminal)}{folder}";
    }
}
