using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using Perfolizer.Horology;
using Transfer.Benchmarks.Columns;
using Transfer.ServerTests.Servers;

namespace Transfer.Benchmarks;

/// <summary>
/// What all suites share: a job, memory, columns, and reports as markdown, HTML and JSON in artifacts/benchmarks. The quick job stays in
/// this process and
/// takes a few seconds a row; the full one is BenchmarkDotNet's default: a program of its own for each row, and as many repetitions as it
/// takes. In this
/// process set-ups and clean-ups are not awaited, so suites have synchronous ones.
/// </summary>
internal sealed class BenchmarkConfig : ManualConfig
{
    private const int QuickWarmups = 2;
    private const int QuickIterations = 5;
    private const int QuickIterationTime = 200; // ms

    public BenchmarkConfig(bool full)
    {
        AddJob(full ? Full() : Quick());
        AddDiagnoser(MemoryDiagnoser.Default);
        AddLogger(ConsoleLogger.Default);
        AddColumnProvider(DefaultColumnProviders.Instance);
        AddColumn(new ThroughputColumn(), new AllocatedPerPieceColumn());
        AddExporter(MarkdownExporter.GitHub, HtmlExporter.Default, JsonExporter.Full);
        WithArtifactsPath(Path.Combine(ServerFiles.Repository, "artifacts", "benchmarks"));
    }

    private static Job Quick() => new Job("Quick")
        .WithToolchain(InProcessEmitToolchain.Instance)
        .WithWarmupCount(QuickWarmups)
        .WithIterationCount(QuickIterations)
        .WithIterationTime(TimeInterval.FromMilliseconds(QuickIterationTime));

    private static Job Full()
    {
#if FLUENTFTP
        // The program is built as a project that refers to this one.
        return Job.Default.WithArguments([new MsBuildArgument("/p:FluentFtp=true")]);
#else
        return Job.Default;
#endif
    }
}
