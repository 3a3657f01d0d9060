using System.Management.Automation;
using Transfer.PowerShell.Clients;
using Transfer.PowerShell.Entries;
using Transfer.PowerShell.Errors;

namespace Transfer.PowerShell.Servers;

/// <summary>Base of the cmdlets that work at a server.</summary>
public abstract class ServerCmdlet : TransferCmdlet
{
    private protected const string ByPath = "Path";
    private protected const string ByLiteralPath = "LiteralPath";
    private protected const string ByEntry = "InputObject";
    private protected const string ByDriveItem = "DriveItem";
    private protected const string ByLocalItem = "LocalItem";

    private readonly HashSet<TransferServer> _heard = [];
    private TransferServer? _server;
    private TransferServer? _entryServer; // of the entry that is worked on
    private bool _isOwn;

    /// <summary>
    /// The server: the output of Connect-TransferServer, a server's name, or a URI, which is connected to for this command only. By default
    /// the current server.
    /// </summary>
    [Parameter]
    [ArgumentCompleter(typeof(ServerCompleter))]
    [ValidateNotNull]
    public object? Server { get; set; }

    /// <summary>User and password, where the server is a URI.</summary>
    [Parameter]
    [Credential]
    public PSCredential? Credential { get; set; }

    /// <summary>The server that is worked at: that of the entry at hand, else the command's.</summary>
    private protected TransferServer Used => _entryServer ?? _server!;

    private protected TransferClient Client => Used.Client;

    /// <summary>Whether the cmdlet's work needs a server.</summary>
    private protected virtual bool UsesServer => true;

    /// <inheritdoc/>
    protected override void BeginProcessing()
    {
        if (!UsesServer)
        {
            if (Server is not null || Credential is not null)
                Fail(new ArgumentException("Server and Credential are for what goes over a server, and this does not."));
            return;
        }
        _server = Find();
        Hear(_server);
    }

    /// <summary>A second server: an object, or a name. Null: none is given.</summary>
    private protected TransferServer? Connected(object? given)
    {
        given = PipelineValue.Unwrap(given);
        var server = given as TransferServer ?? (given is string name ? ServerBoard.Find(name) : null);
        if (given is not null && server is not { IsClosed: false })
            Fail(new ArgumentException($"'{given}' is no server that is connected."), given);
        if (server is not null) Hear(server);
        return server;
    }

    /// <summary>The two folders of a synchronisation.</summary>
    private protected Files.SyncSides Sides(object? toServer, TransferDirection direction, string path, string destination)
    {
        var isBetweenServers = direction == TransferDirection.ServerToServer;
        if (toServer is not null && !isBetweenServers)
            Fail(new ArgumentException("ToServer goes with the direction ServerToServer."), toServer);
        var source = isBetweenServers ? path : LocalPathOf(path);
        return new(Client, Connected(toServer)?.Client ?? Client, direction, source, destination);
    }

    /// <summary>Acts on the entries of a record, by the record's parameter set. False: the record has paths instead.</summary>
    private protected bool TryForEachGiven(
        RemoteEntry[] entries, TransferDriveItem[] driveItems, FileSystemInfo[] localItems, Action<RemoteEntry> act)
    {
        if (ParameterSetName == ByLocalItem) Refuse(localItems);
        else if (ParameterSetName == ByDriveItem) ForEachEntry(driveItems.Select(item => item.Entry), act);
        else if (ParameterSetName == ByEntry) ForEachEntry(entries, act);
        else return false;
        return true;
    }

    /// <summary>
    /// Acts on entries of a pipeline, each at the server that has the entry. An entry of another server than an explicit one is an error.
    /// </summary>
    private void ForEachEntry(IEnumerable<RemoteEntry> entries, Action<RemoteEntry> act)
    {
        foreach (var entry in entries)
        {
            if (EntryServers.Of(entry) is not { } own || own == _server)
            {
                act(entry);
                continue;
            }
            if (WhyNotAt(own) is { } why)
            {
                WriteError(ErrorRecords.Of(new ArgumentException($"{entry.Path}: {why}"), entry,
                    "Leave -Server out: an entry is worked on at its own server, as long as that is connected."));
                continue;
            }
            _entryServer = Server is null ? own : null;
            try
            {
                Hear(Used);
                act(entry);
            }
            finally
            {
                _entryServer = null;
            }
        }
    }

