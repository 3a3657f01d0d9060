using System.Globalization;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace Transfer.ServerTests.Servers;

/// <summary>
/// A real server, on loopback unless its variant has another place, with a configuration written for it, one user, and a folder of its own.
/// The user sees
/// <see cref="Root"/> as <see cref="Home"/>, and the server serves it as <see cref="ServerUser"/>: what root owns there is out of its
/// reach.
/// </summary>
public abstract class RealServer : IAsyncDisposable
{
    /// <summary>Three attempts, without much waiting: what fails is to fail soon.</summary>
    protected static RetryOptions SoonAgain { get; } = new() { Attempts = 3, FirstDelay = TimeSpan.FromMilliseconds(50) };

    // The cost is Debian's own; of the last character of a salt, two bits count.
    private const string Yescrypt = """
        my @digits = (".", "/", 0 .. 9, "A" .. "Z", "a" .. "z");
        my $salt = join("", map { $digits[rand 64] } 1 .. 21) . $digits[rand 4];
        my $hash = crypt(<STDIN>, "\$y\$j9T\$$salt\$");
        die "crypt knows no yescrypt" unless $hash =~ /^\$y\$/;
        print $hash;
        """;

    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(15);
    private static int _count;

    private readonly Ports _ports = Ports.NextBlock();
    private ServerProcess? _process;

    protected RealServer(ServerVariant variant)
    {
        Variant = variant;
        var name = string.Create(CultureInfo.InvariantCulture, $"{GetType().Name}-{variant.Name}-{Interlocked.Increment(ref _count)}");
        Folder = Directory.CreateDirectory(Path.Combine(TestHost.Folder, name)).FullName;
        Root = Directory.CreateDirectory(Path.Combine(Folder, "root")).FullName;
        ServerUser.Own(Root);
        // With what quoting could break, and nothing that a password file could not hold.
        Credential = new TransferCredential("tester",
            variant.Password ?? "p%s'w \"d#" + Convert.ToHexString(RandomNumberGenerator.GetBytes(8)));
        LogFile = Path.Combine(Folder, "server.log");
        File.WriteAllText(LogFile, string.Empty);
    }

    public ServerVariant Variant { get; }

    /// <summary>The served folder on this machine's disk.</summary>
    public string Root { get; }

    /// <summary>The served folder as the user's paths have it; empty: <c>/</c>.</summary>
    public virtual string Home => string.Empty;

    public int Port => _ports.First;

    public TransferCredential Credential { get; }

    /// <summary>Everything the server wrote, the commands it was sent included.</summary>
    public string Log => LogSince(new ServerLogMark());

    /// <summary>Where the logs end now.</summary>
    public ServerLogMark MarkLog() => new(LogFiles.Where(File.Exists).ToDictionary(file => file, file => new FileInfo(file).Length));

    /// <summary>What was logged behind a mark.</summary>
    public string LogSince(ServerLogMark mark) =>
        string.Concat(LogFiles.Where(File.Exists).Select(file => $"--- {Path.GetFileName(file)}\n{ReadShared(file, mark.Length(file))}\n"));

    /// <summary>Configuration, logs and passwords.</summary>
    protected string Folder { get; }

    protected string LogFile { get; }

    protected virtual IEnumerable<string> LogFiles => [LogFile];

    public static async Task<RealServer> StartAsync(ServerKind kind, ServerVariant variant)
    {
        RealServer server = kind switch
        {
            ServerKind.Vsftpd => new VsftpdServer(variant),
            ServerKind.Proftpd => new ProftpdServer(variant),
            ServerKind.PureFtpd => new PureFtpdServer(variant),
            ServerKind.ProftpdSftp => new ProftpdSftpServer(variant),
            ServerKind.SshNet => new SshNetServer(variant),
            _ => new OpenSshServer(variant),
        };
        return await StartAsync(server);
    }

    /// <summary>Starts one for the first time.</summary>
    internal static async Task<RealServer> StartAsync(RealServer server)
    {
        server.Configure();
        await server.StartAsync();
        return server;
    }

