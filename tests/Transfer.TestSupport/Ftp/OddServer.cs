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

    /// <summary>The command at which a session ends; null: none.</summary>
    public string? EndsAt { get; init; }

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

    /// <summary>The reply before a transfer.</summary>
    public string Opening { get; init; } = "150 here it comes";

    /// <summary>The reply behind a transfer.</summary>
    public string Closing { get; init; } = "226 done";

    /// <summary>The reply to RNTO where the name exists; null: the old file is replaced.</summary>
    public string? TakenReply { get; init; }

    /// <summary>The reply to LIST and NLST of a folder, by path; null: the lines.</summary>
    public Func<string, string?> ListReply { get; init; } = static _ => null;

    /// <summary>CWD enters absent folders, too: the folder is a prefix of names.</summary>
    public bool EntersAbsent { get; init; }

    /// <summary>DELE and RMD delete a folder with all that is in it.</summary>
    public bool DeletesWhole { get; init; }

    /// <summary>STOR sets a file's time to now, and MFMT to any; else all have the same.</summary>
    public bool KeepsTimes { get; init; }

    public ConcurrentDictionary<string, byte[]> Files { get; init; } = new();

    public ConcurrentDictionary<string, DateTimeOffset> Times { get; } = new();

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

    /// <summary>The time of a file or folder.</summary>
    public DateTimeOffset TimeOf(string path) => Times.GetValueOrDefault(path, new DateTimeOffset(2024, 1, 2, 3, 4, 5, TimeSpan.Zero));

    /// <summary>The same as 14 digits (RFC 3659 section 2.3).</summary>
    public string Stamp(string path) => TimeOf(path).ToString("yyyyMMddHHmmss", CultureInfo.InvariantCulture);

    /// <summary>The folders and then the files of a folder: path, and content of files.</summary>
    public IEnumerable<(string Path, byte[]? Content)> Entries(string folder) =>
        Folders.Keys.Where(path => IsIn(path, folder)).Select(path => (path, (byte[]?)null))
            .Concat(Files.Where(file => IsIn(file.Key, folder)).Select(file => (file.Key, (byte[]?)file.Value)));

    /// <summary>Deletes a folder and all that is in it; false: there is none.</summary>
    public bool TryDeleteWhole(string folder)
    {
        if (!Folders.TryRemove(folder, out _)) return false;
        foreach (var path in Files.Keys.Concat(Folders.Keys).Where(path => path.StartsWith(folder + "/", StringComparison.Ordinal)))
        {
            Files.TryRemove(path, out _);
            Folders.TryRemove(path, out _);
        }
        return true;
    }

    public string List(string folder, bool machine)
    {
        var text = new StringBuilder();
        foreach (var (path, content) in Entries(folder))
        {
            var length = content?.Length.ToString(CultureInfo.InvariantCulture) ?? "0";
            var facts = content is null ? "type=dir" : $"type=file;size={length}";
            var mode = content is null ? "drwxr-xr-x" : "-rw-r--r--";
            var time = string.Create(CultureInfo.InvariantCulture, $"{TimeOf(path):MMM} {TimeOf(path).Day,2}  {TimeOf(path):yyyy}");
            text.Append(machine ? $"{facts};modify={Stamp(path)};" : $"{mode} 1 u g {length} {time}").Append(' ')
                .Append(RemotePath.GetName(path)).Append("\r\n");
        }
        return text.ToString();
    }
}
