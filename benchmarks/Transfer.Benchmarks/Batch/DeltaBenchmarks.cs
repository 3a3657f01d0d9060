using BenchmarkDotNet.Attributes;
using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Delta;
using Transfer.Benchmarks.Columns;
using Transfer.ServerTests;

namespace Transfer.Benchmarks.Batch;

/// <summary>The delta of a file of 64 MiB of which a hundred places have changed, beside one read of the file.</summary>
[Moves(Length)]
public class DeltaBenchmarks
{
    private const int Length = 64 << 20;
    private const int Changes = 100;

    private readonly string _old = Path.Combine(TestHost.Folder, "old");
    private readonly string _new = Path.Combine(TestHost.Folder, "new");
    private readonly byte[] _buffer = new byte[1 << 20];
    private BaseSignature _signature = null!;
    private SafeFileHandle _source = null!;

    [GlobalSetup]
    public void SetUp()
    {
        var content = new byte[Length];
        var random = new Random(1);
        random.NextBytes(content);
        File.WriteAllBytes(_old, content);
        for (var i = 0; i < Changes; i++) random.NextBytes(content.AsSpan(random.Next(Length - 64), 64));
        File.WriteAllBytes(_new, content);
        _signature = Sign();
        _source = File.OpenHandle(_new);
    }

    [GlobalCleanup]
    public void CleanUp()
    {
        _source.Dispose();
        File.Delete(_old);
        File.Delete(_new);
    }

    [Benchmark(Baseline = true, Description = "read")]
    public long Read()
    {
        var at = 0L;
        while (RandomAccess.Read(_source, _buffer, at) is > 0 and var count) at += count;
        return at;
    }

    [Benchmark(Description = "sign the base")]
    public object Signature() => Sign();

    [Benchmark(Description = "match")]
    public long Match()
    {
        var delta = DeltaMatcher.Match(_source, Length, _signature, Length, default)
            ?? throw new InvalidOperationException("There is no delta.");
        return delta.BodyLength;
    }

    private BaseSignature Sign()
    {
        using var file = BaseFile.Of(File.OpenHandle(_old), Length);
        var signature = new BaseSignature(file.Shape);
        var blocks = new byte[BaseFile.BufferFor(file.Shape)];
        while (file.Read(_buffer, blocks, default) is > 0 and var count) signature.Add(_buffer.AsSpan(0, count));
        return signature;
    }
}
