using BenchmarkDotNet.Attributes;
using Renci.SshNet;
using Transfer.ServerTests.Servers;
using Transfer.Sessions;

namespace Transfer.Benchmarks.Sftp;

/// <summary>The same job by SSH.NET, with its own choice of algorithms.</summary>
public partial class OpenSshBenchmarks
{
    [Benchmark(Description = "SSH.NET")]
    public async Task SshNet()
    {
        using var key = new PrivateKeyFile(SshKeys.PlainUser("ed25519"));
        using var client = new SftpClient("127.0.0.1", _server.Port, SshKeys.User, key);
        await client.ConnectAsync(CancellationToken.None);
        if (Direction == WorkKind.Upload)
        {
            await using var source = File.OpenRead(_local);
            client.UploadFile(source, Remote);
        }
        else
        {
            await using var target = File.Create(_local);
            client.DownloadFile(Remote, target);
        }
    }
}
