using Transfer.Ftp;
using Transfer.Testing;
using Transfer.Tests.Ftp.Session;
using Transfer.Tests.Testing;

namespace Transfer.Tests.Trees;

/// <summary>An embedded server of either protocol with a tree of files, and a client of it.</summary>
internal sealed class TreeServer : IAsyncDisposable
{
    public const int Folders = 40;

    private readonly FtpTestServer? _ftp;
    private readonly SftpTestServer? _sftp;

    private TreeServer(FtpTestServer? ftp, SftpTestServer? sftp, TransferClient client, MemoryStore store) =>
        (_ftp, _sftp, Client, Store) = (ftp, sftp, client, store);

    public TransferClient Client { get; }

    public MemoryStore Store { get; }

    public IReadOnlyList<TestCommand> Commands => _ftp?.Commands ?? _sftp!.Commands;

    public long BytesSent => (_ftp?.Link ?? _sftp!.Link)!.BytesForward;

    /// <summary>What deletes a file: <c>DELE</c> or <c>REMOVE</c>.</summary>
    public string Delete => _ftp is null ? "REMOVE" : "DELE";

    /// <summary>What removes a folder.</summary>
    public string Remove => _ftp is null ? "RMDIR" : "RMD";

    /// <summary>What changes permissions.</summary>
    public string Change => _ftp is null ? "SETSTAT" : "SITE";

    /// <summary>Over TLS: without, the embedded server gets no more at once than ProFTPD reads.</summary>
    public static async Task<TreeServer> StartAsync(bool sftp, int sessions = 1, LinkOptions? link = null)
    {
        var store = new MemoryStore();
        link ??= new LinkOptions();
        if (sftp)
        {
            var server = await SftpServerHarness.StartAsync(new() { Store = store, Link = link });
            return new TreeServer(null, server, server.Client(options => options with { MaxSessions = sessions * 2 }), store);
        }
        var ftp = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store, Link = link, Tls = FtpTestTls.Explicit });
        var client = new FtpTransferClient(ftp.Uri, FtpHarness.Options with
        {
            MaxSessions = sessions,
            Retry = Samples.SoonAgain,
            Tls = new FtpTlsOptions { AcceptAnyCertificate = true },
        });
        return new TreeServer(ftp, null, client, store);
    }

    /// <summary>Adds files in forty folders of four others.</summary>
    public string[] Plant(int files)
    {
        string[] paths = [.. Enumerable.Range(0, files).Select(i => $"/t/{i % Folders % 4}/folder {i % Folders:D2}/file number {i:D6}")];
        foreach (var path in paths) Store.AddFile(path, [1]);
        return paths;
    }

    /// <summary>The bytes that the client sends for some work.</summary>
    public async Task<long> BytesOfAsync(Func<Task> work)
    {
        var before = BytesSent;
        await work();
        return BytesSent - before;
    }

    /// <summary>
    /// Waits until the client has sent so many commands on paths below <c>/t</c>. FTP's are counted as they arrive; SFTP's, which a server
    /// that is held does not take, by the bytes.
    /// </summary>
    public Task UnderWayAsync(string verb, int count, double bytes) => Eventually.TrueAsync(() => _ftp is null ? BytesSent > bytes
        : Commands.Count(c => c.Connection == 1 && c.Verb == verb && c.Argument.Contains("/t", StringComparison.Ordinal)) >= count,
        "all are under way though none has an answer");

    public Task<long> BytesOfListingAsync(string folder) => BytesOfAsync(async () =>
    {
        await foreach (var _ in Client.ListAsync(folder, new ListOptions { Recursive = true }))
        {
        }
    });

    /// <summary>Adds a folder of a hundred files, with paths of the same length as others.</summary>
    public string[] PlantSample(string[] paths)
    {
        string[] sample = [.. paths.Where((_, i) => i % Folders < 4).Take(100).Select(path => "/s" + path[2..])];
        foreach (var path in sample) Store.AddFile(path, [1]);
        return sample;
    }

    /// <summary>The arguments of commands, per connection, in the order of arrival.</summary>
    public string[] Arguments(string verb, int? connection = null) =>
        [.. Commands.Where(c => c.Verb == verb && (connection is null || c.Connection == connection)).Select(c => c.Argument)];

    public TestFault Stall(string verb) => StallAfter(verb, 0);

    public TestFault StallAfter(string verb, int skip) => _ftp?.Faults.Stall(verb, skip) ?? _sftp!.Faults.Stall(verb, skip);

    public void RefuseChange(string path)
    {
        // The argument of SITE is no path.
        _ftp?.Faults.Reply("SITE", "550 Permission denied.", path: "*" + path);
        _sftp?.Faults.Status("SETSTAT", SftpTestStatus.PermissionDenied, path: path);
    }

    public void Refuse(string verb, string path)
    {
        _ftp?.Faults.Reply(verb, "550 Permission denied.", path: path);
        _sftp?.Faults.Status(verb, SftpTestStatus.PermissionDenied, path: path);
    }

    public void Drop(string verb, bool executed, int skip)
    {
        _ftp?.Faults.DropConnection(verb, executed, skip: skip);
        _sftp?.Faults.DropConnection(verb, executed, skip: skip);
    }

    public async ValueTask DisposeAsync()
    {
        _ftp?.Faults.Clear();
        _sftp?.Faults.Clear();
        await Client.DisposeAsync();
        if (_ftp is not null) await _ftp.DisposeAsync();
        if (_sftp is not null) await _sftp.DisposeAsync();
    }
}
