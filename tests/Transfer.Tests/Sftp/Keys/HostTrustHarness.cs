using Transfer.Sftp;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Hosts;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Sftp.Keys;

/// <summary>Trust over a known_hosts file of the test's own; the clock stands at 2025.</summary>
internal sealed class HostTrustHarness : IDisposable
{
    private readonly TempFolder _folder = new();

    public HostTrustHarness(params string[] lines)
    {
        Path = System.IO.Path.Combine(_folder.Path, "ssh", "known_hosts");
        if (lines.Length == 0) return;
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(Path)!);
        File.WriteAllText(Path, string.Join('\n', lines));
    }

    public string Path { get; }

    public ManualTime Time { get; } = new(new DateTimeOffset(2025, 1, 1, 0, 0, 0, TimeSpan.Zero));

    public RecordingLogger Log { get; } = new();

    public SshHostKeyOptions Options => new() { KnownHostsFiles = [Path] };

    public HostKeyRules Rules { get; set; } = new();

    public HostTrust Trust(Func<SshHostKeyOptions, SshHostKeyOptions>? change = null) =>
        new((change ?? (o => o))(Options), Time, Log, rules: Rules);

    /// <summary>Makes a named pipe beside the file of known hosts.</summary>
    public string AddPipe(string name) => _folder.AddPipe(name);

    /// <summary>Writes a file beside that of known hosts.</summary>
    public string Write(string name, string text) => _folder.AddPrivate(name, text);

    /// <summary>The message of the refusal, or null when the key is trusted.</summary>
    public async Task<string?> RefusalAsync(string host, int port, SshPublicKey key,
        Func<SshHostKeyOptions, SshHostKeyOptions>? change = null)
    {
        try
        {
            await Trust(change).VerifyAsync(host, port, key, default);
            return null;
        }
        catch (TransferException error) when (error.Error == TransferError.HostKey)
        {
            return error.Message;
        }
    }

    public void Dispose() => _folder.Dispose();
}
