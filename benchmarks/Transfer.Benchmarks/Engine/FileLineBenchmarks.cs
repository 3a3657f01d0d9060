using BenchmarkDotNet.Attributes;
using Transfer.Contents;
using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Benchmarks.Engine;

/// <summary>4,000 files through a job's line, as the scheduler moves them, by the file.</summary>
public class FileLineBenchmarks
{
    private const int Files = 4000;

    private readonly JobFile[] _files = [.. Enumerable.Range(0, Files).Select(static i => new JobFile(
        new FileSpec { Name = $"f{i}", Kind = WorkKind.Upload, RemotePath = $"/f{i}" }, new KnownContent()))];

    private FileLine _line = null!;

    /// <summary>The most files that a session takes at once.</summary>
    [Params(1, 8, 64)]
    public int Together { get; set; }

    [GlobalSetup]
    public void SetUp() => _line = new FileLine(hasSeveralSessions: true, static () => true, static _ => false);

    [Benchmark(OperationsPerInvoke = Files, Description = "add and take")]
    public int AddAndTake()
    {
        foreach (var file in _files) _line.AddLocked(file);
        var taken = 0;
        while (_line.TakeLocked(Together, sessions: 8, alone: true) is { Length: > 0 and var count }) taken += count;
        return taken == Files ? taken : throw new InvalidOperationException($"{taken} of {Files} files came.");
    }

    private sealed class KnownContent : EngineContent
    {
        public override long? Length => 10_000;

        public override bool CanReplay => true;
    }
}
