using BenchmarkDotNet.Reports;

namespace Transfer.Benchmarks.Columns;

/// <summary>Bytes moved in the mean time, in 10^6 bytes a second.</summary>
internal sealed class ThroughputColumn : MovedColumn
{
    private const double NanosecondsPerSecond = 1e9;

    public override string ColumnName => "MB/s";

    public override string Legend => "10^6 bytes a second, by the mean time";

    protected override bool Applies(MovesAttribute work) => true;

    protected override double Value(MovesAttribute work, BenchmarkReport report) =>
        work.Bytes / 1e6 / (report.ResultStatistics!.Mean / NanosecondsPerSecond);
}
