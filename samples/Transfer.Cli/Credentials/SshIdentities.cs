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

    /// <summary>Loads keys; files of encrypted keys that an agent may hold are returned as such.</summary>
    public async ValueTask<(IReadOnlyList<SshIdentity> Keys, IReadOnlyList<string> Files)> LoadAsync(
        LoginArguments arguments, CancellationToken ct)
    {
        if (arguments.Identities.Count == 0) return (_defaults ??= Hold(await LoadDefaultsAsync(ct)), []);
        var (identities, files) = (new List<SshIdentity>(), new List<string>());
        foreach (var path in arguments.Identities)
        {
            if (await LoadAsync(path, arguments.Prefix + "identity", ct) is { } identity) identities.AddRange(Hold([identity]));
            else files.Add(path);
        }
        return (identities, files);
    }

    public void Dispose()
    {
        foreach (var identity in _loaded) identity.Dispose();
    }

    private async ValueTask<IReadOnlyList<SshIdentity>> LoadDefaultsAsync(CancellationToken ct) => host.HomeDirectory.Length == 0
        ? []
        : await SshIdentity.LoadDefaultsAsync(Path.Combine(host.HomeDirectory, ".ssh"), loggers.CreateLogger("Transfer.Sftp"), ct);

    // Null: the key is encrypted, and an agent may hold it.
    private async ValueTask<SshIdentity?> LoadAsync(string path, string option, CancellationToken ct)
    {
        if (path.Length == 0) throw new UsageException($"{option} is empty.");
        var isLeft = false;
        try
        {
            return await SshIdentity.FromFileAsync(path, async (file, token) =>
            {
                isLeft = host.Environment("SSH_AUTH_SOCK") is { Length: > 0 };
                return isLeft ? null : await AskAsync(file, option, token);
            }, ct);
        }
        catch (TransferException e) when (isLeft && e.Error == TransferError.Auth)
        {
            return null;
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
