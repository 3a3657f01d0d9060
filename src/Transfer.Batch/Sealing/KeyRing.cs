namespace Transfer.Batch.Sealing;

/// <summary>The keys with which a receiver opens archives. Thread-safe.</summary>
internal sealed class KeyRing : IDisposable
{
    // A header written without knowledge of any key may cost the reader time; this bounds the time.
    private const int MostPassphrases = 4;

    // Archives of one job follow each other: more than a few jobs at once are not remembered.
    private const int MostKnown = 16;

    private readonly Lock _gate = new();
    private readonly IReadOnlyList<IKeyUnwrapper> _keys;
    private readonly Dictionary<string, JobSecret> _known = [];

    /// <param name="keys">Tried in order.</param>
    public KeyRing(params IReadOnlyList<IKeyUnwrapper> keys)
    {
        _keys = keys;
    }

    /// <summary>Whether unsealed archives are accepted.</summary>
    public bool AllowsUnsealed { get; init; }

    /// <summary>Whether an archive was sealed with another passphrase than the one here.</summary>
    public bool HasOtherPassphrase { get; private set; }

    /// <summary>Whether the passphrase here has opened an archive.</summary>
    public bool HasOpenedPassphrase { get; private set; }

    /// <summary>Returns the secret of a sealed archive; null: the archive is not sealed, and need not be. Only the first frame proves the
    /// secret right.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Auth"/>: no key here fits.</exception>
    public JobSecret? Open(ArchiveHeader header)
    {
        if (!header.IsSealed)
        {
            return AllowsUnsealed
                ? null : throw new TransferException(TransferError.Auth, "The archive is not sealed, and that is not allowed here.");
        }

        var name = header.KeyName;
        lock (_gate)
        {
            if (_known.TryGetValue(name, out var known)) return new JobSecret(known.Bytes);
            var secret = Unwrap(header) ?? throw new TransferException(TransferError.Auth,
                "The archive is sealed for others: no key here opens it.");
            if (_known.Count >= MostKnown) Forget();
            _known.Add(name, secret);
            return new JobSecret(secret.Bytes);
        }
    }

    public void Dispose()
    {
        lock (_gate) Forget();
    }

    private void Forget()
    {
        foreach (var secret in _known.Values) secret.Dispose();
        _known.Clear();
    }

    private JobSecret? Unwrap(ArchiveHeader header)
    {
        var passphrases = 0;
        foreach (var wrap in header.Wraps)
        {
            if (wrap.Kind == KeyWrapKind.Passphrase && ++passphrases > MostPassphrases) continue;
            foreach (var key in _keys)
            {
                if (key.Unwrap(wrap, header.Job) is not { } secret) continue;
                HasOpenedPassphrase |= key is Passphrase;
                return secret;
            }
        }
        HasOtherPassphrase |= passphrases > 0 && _keys.Any(key => key is Passphrase);
        return null;
    }
}
