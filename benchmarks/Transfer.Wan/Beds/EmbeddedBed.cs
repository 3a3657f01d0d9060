using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Transfer.ServerTests;
using Transfer.ServerTests.Servers;
using Transfer.Testing;
using Transfer.Wan.Clients;
using Transfer.Wan.Link;
using Transfer.Wan.Records;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Beds;

/// <summary>
/// What serves where no link can be made: the embedded FTP server behind the link in process of Transfer.Testing, which has delay and rate
/// but no packets,
/// and our own clients. Its records say so: <c>in-process</c>, and <c>embedded</c> for the server.
/// </summary>
internal sealed class EmbeddedBed : TestBed
{
    private const string Name = "embedded";
    private const int ProbeBytes = 4 << 20;
    private const int Pings = 10;

    private readonly string _root = Directory.CreateDirectory(Path.Combine(TestHost.Folder, "embedded")).FullName;
    private FtpTestServer? _server;
    private LinkShape? _shape;

    public override string CongestionControl => "none: the link is in process";

    public override bool CanShutIn => false;

    public override double? ProcessorSeconds => null;

    public override string? WhyNot(Scenario scenario)
    {
        if (scenario.Protocol != Protocol.FTP) return "this machine has no link: only FTP can be shown in process";
        return scenario.Link is { Loss: 0, Jitter: 0 } ? null : "the link in process has neither loss nor jitter, and is no loopback";
    }

    public override string? WhyNot(string client) =>
        ClientCatalog.Find(client) is TransferClientCommand or StockClient
        ? null : "on the link in process only our own clients are measured";

    public override async Task<LinkChecked?> PrepareAsync(LinkShape shape)
    {
        if (shape == _shape) return null;
        _shape = shape;
        if (_server is not null) await _server.DisposeAsync();
        _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = new DirectoryStore(_root), Link = Options(shape) });
        return new LinkChecked
        {
            Link = LinkNames.Of(shape),
            Means = "in-process",
            Asked = shape,
            Given = await ProbeAsync(Options(shape))
        };
    }

    public override Task<ServerAccess> ServerAsync(Scenario scenario)
    {
        var endpoint = _server?.EndPoint ?? throw new InvalidOperationException("The link was not prepared.");
        return Task.FromResult(new ServerAccess
        {
            Name = Name,
            Protocol = Protocol.FTP,
            Host = endpoint.Address.ToString(),
            Port = endpoint.Port,
            User = "demo",
            Password = "demo",
            Root = _root,
        });
    }

    public override ServerPlace ClientPlace(Scenario scenario) => ServerPlace.Here;

    public override ServerPlace FarPlace => ServerPlace.Here;

    public override async ValueTask DisposeAsync()
    {
        if (_server is not null) await _server.DisposeAsync();
    }

    private static LinkOptions Options(LinkShape shape) => new()
    {
        RoundTrip = TimeSpan.FromMilliseconds(shape.RoundTrip),
        BytesPerSecond = shape.Rate > 0 ? (long)(shape.Rate * 125_000) : null,
    };

    /// <summary>Bytes there and back through a link of the same kind: one at a time for its delay, many for its rate.</summary>
    private static async Task<LinkShape> ProbeAsync(LinkOptions options)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        await using var link = await TestLink.StartAsync(listener.LocalEndpoint, options);
        using var near = new TcpClient { NoDelay = true };
        await near.ConnectAsync(link.EndPoint);
        using var far = await listener.AcceptTcpClientAsync();
        far.NoDelay = true;

        var one = new byte[1];
        var fastest = double.MaxValue;
        for (var i = 0; i <= Pings; i++)
        {
            var start = Stopwatch.GetTimestamp();
            await near.GetStream().WriteAsync(one);
            await far.GetStream().ReadExactlyAsync(one);
            await far.GetStream().WriteAsync(one);
            await near.GetStream().ReadExactlyAsync(one);
            // The first has the connection's round trip in it.
            if (i > 0) fastest = Math.Min(fastest, Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }

        var bytes = new byte[ProbeBytes];
        var sending = near.GetStream().WriteAsync(bytes).AsTask();
        var received = new byte[ProbeBytes];
        await far.GetStream().ReadExactlyAsync(received.AsMemory(0, 1));
        var began = Stopwatch.GetTimestamp();
        await far.GetStream().ReadExactlyAsync(received.AsMemory(1));
        var rate = (ProbeBytes - 1) * 8 / 1e6 / Stopwatch.GetElapsedTime(began).TotalSeconds;
        await sending;
        return new LinkShape { RoundTrip = Math.Round(fastest, 3), Rate = Math.Round(rate, 1) };
    }
}
