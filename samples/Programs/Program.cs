using System.Security.Cryptography;
using Programs;
using Transfer.Batch;
using Transfer.Sftp;
using Transfer.Testing;

// dotnet run --project samples/Programs -- NAME: runs one of them against a server in this process, in a folder of its own that goes with
// it.
var programs = new Dictionary<string, Func<Task>>
{
    ["upload"] = () => Stage.WithServerAsync(server => UploadFile.RunAsync(server.Uri, Stage.LogIn)),
    ["folder"] = () => Stage.WithServerAsync(server => SendFolder.RunAsync(server.Uri, Stage.LogIn)),
    ["mirror"] = () => Stage.WithServerAsync(MirrorTwiceAsync),
    ["follow"] = () => Stage.WithServerAsync(FollowAsync),
    // Over two slow sessions, so that the first run is stopped in the midst.
    ["resume"] = () => Stage.WithServerAsync(server => ResumeJob.RunAsync(server.Uri, Stage.LogIn),
        new FtpTestServerOptions { MaxConnections = 2, Link = new LinkOptions { RoundTrip = TimeSpan.FromMilliseconds(50) } }),
    ["sftp-key"] = KeyAsync,
    ["pin"] = PinAsync,
    ["errors"] = () => Stage.WithServerAsync(FailAsync),
    ["progress"] = () => Stage.WithServerAsync(server => ShowProgress.RunAsync(server.Uri, Stage.LogIn)),
    ["small-files"] = () => Stage.WithServerAsync(SmallFilesAsync),
    ["host-to-host"] = HostToHostAsync,
    ["relay"] = () => Stage.WithServerAsync(RelayAsync),
    ["servers"] = () => Stage.WithServerAsync(CopyAsync),
    ["hosting"] = () => Stage.WithServerAsync(server => HostedClients.RunAsync([
        $"--Inbox:Url={server.Uri}", "--Inbox:UserName=demo", "--Inbox:Password=demo", $"--Archive:Url={server.Uri}archive",
        "--Archive:Secret=demo"])),
    ["telemetry"] = () => Stage.WithServerAsync(server => LogAndMeasure.RunAsync(server.Uri, Stage.LogIn)),
    ["testing"] = TestYourCode.RunAsync,
};
if (args is not [var name] || !programs.TryGetValue(name, out var program))
{
    Console.Error.WriteLine($"Programs NAME, which is one of: {string.Join(", ", programs.Keys)}");
    return 2;
}

var folder = Directory.CreateTempSubdirectory("transfer-programs-");
Environment.CurrentDirectory = folder.FullName;
try
{
    await Stage.CreateFilesAsync();
    await program();
    return 0;
}
finally
{
    Environment.CurrentDirectory = Path.GetTempPath();
    folder.Delete(recursive: true);
}

static async Task MirrorTwiceAsync(FtpTestServer server)
{
    await MirrorNightly.RunAsync(server.Uri, Stage.LogIn);
    File.Delete("site/0.txt");
    await File.WriteAllTextAsync("site/1.txt", "changed since");
    await MirrorNightly.RunAsync(server.Uri, Stage.LogIn);
}

static async Task FollowAsync(FtpTestServer server)
{
    Directory.CreateDirectory("outbox");
    using var stop = new CancellationTokenSource();
    var following = FollowFolder.RunAsync(server.Uri, Stage.LogIn, stop.Token);
    await File.WriteAllTextAsync("outbox/order.csv", "one file");
    while (!File.Exists("outbox/sent/order.csv")) await Task.Delay(TimeSpan.FromMilliseconds(100));
    await stop.CancelAsync();
    await following;
}

static async Task KeyAsync()
{
    using var key = SftpTestKey.Create();
    await using var server = await SftpTestServer.StartAsync(new SftpTestServerOptions { AuthorizedKeys = [key.PublicKey] });
    await File.WriteAllTextAsync("id_ed25519", key.PrivateKey);
    // Others may not read it.
    if (!OperatingSystem.IsWindows()) File.SetUnixFileMode("id_ed25519", UnixFileMode.UserRead | UnixFileMode.UserWrite);
    await File.WriteAllTextAsync("known_hosts", server.KnownHosts);
    await SftpWithKey.RunAsync(new Uri($"sftp://demo@{server.EndPoint}/"), "id_ed25519", "known_hosts");
}

static async Task PinAsync()
{
    using var certificate = FtpTestCertificate.Create();
    var pin = "SHA256:" + Convert.ToBase64String(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo()));
    await Stage.WithServerAsync(async server =>
    {
        await PinServer.RunAsync(server.Uri, Stage.LogIn, pin);
        await PinServer.RunAsync(server.Uri, Stage.LogIn, "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }, new FtpTestServerOptions { Tls = FtpTestTls.Implicit, Certificate = certificate });
}

static async Task FailAsync(FtpTestServer server)
{
    server.Faults.DropConnection("STOR");
    server.Faults.Reply("STOR", "550 Not for you.", times: int.MaxValue, path: "*photos*");
    await HandleErrors.RunAsync(server.Uri, Stage.LogIn);
}

static async Task SmallFilesAsync(FtpTestServer server)
{
    await using var client = Stage.Connect(server);
    await ManySmallFiles.RunAsync(client);
}

static async Task HostToHostAsync()
{
    var address = new TaskCompletionSource<string>();
    var receiving = HostToHost.ReceiveAsync(address.SetResult);
    await HostToHost.SendAsync(await address.Task);
    Console.WriteLine($"{(await receiving).Files} files received");
}

static async Task RelayAsync(FtpTestServer server)
{
    using var sender = SpoolKey.Create();
    using var ann = SpoolKey.Create();
    using var ben = SpoolKey.Create();
    await using var client = Stage.Connect(server);
    await client.CreateDirectoryAsync("spool");
    await RelayThroughStore.SendAsync(client, sender, ann.Public!, ben.Public!);
    await RelayThroughStore.FetchAsync(client, "ann", ann, sender.Public!);
    await RelayThroughStore.FetchAsync(client, "ben", ben, sender.Public!);
}

static async Task CopyAsync(FtpTestServer from)
{
    await using var to = await SftpTestServer.StartAsync();
    await using var one = Stage.Connect(from);
    await using var two = new SftpTransferClient(to.Uri,
        new SftpOptions { Credential = Stage.LogIn, HostKeys = new SshHostKeyOptions { Pins = [to.Fingerprint] } });
    await one.UploadDirectoryAsync("photos", "photos");
    await CopyBetweenServers.RunAsync(one, two);
}
