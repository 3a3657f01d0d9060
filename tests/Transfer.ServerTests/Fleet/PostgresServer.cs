using System.Globalization;
using System.Net.Sockets;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Fleet;

/// <summary>
/// Debian's PostgreSQL behind a socket of a folder, for anyone on this machine. The server refuses to run as root, and another user may
/// not reach the repository: its programs are shown at another place, in a mount namespace.
/// </summary>
internal sealed class PostgresServer : IAsyncDisposable
{
    private const string Start = """
        set -e
        mount --bind "$1" /mnt
        exec setpriv --reuid "$2" --regid "$3" --clear-groups "/mnt/$4" -D "$5" ${6+"$6" "$7" "$8" "$9"}
        """;

    private readonly string _log;
    private readonly ServerProcess _process;

    private PostgresServer(string folder)
    {
        Folder = folder;
        Data = Path.Combine(folder, "data");
        _log = Path.Combine(folder, "postgres.log");
        Directory.CreateDirectory(folder);
        ServerUser.Own(folder);
        Shell.Run("unshare", Arguments("initdb", "--auth=trust", "--no-sync", "--username=fleet", "--locale=C.UTF-8"));
        // Shared memory in the folder of the data: a server that is killed leaves what it has in /dev/shm.
        File.AppendAllText(Path.Combine(Data, "postgresql.conf"), $"""
            dynamic_shared_memory_type = mmap
            listen_addresses = ''
            unix_socket_directories = '{folder}'
            fsync = off
            jit = off

            """);
        _process = ServerProcess.Start(_log, "unshare", Arguments("postgres"));
    }

    /// <summary>The folder of the socket, the log and the data.</summary>
    public string Folder { get; }

    /// <summary>The folder of all tables and logs of changes.</summary>
    public string Data { get; }

    /// <summary>The database, for Npgsql.</summary>
    public string ConnectionString => $"Host={Folder};Username=fleet;Database=postgres";

    public static async Task<PostgresServer> StartAsync(string folder)
    {
        var server = new PostgresServer(folder);
        await Eventually.TrueAsync(server.Answers);
        return server;
    }

    public ValueTask DisposeAsync()
    {
        // At once: a polite end waits for the clients.
        _process.Kill();
        _process.Dispose();
        return ValueTask.CompletedTask;
    }

    private string[] Arguments(string program, params string[] more)
    {
        var path = ServerFiles.Postgres(program);
        var usr = path[..path.IndexOf("/lib/postgresql/", StringComparison.Ordinal)];
        return
        [
            "--mount", "sh", "-c", Start, "sh", usr, ServerUser.Uid.ToString(CultureInfo.InvariantCulture),
            ServerUser.Gid.ToString(CultureInfo.InvariantCulture), path[(usr.Length + 1)..], Data, .. more,
        ];
    }

    private bool Answers()
    {
        if (_process.HasExited) throw new InvalidOperationException($"PostgreSQL has ended:\n{File.ReadAllText(_log)}");
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(Path.Combine(Folder, ".s.PGSQL.5432")));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
