using System.Buffers;
using System.Text;
using BenchmarkDotNet.Attributes;
using Transfer.Ftp.Protocol;

namespace Transfer.Benchmarks.Ftp;

/// <summary>Replies of a control connection, by the reply.</summary>
public class ReplyParserBenchmarks
{
    private const int Replies = 1000;

    private const string Features = """
        211-Features:
         AUTH TLS
         EPRT
         EPSV
         MDTM
         MFMT
         MLST type*;size*;modify*;UNIX.mode*;UNIX.owner*;
         PBSZ
         PROT
         REST STREAM
         SIZE
         UTF8
        211 End

        """;

    private ReadOnlySequence<byte> _single;
    private ReadOnlySequence<byte> _cut;
    private ReadOnlySequence<byte> _features;

    [GlobalSetup]
    public void SetUp()
    {
        var single = Repeat("226 Transfer complete.\r\n");
        _single = new ReadOnlySequence<byte>(single);
        _cut = CutSequence.Create(single, segment: 100);
        _features = new ReadOnlySequence<byte>(Repeat(Features.ReplaceLineEndings("\r\n")));
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Replies, Description = "one line")]
    public int OneLine() => Read(_single);

    [Benchmark(OperationsPerInvoke = Replies, Description = "one line, in segments of 100 bytes")]
    public int InSegments() => Read(_cut);

    [Benchmark(OperationsPerInvoke = Replies, Description = "FEAT, 13 lines")]
    public int ManyLines() => Read(_features);

    private static int Read(ReadOnlySequence<byte> bytes)
    {
        var codes = 0;
        while (FtpReplyParser.TryRead(ref bytes, Encoding.UTF8, out var reply)) codes += reply!.Code;
        return codes;
    }

    private static byte[] Repeat(string reply) => Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(reply, Replies)));
}
