using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Session;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Shortens what most tests do.</summary>
internal static class SftpHarness
{
    public static ValueTask<SftpSession> OpenAsync(
        this FakeServer server, SftpOptions? options = null, SftpServerState? state = null, string software = "Transfer.Testing",
        CancellationToken ct = default) =>
        SftpSession.OpenAsync(server.Start().Channel, software, options ?? new SftpOptions(),
            state ?? new SftpServerState { Umask = new SftpUmask((UnixFileMode)0b000_010_010), Traits = Usual() }, NullLogger.Instance, ct);

    /// <summary>The traits of a server that was seen to set times: no file is described behind CLOSE for that.</summary>
    public static SftpTraits Usual(SftpCompatibility? compatibility = null)
    {
        var traits = new SftpTraits(memory: null, compatibility);
        traits.Settle(SftpTrait.NoTimes, has: false);
        traits.Settle(SftpTrait.RenewsTimes, has: false);
        return traits;
    }

    public static TestItem Upload(string path, byte[] content, bool replace = true, bool direct = false, TransferException? fault = null) =>
        new(WorkKind.Upload, path, new TestContent(content) { Fault = fault })
        {
            TemporaryPath = direct ? null : RemotePath.Combine(RemotePath.GetParent(path)!, $".transfer-1-{RemotePath.GetName(path)}.part"),
            Replace = replace,
        };

    public static TestItem Download(string path, byte[]? expected = null) =>
        new(WorkKind.Download, path, new Sink(expected?.Length));

    public static byte[] Received(this TestItem item) => ((Sink)item.Content).Bytes.ToArray();

    public static byte[] Bytes(int count, int seed = 1)
    {
        var bytes = new byte[count];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    public static async Task<TestItem> RunAsync(this SftpSession session, TestItem item)
    {
        await session.RunAsync(new ListSource(item), CancellationToken.None).Soon();
        return item;
    }

    public static Task RunAsync(this SftpSession session, params TestItem[] items) =>
        session.RunAsync(new ListSource(items), CancellationToken.None).Soon();

    public static TransferException Error(this TestItem item) => item.Outcome switch
    {
        WorkOutcome.Failed failed => failed.Error,
        WorkOutcome.InDoubt doubt => doubt.Error,
        var other => throw new AssertionException($"{other} is no error."),
    };

    /// <summary>Takes content in ascending order, as a stream does.</summary>
    internal sealed class Sink(long? length) : IContent
    {
        public MemoryStream Bytes { get; } = new();

        public long? Length => length;

        public bool CanReplay => true;

        public Exception? Fault { get; set; }

        public ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct) => throw new NotSupportedException();

        public ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
        {
            if (Fault is not null) throw Fault;
            if (offset != Bytes.Length) throw new InvalidOperationException($"Written at {offset} where {Bytes.Length} comes next.");
            Bytes.Write(data.Span);
            return default;
        }
    }
}