    /// <summary>Starts it, also again after <see cref="Kill"/>, on the same port.</summary>
    public async Task StartAsync()
    {
        _process = Variant.Place.Inside(Launch);
        var deadline = DateTime.UtcNow + StartTimeout;
        while (!await AnswersAsync())
        {
            if (_process.HasExited || DateTime.UtcNow > deadline)
            {
                throw new InvalidOperationException($"{GetType().Name} ({Variant}) does not answer on port {Port}:\n{Log}");
            }

            await Task.Delay(20);
        }
    }

    /// <summary>Ends it as a crash would.</summary>
    public void Kill()
    {
        _process?.Kill();
        _process?.Dispose();
        _process = null;
    }

    /// <summary>Ends one of its connections as a crash would; false: it had ended.</summary>
    public static bool KillOne(ServerSession session) => ServerProcess.KillOne(session);

    /// <summary>The connections that it serves now.</summary>
    public IReadOnlyList<ServerSession> Sessions() => _process?.Sessions() ?? [];

    /// <summary>Has one of its sessions stand still.</summary>
    public void FreezeOne() => _process!.FreezeYoungest();

    /// <summary>The URL of a path: <c>ftp://localhost:port/path</c>, escaped.</summary>
    public Uri Url(string path = "/", string host = "localhost") => Url(path, host, Port);

    /// <summary>The same at another port.</summary>
    public Uri Url(string path, string host, int port) =>
        new(string.Create(CultureInfo.InvariantCulture,
            $"{Scheme}://{host}:{port}{string.Join('/', path.Split('/').Select(Uri.EscapeDataString))}"));

    /// <summary>A client with this server's log-in; the checks are the defaults.</summary>
    public TransferClient Client(Func<TransferClientOptions, TransferClientOptions>? change = null, string host = "localhost") =>
        Client(Url(host: host), change);

    /// <summary>The same for another endpoint.</summary>
    public abstract TransferClient Client(Uri endpoint, Func<TransferClientOptions, TransferClientOptions>? change = null);

    /// <summary>The local file behind a remote path.</summary>
    public string Local(string path) => path.StartsWith(Home, StringComparison.Ordinal)
        ? Path.Combine(Root, path[Home.Length..].TrimStart('/'))
        : throw new ArgumentException($"{path} is not below {Home}.", nameof(path));

    /// <summary>Puts a file there behind the server's back.</summary>
    public void Plant(string path, byte[] content)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Local(path))!);
        File.WriteAllBytes(Local(path), content);
        ServerUser.Own(Root);
    }

    public virtual ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        _process?.Dispose();
        _process = null;
        _ports.Dispose();
        return ValueTask.CompletedTask;
    }

    protected abstract string Scheme { get; }

    /// <summary>Writes the configuration.</summary>
    protected abstract void Configure();

    private protected abstract ServerProcess Launch();

    /// <summary>The password in crypt's SHA-512 form, which all servers can check.</summary>
    protected string PasswordHash() => Variant.IsHashedSlowly
        ? Shell.Run("perl", ["-e", Yescrypt], Credential.Password).Trim()
        : Shell.Run("openssl", ["passwd", "-6", "-stdin"], Credential.Password + "\n").Trim();

    private static string ReadShared(string file, long from)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        stream.Position = from;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }

    /// <summary>
    /// Connects once, and waits until the server has let go of the connection, so that it does not count against a limit.
    /// </summary>
    private async Task<bool> AnswersAsync()
    {
        using var socket = Variant.Place.Inside(() => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        try
        {
            await socket.ConnectAsync(Variant.Place.Address, Port);
            await using var stream = new NetworkStream(socket);
            if (Variant.Tls != ServerTls.Implicit) await stream.WriteAsync("QUIT\r\n"u8.ToArray());
            socket.Shutdown(SocketShutdown.Send);
            using var limit = new CancellationTokenSource(StartTimeout);
            await stream.CopyToAsync(Stream.Null, limit.Token);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
        catch (IOException)
        {
            // Reset while it starts, or by a TLS server that was shown no TLS: it is there in the second case, and asked again in the
            // first.
            return Variant.Tls == ServerTls.Implicit;
        }
    }
}
