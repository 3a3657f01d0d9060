using Transfer.Sftp.Ssh.Ciphers;

namespace Transfer.Sftp.Keys.Config;

/// <summary>The algorithms that a configuration leaves. A list changed by the options has precedence over the configuration's.</summary>
internal static class ConfigAlgorithms
{
    private static readonly SshAlgorithms Defaults = new();

    /// <exception cref="TransferException">
    /// <see cref="TransferError.Unsupported"/>: nothing that the configuration allows is built in.
    /// </exception>
    public static SshAlgorithms Apply(ConfigValues values, SshAlgorithms given)
    {
        var ciphers = Apply(values, "ciphers", given.Ciphers, Defaults.Ciphers);
        if (ciphers.Count == 0) throw NoneLeft(values, "ciphers", Defaults.Ciphers);
        var macs = Apply(values, "macs", given.Macs, Defaults.Macs);
        if (macs.Count == 0)
        {
            // Ciphers that authenticate by themselves need none.
            ciphers = [.. ciphers.Where(name => CipherAlgorithm.Get(name).Authenticates)];
            if (ciphers.Count == 0) throw NoneLeft(values, "macs", Defaults.Macs);
            macs = Defaults.Macs;
        }

        return given with
        {
            Ciphers = ciphers,
            Macs = macs,
            KeyExchanges = RequireAny(values, "kexalgorithms", given.KeyExchanges, Defaults.KeyExchanges),
            HostKeys = RequireAny(values, "hostkeyalgorithms", given.HostKeys, Defaults.HostKeys),
        };
    }

    /// <summary>Returns the remaining names for a purpose without an option; null without a setting.</summary>
    public static IReadOnlyList<string>? Apply(ConfigValues values, string keyword, IReadOnlyList<string> ours) =>
        values.First(keyword) is null ? null : RequireAny(values, keyword, ours, ours);

    private static IReadOnlyList<string> RequireAny(ConfigValues values, string keyword, IReadOnlyList<string> given,
        IReadOnlyList<string> ours) =>
        Apply(values, keyword, given, ours) is { Count: > 0 } left ? left : throw NoneLeft(values, keyword, ours);

    private static IReadOnlyList<string> Apply(ConfigValues values, string keyword, IReadOnlyList<string> given,
        IReadOnlyList<string> ours) =>
        values.Text(keyword) is { } list && given.SequenceEqual(ours) ? AlgorithmList.Apply(list, ours) : given;

    private static TransferException NoneLeft(ConfigValues values, string keyword, IReadOnlyList<string> ours)
    {
        var line = values.First(keyword)!;
        return new TransferException(TransferError.Unsupported,
            $"{line.Place}: {line.Known!.Name} leaves nothing that is built here: {string.Join(", ", ours)}.");
    }
}
