using System.Formats.Tar;
using BenchmarkDotNet.Attributes;
using Transfer.Benchmarks.Columns;

namespace Transfer.Benchmarks.Batch;

/// <summary>2,000 files of 10 KB to archives that nobody takes, beside the tar of the libraries.</summary>
[Moves(ArchiveFiles.Count * (long)ArchiveFiles.Size, PieceSize = ArchiveFiles.Size)]
public class PackBenchmarks
{
    private ArchiveFiles _files = null!;

    [GlobalSetup]
    public void SetUp() => _files = new ArchiveFiles();

    [GlobalCleanup]
    public void CleanUp() => _files.Dispose();

    [Benchmark(Baseline = true, Description = "System.Formats.Tar")]
    public Task Tar() => TarFile.CreateFromDirectoryAsync(_files.Folder, Stream.Null, includeBaseDirectory: false);

    [Benchmark(Description = "pack")]
    public Task Pack() => _files.PackAsync(_files.Plain, static () => Stream.Null);

    [Benchmark(Description = "pack and seal")]
    public Task Seal() => _files.PackAsync(_files.Sealed, static () => Stream.Null);
}