    /// <summary>Refuses files and folders of this machine: the server's entries of the same paths are not meant.</summary>
    private void Refuse(IEnumerable<FileSystemInfo> items)
    {
        foreach (var item in items)
        {
            WriteError(ErrorRecords.Of(new ArgumentException($"'{item.FullName}' is of this machine, and no entry of a server."), item,
                "Give entries, as Get-TransferEntry writes them, or paths of the server as text. Send-TransferFile takes files of this "
                + "machine."));
        }
    }

    /// <summary>Acts on each entry that paths name. A path without an entry is an error, except for a pattern.</summary>
    private protected void ForEachEntry(IEnumerable<string> literal, IEnumerable<string> patterns, Action<RemoteEntry> act)
    {
        foreach (var path in literal)
        {
            if (!TryAwait(token => Client.GetEntryAsync(path, token).AsTask(), path, out var entry)) continue;
            if (entry is null)
            {
                WriteError(
                    ErrorRecords.Of(new TransferException(TransferError.NotFound,
                        $"{path} does not exist at {Client.Endpoint}.")
                    { RemotePath = path }, path));
            }
            else
            {
                act(entry);
            }
        }
        foreach (var pattern in patterns)
        {
            // All of them before the first is worked on: the work may change the folder.
            var found = new List<RemoteEntry>();
            Stream(token => RemoteGlob.FindAsync(Client, pattern, token), found.Add, pattern);
            found.ForEach(act);
        }
    }

    private protected override Exception? Known(Exception error) =>
        error is ObjectDisposedException && _heard.FirstOrDefault(server => server.IsClosed) is { } closed ? closed.ClosedError(error)
            : base.Known(error);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing && _server is { } server)
        {
            _server = null;
            foreach (var heard in _heard) heard.Messages.Leave(Say);
            if (_isOwn) server.CloseAsync().GetAwaiter().GetResult();
        }
        base.Dispose(disposing);
    }

    private void Hear(TransferServer server)
    {
        if (_heard.Add(server)) server.Messages.Listen(Say);
    }

    // Null: an entry of that server may be worked on.
    private string? WhyNotAt(TransferServer own)
    {
        if (Server is not null)
            return HostOf(own) == HostOf(_server!) ? null : $"the entry is of {own.Uri}, and not of -Server ({_server!.Uri}).";
        return own.IsClosed ? $"the entry's server '{own.Name}' is closed." : null;
    }

    private static string HostOf(TransferServer server) => server.Uri.GetLeftPart(UriPartial.Authority);

    private TransferServer Find()
    {
        var given = PipelineValue.Unwrap(Server);
        if (Credential is not null && given is not (Uri or string))
            Fail(new ArgumentException("Credential goes with a URI as Server: a server that is connected is logged in already."));
        switch (given)
        {
            case TransferServer { IsClosed: false } server:
                return server;
            case TransferServer closed:
                Fail(closed.ClosedError(), closed);
                break;
            case null when ServerBoard.Current is { } current:
                return current;
            case null:
                Fail(new InvalidOperationException("No server is connected: use Connect-TransferServer first, or give -Server."));
                break;
            case string name when ServerBoard.Find(name) is { } named && Credential is null:
                return named;
        }
        var uri = given as Uri
            ?? (given is string text
                && text.Contains("://", StringComparison.Ordinal) && Uri.TryCreate(text, UriKind.Absolute, out var parsed) ? parsed : null);
        if (uri is null)
        {
            Fail(new ArgumentException(
                $"'{given}' is no server: neither the name of one that is connected nor a URI such as sftp://user@host/folder."), given);
        }

        _isOwn = true;
        var messages = new MessageRelay();
        return Await(
            token => ServerOpener.OpenAsync(new ClientSettings
            {
                Uri = uri!,
                Credential = ServerOpener.Credential(Credential),
                Log = messages.Say
            }, messages, null, connect: false, token), uri);
    }
}
