using BenchmarkDotNet.Reports;

namespace Transfer.Benchmarks.Columns;

/// <summary>What the whole process allocates for one packet or file, in bytes.</summary>
internal sealed class AllocatedPerPieceColumn : MovedColumn
{
    public override string ColumnName => "B/piece";

    public override string Legend => "bytes allocated for one packet or file, by the whole process: a server in the same process included";

    protected override bool Applies(MovesAttribute work) => work.PieceSize > 0 || work.PieceParameter is not null;

    protected override double Value(MovesAttribute work, BenchmarkReport report)
    {
        var piece = work.PieceParameter is { } name ? (int)report.BenchmarkCase.Parameters[name] : work.PieceSize;
        var allocated = report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) ?? 0;
        return allocated / (work.Bytes / (double)piece);
    }
}
