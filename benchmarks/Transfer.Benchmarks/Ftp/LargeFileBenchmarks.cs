using Transfer.Benchmarks.Columns;

namespace Transfer.Benchmarks.Ftp;

/// <summary>8 files of 16 MiB: the work a byte makes.</summary>
[Moves(Count * (long)Size, PieceSize = Size)]
public class LargeFileBenchmarks : FtpFileBenchmarks
{
    private const int Count = 8;
    private const int Size = 16 << 20;

    protected override int Files => Count;

    protected override int FileSize => Size;
}
