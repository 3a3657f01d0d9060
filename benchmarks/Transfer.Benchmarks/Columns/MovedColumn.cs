using System.Globalization;
using System.Reflection;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace Transfer.Benchmarks.Columns;

/// <summary>A column worked out from what an invocation moves; absent where no suite says so.</summary>
internal abstract class MovedColumn : IColumn
{
    private const string None = "-";

    public string Id => ColumnName;

    public abstract string ColumnName { get; }

    public abstract string Legend { get; }

    public bool AlwaysShow => false;

    public ColumnCategory Category => ColumnCategory.Custom;

    public int PriorityInCategory => 0;

    public bool IsNumeric => true;

    public UnitType UnitType => UnitType.Dimensionless;

    public bool IsAvailable(Summary summary) => summary.BenchmarksCases.Any(benchmark => Work(benchmark) is { } work && Applies(work));

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase) => GetValue(summary, benchmarkCase, summary.Style);

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style)
    {
        if (Work(benchmarkCase) is not { } work || !Applies(work) || summary[benchmarkCase] is not { ResultStatistics: not null } report)
            return None;
        return Value(work, report).ToString("N1", CultureInfo.InvariantCulture);
    }

    protected abstract bool Applies(MovesAttribute work);

    protected abstract double Value(MovesAttribute work, BenchmarkReport report);

    private static MovesAttribute? Work(BenchmarkCase benchmark) =>
        benchmark.Descriptor.WorkloadMethod.GetCustomAttribute<MovesAttribute>()
            ?? benchmark.Descriptor.Type.GetCustomAttribute<MovesAttribute>();
}
