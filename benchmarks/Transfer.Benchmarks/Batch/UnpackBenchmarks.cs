using System.Formats.Tar;
using BenchmarkDotNet.Attributes;
using Transfer.Batch;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Benchmarks.Columns;
using Transfer.ServerTests;

namespace Transfer.Benchmarks.Batch;

/// <summary>
/// Archives of 2,000 files of 10 KB, opened, and unpacked into a new folder without flushes, beside the tar of the libraries.
/// </summary>
[InvocationCount(1)]
[Moves(ArchiveFiles.Count * (long)ArchiveFiles.Size, PieceSize = ArchiveFiles.Size)]
public class UnpackBenchmarks
{
    private readonly List<MemoryStream> _archives = [];
    private readonly MemoryStream _tar = new();
    private readonly string _target = Path.Combine(TestHost.Folder, "unpacked");
    private ArchiveFiles _files = null!;

    [GlobalSetup]
    public async Task SetUp()
    {
        _files = new ArchiveFiles();
        await _files.PackAsync(_files.Sealed, () =>
        {
            _archives.Add(new MemoryStream());
            return _archives[^1];
        });
        await TarFile.CreateFromDirectoryAsync(_files.Folder, _tar, includeBaseDirectory: false);
    }

    [IterationSetup]
    public void Empty()
    {
        if (Directory.Exists(_target)) Directory.Delete(_target, recursive: true);
        Directory.CreateDirectory(_target);
        _tar.Position = 0;
        foreach (var archive in _archives) archive.Position = 0;
    }

    [GlobalCleanup]
    public void CleanUp()
    {
        Directory.Delete(_target, recursive: true);
        _files.Dispose();
    }

    [Benchmark(Baseline = true, Description = "System.Formats.Tar")]
    public Task Tar() => TarFile.ExtractToDirectoryAsync(_tar, _target, overwriteFiles: false);

    [Benchmark(Description = "open")]
    public async Task Open()
    {
        foreach (var archive in _archives)
        {
            using var reader = await ArchiveReader.OpenAsync(archive, _files.Ring, default);
            while (await reader.NextAsync(default) is not null) continue;
        }
    }

    [Benchmark(Description = "open and unpack")]
    public async Task Unpack()
    {
        await using var unpacker = new FolderUnpacker(_target, new BatchUnpackOptions { Durability = Durability.None }, _files.Ring);
        for (var i = 0; i < _archives.Count; i++) await unpacker.ReceiveAsync(i, _archives[i], default);
        if (await unpacker.CompleteAsync(default) is { Count: > 0 } missing)
            throw new InvalidOperationException($"{missing.Count} files are missing.");
    }
}
