using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Transfer.TestSupport.Ftp;

/// <summary>A plain FTP server whose every reply a test can change, for what no real server at hand does.</summary>
internal sealed class OddServer : IAsyncDisposable
{
    private static int _addresses;

    private readonly TcpListener _listener;
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentQueue<string> _commands = new();
    private readonly ConcurrentBag<Task> _sessions = [];
    private readonly Task _accepting;
    private int _connections;

    public OddServer()
    {
        // What is learned of a host is kept for the process: each test has an address of its own.
        var number = Interlocked.Increment(ref _addresses);
        Address = OperatingSystem.IsMacOS() ? IPAddress.Loopback
            : new IPAddress(new byte[] { 127, 78, (byte)(1 + (number / 250)), (byte)(1 + (number % 250)) });
        _listener = new TcpListener(Address, 0);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public IPAddress Address { get; }

    /// <summary>Where data connections are awaited; null: at the server's own address.</summary>
    public IPAddress? DataAddress { get; init; }

    public Uri Uri => new($"ftp://demo:demo@{_listener.LocalEndpoint}/");

    public string Greeting { get; init; } = "220 ready";

    public string[] Features { get; init; } = ["EPSV", "SIZE", "MDTM", "REST STREAM", "UTF8"];

    /// <summary>A session reads what has come, and takes the first line of it.</summary>
    public bool ReadsOneCommand { get; init; }

    /// <summary>A session ends where more than one command has come.</summary>
    public bool HangsUpOnBatches { get; init; }

    /// <summary>The reply to several commands that have come at once, of which none is read; null: each is read.</summary>
    public string? BatchReply { get; init; }

    /// <summary>A session reads one command a segment once logged in, as <see cref="ReadsOneCommand"/>.</summary>
    public bool ReadsOneOnceIn { get; init; }

    /// <summary>The command behind which a session answers nothing any more; null: none.</summary>
    public string? HangsAt { get; init; }

    /// <summary>EPSV names a port at which another program takes connections.</summary>
    public bool HasStrayEpsv { get; init; }

    /// <summary>EPSV names a port at which nothing listens.</summary>
    public bool HasDeadEpsv { get; init; }

    /// <summary>
    /// As Twisted does: nothing is answered behind EPSV or PASV until the data connection is there, and an upload whose command had come by
    /// then is broken off.
    /// </summary>
    public bool WaitsForConnections { get; init; }

    /// <summary>Downloads and listings end by a reset, when this has happened, and yet with 226; null: by a clean end.</summary>
    public Task? ResetsAfter { get; init; }

    /// <summary>The part of a command's argument that the server reads.</summary>
    public Func<string, string> Read { get; init; } = static argument => argument;

    /// <summary>Another reply to a command; null: the usual one; empty: none.</summary>
    public Func<string, string, string?> Reply { get; init; } = static (_, _) => null;

    /// <summary>Other lines of a listing, by command and folder; null: the usual ones.</summary>
    public Func<string, string, string?> Lines { get; init; } = static (_, _) => null;

    public ConcurrentDictionary<string, byte[]> Files { get; } = new();

    public ConcurrentDictionary<string, bool> Folders { get; } = new([new("/", true)]);

    /// <summary>The reply to PWD in the log-in folder, and the name under which CWD takes that; null: <c>/</c>.</summary>
    public (string Reply, string Name)? Home { get; init; }

    /// <summary>The folder that the last CWD has entered.</summary>
    public string Entered { get; set; } = "/";

    public IReadOnlyList<string> Commands => [.. _commands];

    public int Connections => Volatile.Read(ref _connections);

    public int Count(string verb) => Commands.Count(command => command.Split(' ')[0] == verb);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Stop();
        await _accepting;
        await Task.WhenAll(_sessions);
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var socket = await _listener.AcceptSocketAsync(_stop.Token);
                Interlocked.Increment(ref _connections);
                _sessions.Add(Task.Run(() => ServeAsync(socket)));
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        using var owned = socket;
        var session = new OddSession(this, socket, _stop.Token);
        try
        {
            await session.RunAsync(_commands.Enqueue);
        }
        catch (Exception e) when (e is OperationCanceledException or IOException or SocketException or ObjectDisposedException)
        {
            // The client has gone, or the test is over.
        }
        finally
        {
            session.Dispose();
        }
    }

    /// <summary>Whether a folder has no entry.</summary>
    public bool IsEmpty(string folder) => Names(folder).Length == 0;

    public string Names(string folder) =>
        string.Concat(Folders.Keys.Concat(Files.Keys).Where(path => IsIn(path, folder)).Select(path => RemotePath.GetName(path) + "\r\n"));

    private static bool IsIn(string path, string folder) => path != "/" && RemotePath.GetParent(path) == folder;

    public string List(string folder, bool machine)
    {
        var text = new StringBuilder();
        var prefix = folder == "/" ? "/" : folder + "/";
        foreach (var path in Folders.Keys.Where(path => IsIn(path, folder)))
        {
            text.Append(
                machine ? $"type=dir;modify=20240102030405; {path[prefix.Length..]}\r\n"
                : $"drwxr-xr-x 1 u g 0 Jan  2  2024 {path[prefix.Length..]}\r\n");
        }

        foreach (var (path, content) in Files.Where(file => IsIn(file.Key, folder)))
        {
            var length = content.Length.ToString(CultureInfo.InvariantCulture);
            text.Append(
                machine ? $"type=file;size={length};modify=20240102030405; {path[prefix.Length..]}\r\n"
                : $"-rw-r--r-- 1 u g {length} Jan  2  2024 {path[prefix.Length..]}\r\n");
        }
        return text.ToString();
    }
}
