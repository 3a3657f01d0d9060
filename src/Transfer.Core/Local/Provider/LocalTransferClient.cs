using Transfer.Local;
using Transfer.Local.Provider;
using Transfer.Sessions;

namespace Transfer;

/// <summary>
/// The local file system behind a <c>file:</c> URL (RFC 8089), with the semantics of every other client. The endpoint's path is the root:
/// paths are those of the file system (on Windows with the drive first: <c>/C:/folder</c>), relative ones are in the root, and nothing
/// outside can be reached.
/// </summary>
public sealed class LocalTransferClient : TransferClient
{
    private readonly LocalRoot _root;

    /// <summary>Creates a client for a folder.</summary>
    /// <exception cref="ArgumentException">The URL is not a <c>file:</c> URL, or of another host where there are no shares to mount by
    /// name.</exception>
    public LocalTransferClient(Uri endpoint, LocalTransferOptions? options = null)
        : base(endpoint, options)
    {
        if (!endpoint.IsFile) throw new ArgumentException("A file: URL is needed.", nameof(endpoint));
        var host = endpoint.Host == "localhost" ? string.Empty : endpoint.Host;
        if (host.Length > 0 && !OperatingSystem.IsWindows())
            throw new ArgumentException($"{host}: a file: URL names this host only.", nameof(endpoint));
        _root = new LocalRoot(host, BasePath, options?.FollowLinks ?? false);
    }

    /// <inheritdoc/>
    /// <remarks>Each session has a file open, and copies have sessions at both ends.</remarks>
    protected override int UsualSessions => Math.Clamp(OpenFiles.OfProcess.Most / 2, 1, Options.MaxSessions);

    /// <inheritdoc/>
    protected override bool DividesUploads => false;

    /// <inheritdoc/>
    protected override ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken) => new(new LocalSession(_root));
}
