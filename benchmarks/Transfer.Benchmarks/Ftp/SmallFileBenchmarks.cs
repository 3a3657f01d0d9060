using Transfer.Benchmarks.Columns;

namespace Transfer.Benchmarks.Ftp;

/// <summary>100 files of 10 KB: the work a file makes.</summary>
[Moves(Count * (long)Size, PieceSize = Size)]
public class SmallFileBenchmarks : FtpFileBenchmarks
{
    private const int Count = 100;
    private const int Size = 10_000;

    protected override int Files => Count;

    protected override int FileSize => Size;
}
