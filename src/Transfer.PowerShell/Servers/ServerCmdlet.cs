using System.Management.Automation;
using Transfer.PowerShell.Entries;

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
    private readonly List<TransferServer> _own = []; // connected for this command
    private TransferServer? _server;
    private EntryLooks? _looks;
    private TransferServer? _entryServer; // of the entry that is worked on

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
        try
        {
            _server = Find();
            Hear(_server);
        }
        catch (Exception e) when (Known(e) is not null || e is InvalidOperationException)
        {
            FailWithoutServer(e);
        }
    }

    /// <summary>Ends the command because there is no server to work at.</summary>
    private protected virtual void FailWithoutServer(Exception error) => Fail(error, Server);

    /// <summary>A second server: an object, a name, or a URI, which is connected to for this command. Null: none is given.</summary>
    private protected TransferServer? Connected(object? given)
    {
        if (PipelineValue.Unwrap(given) is not { } second) return null;
        try
        {
            var server = Find(second, null);
            Hear(server);
            return server;
        }
        catch (Exception e) when (Known(e) is { } known)
        {
            Fail(known, second);
            throw;
        }
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
                WriteError(Record(new ArgumentException($"{entry.Path}: {why}"), entry,
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
            WriteError(Record(new ArgumentException($"'{item.FullName}' is of this machine, and no entry of a server."), item,
                "Give entries, as Get-TransferEntry writes them, or paths of the server as text. Send-TransferFile takes files of this "
                + "machine."));
        }
    }

    /// <summary>Acts on each entry that paths name. A path without an entry is an error, except for a pattern.</summary>
    private protected void ForEachEntry(IEnumerable<string> literal, IEnumerable<string> patterns, Action<RemoteEntry> act)
    {
        LookUp(literal, act);
        ActOnAll(act);
        foreach (var pattern in patterns)
        {
            // All of them before the first is worked on: the work may change the folder.
            var found = new List<RemoteEntry>();
            Stream(token => RemoteGlob.FindAsync(Client, pattern, token), found.Add, pattern);
            found.ForEach(act);
        }
    }

    /// <inheritdoc/>
    private protected override string Advice(TransferError error) => error switch
    {
        TransferError.HostKey or TransferError.Tls =>
            "Compare the fingerprint with that of the server's administrator, connect by Connect-TransferServer -Pin SHA256:…, and give "
            + "its output as -Server.",
        TransferError.Auth =>
            "Check -Credential. With a key, connect by Connect-TransferServer -IdentityFile, and give its output as -Server.",
        _ => base.Advice(error),
    };

    /// <summary>
    /// Looks names up beside the pipeline, and acts on the entries that have been found by now. <see cref="ActOnAll"/> acts on the rest.
    /// </summary>
    private protected void LookUp(IEnumerable<string> names, Action<RemoteEntry> act)
    {
        _looks ??= new(StopToken);
        foreach (var name in names)
        {
            _looks.Add(Client, name);
            ActOnFound(act, all: false);
        }
        ActOnFound(act, all: false);
    }

    /// <summary>Acts on all entries that were looked up. A name without an entry is an error.</summary>
    private protected void ActOnAll(Action<RemoteEntry> act) => ActOnFound(act, all: true);

    private void ActOnFound(Action<RemoteEntry> act, bool all)
    {
        while (_looks?.TryTake(all, out var path, out var look) == true)
        {
            if (!TryAwait(_ => look, path, out var entry)) continue;
            if (entry is not null)
            {
                act(entry);
                continue;
            }
            var reason = $"{path} does not exist at {Client.Endpoint}.";
            WriteError(Record(new TransferException(TransferError.NotFound, reason) { RemotePath = path }, path));
        }
    }

    private protected override Exception? Known(Exception error) =>
        error is ObjectDisposedException && _heard.FirstOrDefault(server => server.IsClosed) is { } closed ? closed.ClosedError(error)
            : base.Known(error);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            foreach (var heard in _heard) heard.Messages.Leave(Say);
            if (_looks?.IsEmpty == false)
            {
                Cancel();
                Task.Run(_looks.EndAsync).GetAwaiter().GetResult();
            }
            Task.Run(() => Task.WhenAll(_own.Select(server => server.CloseAsync()))).GetAwaiter().GetResult();
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
            throw new ArgumentException("Credential goes with a URI as Server: a server that is connected is logged in already.");
        return given is not null ? Find(given, Credential)
            : ServerBoard.Current
                ?? throw new InvalidOperationException("No server is connected: use Connect-TransferServer first, or give -Server.");
    }

    // A server that is connected; one of a URI is connected to now, for this command.
    private TransferServer Find(object given, PSCredential? credential)
    {
        switch (given)
        {
            case TransferServer server:
                return server.IsClosed ? throw server.ClosedError() : server;
            case string name when ServerBoard.Find(name) is { } named && credential is null:
                return named;
        }
        var uri = given as Uri
            ?? (given is string text
                && text.Contains("://", StringComparison.Ordinal) && Uri.TryCreate(text, UriKind.Absolute, out var parsed) ? parsed : null)
            ?? throw new ArgumentException(
                $"'{given}' is no server: neither the name of one that is connected nor a URI such as sftp://user@host/folder.");
        var messages = new MessageRelay();
        messages.Listen(Say);
        var connector = new ServerConnector(new NoParameters(), SessionState.Path, new(Host, WriteDebug), Pump);
        var settings = connector.Settings(uri, credential);
        var opened = Join(token => connector.OpenAsync(settings, messages, null, token));
        _own.Add(opened);
        messages.Leave(Say);
        return opened;
    }
}
