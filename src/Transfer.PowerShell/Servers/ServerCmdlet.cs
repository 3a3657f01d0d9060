using System.Management.Automation;
using Transfer.PowerShell.Errors;

namespace Transfer.PowerShell.Servers;

/// <summary>Base of the cmdlets that work at a server.</summary>
public abstract class ServerCmdlet : TransferCmdlet
{
    private readonly HashSet<TransferServer> _heard = [];
    private readonly List<TransferServer> _own = []; // connected for this command
    private TransferServer? _server;
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
    private protected virtual void FailWithoutServer(Exception error) => Fail(error, ShownUrl.Server(Server));

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
            Fail(known, ShownUrl.Server(second));
            throw;
        }
    }

    /// <summary>The two folders of a synchronisation.</summary>
    private protected SyncSides Sides(object? toServer, TransferDirection direction, string path, string destination)
    {
        var isBetweenServers = direction == TransferDirection.ServerToServer;
        if (toServer is not null && !isBetweenServers)
            Fail(new ArgumentException("ToServer goes with the direction ServerToServer."), ShownUrl.Server(toServer));
        var source = isBetweenServers ? path : LocalPathOf(path);
        return new(Client, Connected(toServer)?.Client ?? Client, direction, source, destination);
    }

    /// <summary>
    /// Acts on an entry of a pipeline at the server that has the entry. An entry of another server than an explicit one is an error.
    /// </summary>
    private protected void ActAtServer(RemoteEntry entry, Action<RemoteEntry> act)
    {
        if (EntryServers.Of(entry) is not { } own || own == _server)
        {
            act(entry);
            return;
        }
        if (WhyNotAt(own) is { } why)
        {
            WriteItemError(Record(new ArgumentException($"{entry.Path}: {why}"), entry,
                "Leave -Server out: an entry is worked on at its own server, as long as that is connected."));
            return;
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

    private protected override Exception? Known(Exception error) =>
        error is ObjectDisposedException && _heard.FirstOrDefault(server => server.IsClosed) is { } closed ? closed.ClosedError(error)
            : base.Known(error);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            foreach (var heard in _heard) heard.Messages.Leave(Say);
            EndWork();
            Task.Run(() => Task.WhenAll(_own.Select(server => server.CloseAsync()))).GetAwaiter().GetResult();
        }
        base.Dispose(disposing);
    }

    /// <summary>Ends work that still uses the servers, before those of the command close.</summary>
    private protected virtual void EndWork()
    {
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
                $"'{ShownUrl.Server(given)}' is no server: neither the name of one that is connected nor a URI such as "
                + "sftp://user@host/folder.");
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
