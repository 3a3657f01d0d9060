using Transfer.Testing.Ssh;
using Transfer.Testing.Stores;


namespace Transfer.Testing.Sftp;

/// <summary>The parts of a channel's SFTP session that requests use.</summary>
internal sealed class SftpContext
{
    public required SshServerCore Core { get; init; }

    public required HandleTable Handles { get; init; }

    /// <summary>The reply that a handler writes.</summary>
    public SftpReply Reply { get; } = new();

    public ITestStore Store => Core.Store;

    public SftpTestServerOptions Options => Core.Options;

    /// <summary>A path of the client's as one of the store's.</summary>
    public string Resolve(string? path) => VirtualPath.Resolve(Options.HomeDirectory, path ?? string.Empty);

    /// <summary>The path of a request, or of its handle.</summary>
    public string PathOf(SftpRequest request) =>
        request.Path is not null ? Resolve(request.Path) : Handles.Find(request.Handle)?.Path ?? string.Empty;

    /// <summary>The entry at a path, links followed.</summary>
    /// <exception cref="FileNotFoundException">There is no entry.</exception>
    public async ValueTask<TestEntry> FollowAsync(string path, CancellationToken ct) =>
        await Store.GetAsync(await Store.ResolveAsync(path, ct).ConfigureAwait(false), ct).ConfigureAwait(false) ?? throw Missing();

    public static FileNotFoundException Missing() => new("No such file or directory.");
}
