using Transfer.Sftp.Ssh;

namespace Transfer.Sftp.Routes;

/// <summary>A use of a shared connection to a jump host.</summary>
internal sealed class HopLease(SshConnection connection, Func<ValueTask> leave) : IAsyncDisposable
{
    private int _left;

    public SshConnection Connection => connection;

    public ValueTask DisposeAsync() => Interlocked.Exchange(ref _left, 1) == 0 ? leave() : default;
}
