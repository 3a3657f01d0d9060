using System.Collections.Concurrent;
using System.Globalization;
using System.Text;

namespace Transfer.Tests.Faults;

/// <summary>The runs of all matrices, counted for docs/reports/faults.md. TRANSFER_FAULT_REPORT names a file for the table.</summary>
internal static class MatrixCounts
{
    private static readonly ConcurrentDictionary<(string Side, string Operation), (int Runs, int Done, int Failed)> Counts = new();
    private static readonly Lock Writing = new();

    /// <summary>
    /// TRANSFER_FAULT_MATRIX=all asks for every occurrence of a step and every fault, else the first and the last occurrence are taken.
    /// </summary>
    public static bool IsWhole => Environment.GetEnvironmentVariable("TRANSFER_FAULT_MATRIX") == "all";

    public static void Add(string side, string operation, bool isDone) =>
        Counts.AddOrUpdate((side, operation), (1, isDone ? 1 : 0, isDone ? 0 : 1),
            (_, c) => (c.Runs + 1, c.Done + (isDone ? 1 : 0), c.Failed + (isDone ? 0 : 1)));

    public static IEnumerable<int> Occurrences(int count) => IsWhole ? Enumerable.Range(0, count) : new[] { 0, count - 1 }.Distinct();

    /// <summary>Writes what was counted so far, by whichever fixture.</summary>
    public static void Report()
    {
        if (Environment.GetEnvironmentVariable("TRANSFER_FAULT_REPORT") is not { Length: > 0 } path) return;
        var text = new StringBuilder("| side | operation | runs | succeeded | failed | lost |\n|---|---|---:|---:|---:|---:|\n");
        lock (Writing)
        {
            foreach (var ((side, operation), (runs, done, failed)) in Counts.OrderBy(count => count.Key))
                text.Append(CultureInfo.InvariantCulture, $"| {side} | {operation} | {runs} | {done} | {failed} | 0 |\n");
            text.Append(CultureInfo.InvariantCulture,
                $"| all | | {Counts.Values.Sum(c => c.Runs)} | {Counts.Values.Sum(c => c.Done)} | "
                + $"{Counts.Values.Sum(c => c.Failed)} | 0 |\n");
            File.WriteAllText(path, text.ToString());
        }
    }
}
