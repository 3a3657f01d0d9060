using System.Globalization;
using System.Net.Sockets;
using Transfer.ServerTests;
using Transfer.ServerTests.Servers;

namespace Transfer.Wan.Servers;

/// <summary>lighttpd for the HTTP rows: static files and ranges.</summary>
internal sealed class LighttpdServer : IDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(15);

    private readonly ServerProcess _process;
    private readonly Ports _ports;

    private LighttpdServer(ServerProcess process, string root, Ports ports)
    {
        _process = process;
        Root = root;
        _ports = ports;
    }

    /// <summary>The program as <c>./build.sh wan</c> unpacked it.</summary>
    public static string Program => Path.Combine(ServerFiles.Repository, "artifacts", "servers", "usr", "sbin", "lighttpd");

    public string Root { get; }

    public int Port => _ports.First;

    public static async Task<LighttpdServer> StartAsync(ServerPlace place)
    {
        var folder = Directory.CreateDirectory(Path.Combine(TestHost.Folder, "lighttpd")).FullName;
        var root = Directory.CreateDirectory(Path.Combine(folder, "root")).FullName;
        var ports = Ports.NextBlock();
        var port = ports.First;
        var configuration = Path.Combine(folder, "lighttpd.conf");
        var log = Path.Combine(folder, "server.log");
        File.WriteAllText(log, string.Empty);
        File.WriteAllText(configuration, string.Create(CultureInfo.InvariantCulture, $"""
            server.document-root = "{root}"
            server.bind = "{place.Address}"
            server.port = {port}
            server.username = "{ServerUser.Name}"
            server.groupname = "{ServerUser.Name}"
            server.modules = ()
            mimetype.assign = ( "" => "application/octet-stream" )

            """));
        var modules = Path.Combine(ServerFiles.Repository, "artifacts", "servers", "usr", "lib", "lighttpd");
        var process = place.Inside(() => ServerProcess.Start(log, Program, ["-D", "-f", configuration, "-m", modules]));
        var deadline = DateTime.UtcNow + StartTimeout;
        while (!await AnswersAsync(place, port))
        {
            if (process.HasExited || DateTime.UtcNow > deadline)
            {
                process.Dispose();
                ports.Dispose();
                throw new InvalidOperationException($"lighttpd does not answer: {await File.ReadAllTextAsync(log)}");
            }

            await Task.Delay(20);
        }

        return new LighttpdServer(process, root, ports);
    }

    public void Dispose()
    {
        _process.Dispose();
        _ports.Dispose();
    }

    private static async Task<bool> AnswersAsync(ServerPlace place, int port)
    {
        using var socket = place.Inside(() => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        try
        {
            await socket.ConnectAsync(place.Address, port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
