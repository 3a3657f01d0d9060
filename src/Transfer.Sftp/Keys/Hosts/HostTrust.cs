using Microsoft.Extensions.Logging;
using Transfer.Local;

namespace Transfer.Sftp.Keys.Hosts;

/// <summary>Trust by pins and known_hosts files, according to <see cref="SshHostKeyOptions"/>.</summary>
internal sealed class HostTrust : IHostTrust
{
    private readonly IReadOnlyList<string> _files;
    private readonly string? _newHostsFile;
    private readonly IReadOnlyList<string> _pins;
    private readonly bool _acceptNew;
    private readonly Func<SshHostKey, CancellationToken, ValueTask<bool>>? _decide;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Task<bool>> _decided = new(StringComparer.Ordinal);
    private readonly HostKeyRules _rules;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;

    /// <summary>
    /// Creates the trust. Files that the options do not name are the user's, perhaps others than the usual two, and those for all users,
    /// which are never written.
    /// </summary>
    /// <exception cref="ArgumentException">A pin is not a fingerprint.</exception>
    public HostTrust(SshHostKeyOptions options, TimeProvider time, ILogger logger, IReadOnlyList<string>? userFiles = null,
        HostKeyRules? rules = null)
    {
        _rules = rules ?? new HostKeyRules();
        var own = options.KnownHostsFiles ?? userFiles ?? UserFiles(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile));
        _files = options.KnownHostsFiles ?? [.. own, .. _rules.GlobalKnownHostsFiles ?? SystemFiles()];
        _newHostsFile = own is [var first, ..] ? first : null;
        _pins = [.. options.Pins.Select(SshFingerprint.Normalize)];
        _acceptNew = options.AcceptNew;
        _decide = options.Decide;
        _time = time;
        _logger = logger;
    }

    /// <summary>The user's default files.</summary>
    public static IReadOnlyList<string> UserFiles(string home) => SshFolders.User(home, "known_hosts", "known_hosts2");

    /// <inheritdoc/>
    public async ValueTask PrepareAsync(CancellationToken ct)
    {
        foreach (var file in _files) await KnownHostsFile.PrepareAsync(file, _logger, ct).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> KnownTypes(string host, int port) => _pins.Count > 0 ? [] : Read().KnownTypes(host, port);

    /// <inheritdoc/>
    public async ValueTask VerifyAsync(string host, int port, SshPublicKey key, CancellationToken ct)
    {
        await PrepareAsync(ct).ConfigureAwait(false);
        var plain = (key as SshCertificate)?.Key ?? key;
        CheckRules(HostName.WithPort(host, port), key, plain);
        var verdict = Read().Judge(host, port, key, _time.GetUtcNow(), out var reason);
        if (verdict != HostKeyVerdict.Revoked && _pins.Count > 0)
        {
            if (_pins.Contains(plain.Fingerprint)) return;
            throw Refuse(
                $"The host key of {HostName.WithPort(host, port)}, {plain.Type} {plain.Fingerprint}, is not the one that is pinned, "
                + $"{string.Join(" or ", _pins)}.");
        }

        if (verdict == HostKeyVerdict.Known) return;
        if (verdict != HostKeyVerdict.New) throw Refuse(reason);
        if (_acceptNew) await AcceptAsync(host, port, plain, ct).ConfigureAwait(false);
        else if (_decide is null || !await DecisionOf(host, port, plain, ct).WaitAsync(ct).ConfigureAwait(false)) throw Refuse(reason);
    }

    private static TransferException Refuse(string reason) => new(TransferError.HostKey, reason);

    private static string[] SystemFiles() =>
        [Path.Combine(SshFolders.System, "ssh_known_hosts"), Path.Combine(SshFolders.System, "ssh_known_hosts2")];

    private KnownHosts Read() => new([.. _files.SelectMany(file => KnownHostsFile.Read(file, _logger))], _rules.AuthoritySignatures);

    /// <summary>Checks the reasons to refuse any key, even a known or pinned one.</summary>
    private void CheckRules(string name, SshPublicKey key, SshPublicKey plain)
    {
        foreach (var file in _rules.RevokedKeysFiles)
        {
            if (RevokedKeysFile.FindReason(file, key) is { } reason)
                throw Refuse($"The host key of {name}, {plain.Type} {plain.Fingerprint}, is revoked: {reason}.");
        }

        if (plain is RsaPublicKey { Bits: var bits } && bits < _rules.MinimumRsaBits)
        {
            throw Refuse(
                $"The host key of {name}, {plain.Type} {plain.Fingerprint}, has {bits} bits, and RequiredRSASize wants "
                + $"{_rules.MinimumRsaBits}.");
        }
    }

    // Several connections to a host wait for one decision.
    private Task<bool> DecisionOf(string host, int port, SshPublicKey key, CancellationToken ct)
    {
        var name = $"{HostName.WithPort(host, port)} {key.Fingerprint}";
        lock (_gate)
        {
            if (_decided.TryGetValue(name, out var before) && before is not { IsCompleted: true, IsCompletedSuccessfully: false })
                return before;
            return _decided[name] = Task.Run(() => DecideAsync(host, port, key, ct), CancellationToken.None);
        }
    }

    private async Task<bool> DecideAsync(string host, int port, SshPublicKey key, CancellationToken ct)
    {
        if (!await _decide!(SshHostKey.Of(host, port, key), ct).ConfigureAwait(false)) return false;
        await AcceptAsync(host, port, key, ct).ConfigureAwait(false);
        return true;
    }

    /// <summary>
    /// Writes the key to the file. When that fails the key is accepted all the same, as with OpenSSH: the host was new, and a warning
    /// reports the failure.
    /// </summary>
    private async ValueTask AcceptAsync(string host, int port, SshPublicKey key, CancellationToken ct)
    {
        var name = HostName.WithPort(host, port);
        if (_newHostsFile is not { } file || !HostName.IsWritable(name))
        {
            Log.HostKeyAcceptedUnwritten(_logger, name, key.Type, key.Fingerprint,
                _newHostsFile is null ? "no file of known hosts is set" : "no file could hold such a name");
            return;
        }

        var (verdict, reason) = (HostKeyVerdict.New, string.Empty);
        try
        {
            var line = $"{(_rules.HashesNames ? KnownHost.Hash(name) : name)} {key.Type} {Convert.ToBase64String(key.Blob.Span)}";
            await KnownHostsFile.AppendAsync(file, line, StillNew, _logger, ct).ConfigureAwait(false);
            if (verdict == HostKeyVerdict.New) Log.HostKeyAccepted(_logger, name, key.Type, key.Fingerprint, file);
        }
        catch (Exception error) when (LocalErrors.IsLocal(error))
        {
            Log.HostKeyAcceptedUnwritten(_logger, name, key.Type, key.Fingerprint, LocalErrors.Describe(error));
        }

        if (verdict is not (HostKeyVerdict.New or HostKeyVerdict.Known)) throw Refuse(reason);

        bool StillNew(IReadOnlyList<KnownHost> lines)
        {
            verdict = new KnownHosts(lines).Judge(host, port, key, _time.GetUtcNow(), out reason);
            return verdict == HostKeyVerdict.New;
        }
    }
}
