#if FLUENTFTP
using BenchmarkDotNet.Attributes;
using FluentFTP;
using Transfer.Sessions;

namespace Transfer.Benchmarks.Ftp;

/// <summary>The same folder by FluentFTP, which has one connection and one command on its way.</summary>
public abstract partial class FtpFileBenchmarks
{
    private AsyncFtpClient? _fluent;

    [Benchmark(Description = "FluentFTP")]
    public async Task FluentFtp()
    {
        var client = _fluent ??= await ConnectAsync();
        var names = Enumerable.Range(0, Files).Select(i => $"file-{i:0000}");
        var results = Direction == WorkKind.Upload
            ? await client.UploadFiles(names.Select(name => Path.Combine(_localSource, name)), RemoteTarget)
            : await client.DownloadFiles(_localTarget, names.Select(name => $"{RemoteSource}/{name}"));
        if (results.Count != Files || results.Exists(result => !result.IsSuccess))
            throw new InvalidOperationException("FluentFTP did not move every file.");
    }

    partial void CleanUpPeers()
    {
        _fluent?.Dispose();
        _fluent = null;
    }

    private async Task<AsyncFtpClient> ConnectAsync()
    {
        var client = new AsyncFtpClient(
            _target.Endpoint.Host, _target.Credential.UserName, _target.Credential.Password, _target.Endpoint.Port);
        await client.Connect();
        return client;
    }
}
#endif
