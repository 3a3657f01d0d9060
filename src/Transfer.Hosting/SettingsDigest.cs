using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Transfer.Hosting;

/// <summary>
/// A SHA-256 of everything that a client is made of: settings, log-in, and the content of key files. Equal digests make equal clients, so
/// that a change elsewhere in the configuration ends no session of a client.
/// </summary>
internal static class SettingsDigest
{
    /// <summary>Computes the digest.</summary>
    /// <param name="settings">The settings.</param>
    /// <param name="credential">The log-in, from settings, a file or the application; null: none.</param>
    /// <exception cref="IOException">A key file cannot be read.</exception>
    public static byte[] Of(TransferClientSettings settings, TransferCredential? credential)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        IEnumerable<string?> values =
        [
            settings.Url?.OriginalString, credential?.UserName, credential?.Password, settings.IdentityPassphrase, settings.KnownHosts,
            Text(settings.MaxSessions), Text(settings.IdleTimeout?.Ticks), Text(settings.LogInTimeout?.Ticks),
            Text(settings.MaxBytesPerSecond), Text(settings.RateChanges.Count), .. settings.RateChanges.SelectMany(Texts),
            Text(settings.Pins.Count), .. settings.Pins, .. settings.Identities,
        ];
        foreach (var value in values) Add(hash, value is null ? null : Encoding.UTF8.GetBytes(value));
        foreach (var file in settings.Url?.Scheme == "sftp" ? settings.Identities : [])
        {
            Add(hash, File.ReadAllBytes(file));
            Add(hash, File.Exists(file + "-cert.pub") ? File.ReadAllBytes(file + "-cert.pub") : null);
        }

        return hash.GetHashAndReset();
    }

    private static string?[] Texts(RateChange change) => [Text(change.Time.Ticks), Text(change.BytesPerSecond), Text((long?)change.Day)];

    private static string? Text(long? number) => number?.ToString(CultureInfo.InvariantCulture);

    // With the length before the value, no two lists of values have the same bytes; null is no empty text.
    private static void Add(IncrementalHash hash, byte[]? value)
    {
        hash.AppendData(BitConverter.GetBytes(value?.Length ?? -1));
        hash.AppendData(value ?? []);
    }
}
