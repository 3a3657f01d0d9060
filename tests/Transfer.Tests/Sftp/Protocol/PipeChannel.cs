using System.IO.Pipelines;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>A channel in memory; the server's side of it is the other two ends.</summary>
internal sealed class PipeChannel : SshChannel
{
    private static readonly PipeOptions Options = new(
        new KeptMemory(), pauseWriterThreshold: 4 << 20, resumeWriterThreshold: 2 << 20, minimumSegmentSize: 64 * 1024,
        useSynchronizationContext: false);

    private readonly Pipe _toServer = new(Options);
    private readonly Pipe _toClient = new(Options);

    public override PipeReader Input => _toClient.Reader;

    public override PipeWriter Output => _toServer.Writer;

    public PipeReader ServerInput => _toServer.Reader;

    public PipeWriter ServerOutput => _toClient.Writer;

    /// <summary>What the server has written to standard error.</summary>
    public string Said { get; init; } = string.Empty;

    public override string ErrorText => Said;

    public override long SendWindow => 2 << 20;

    public override Task<int?> ExitStatus => Task.FromResult<int?>(null);

    public bool Disposed { get; private set; }

    public override async ValueTask DisposeAsync()
    {
        Disposed = true;
        await Output.CompleteAsync();
    }
}
