using Microsoft.Extensions.Logging;
using Transfer.Cli.Output;
using Transfer.Sftp;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Loads the private keys to log in with and holds them: those that options name, else those that OpenSSH tries by itself.
/// </summary>
internal sealed class SshIdentities(CommandHost host, Messages messages, ILoggerFactory loggers) : IDisposable
{
    private readonly List<SshIdentity> _loaded = [];
    private IReadOnlyList<SshIdentity>? _defaults;

    public async ValueTask<IReadOnlyList<SshIdentity>> LoadAsync(LoginArguments arguments, CancellationToken ct)
    {
        if (arguments.Identities.Count == 0) return _defaults ??= Hold(await LoadDefaultsAsync(ct));
        var identities = new List<SshIdentity>();
        foreach (var path in arguments.Identities) identities.AddRange(Hold([await LoadAsync(path, arguments.Prefix + "identity", ct)]));
        return identities;
    }

    public void Dispose()
    {
        foreach (var identity in _loaded) identity.Dispose();
    }

    private async ValueTask<IReadOnlyList<SshIdentity>> LoadDefaultsAsync(CancellationToken ct) => host.HomeDirectory.Length == 0
        ? []
        : await SshIdentity.LoadDefaultsAsync(Path.Combine(host.HomeDirectory, ".ssh"), loggers.CreateLogger("Transfer.Sftp"), ct);

    private async ValueTask<SshIdentity> LoadAsync(string path, string option, CancellationToken ct)
    {
        if (path.Length == 0) throw new UsageException($"{option} is empty.");
        try
        {
            return await SshIdentity.FromFileAsync(path, async (file, token) => await AskAsync(file, option, token), ct);
        }
        catch (TransferException e) when (e.Error != TransferError.Auth)
        {
            throw new UsageException($"{option}: {e.Message}");
        }
    }

    private async ValueTask<string?> AskAsync(string file, string option, CancellationToken ct)
    {
        if (host.ReadSecret is not { } read)
        {
            throw new UsageException(
                $"{option}: {file} is encrypted, and there is no terminal to type its passphrase at; let an ssh-agent hold the key and "
                + "leave the option out.");
        }

        return await messages.AskAsync(() => read($"Passphrase for {PrintableText.Of(file)}: ", ct), ct);
    }

    private IReadOnlyList<SshIdentity> Hold(IReadOnlyList<SshIdentity> identities)
    {
        _loaded.AddRange(identities);
        return identities;
    }
}
