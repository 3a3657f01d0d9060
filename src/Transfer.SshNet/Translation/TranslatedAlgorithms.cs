using Renci.SshNet;
using Transfer.Sftp;

namespace Transfer.SshNet.Translation;

/// <summary>Lists of algorithms that the application has changed: the remaining names, in the application's order.</summary>
internal static class TranslatedAlgorithms
{
    // An untouched connection, to detect changes.
    private static ConnectionInfo Untouched => new("localhost", "nobody", new NoneAuthenticationMethod("nobody"));

    /// <summary>Returns the algorithms of a connection.</summary>
    /// <exception cref="NotSupportedException">Transfer.Sftp has no algorithm of a changed list, or compression is required.</exception>
    public static SshAlgorithms Of(ConnectionInfo connection)
    {
        var (untouched, own) = (Untouched, new SshAlgorithms());
        if (!connection.CompressionAlgorithms.ContainsKey("none"))
        {
            throw new NotSupportedException(
                $"{nameof(ConnectionInfo.CompressionAlgorithms)}: without \"none\"; Transfer.Sftp does not compress.");
        }

        return own with
        {
            KeyExchanges = Of(connection.KeyExchangeAlgorithms, untouched.KeyExchangeAlgorithms, own.KeyExchanges,
                nameof(ConnectionInfo.KeyExchangeAlgorithms)),
            HostKeys = Of(connection.HostKeyAlgorithms, untouched.HostKeyAlgorithms, own.HostKeys,
                nameof(ConnectionInfo.HostKeyAlgorithms)),
            Ciphers = Of(connection.Encryptions, untouched.Encryptions, own.Ciphers, nameof(ConnectionInfo.Encryptions)),
            Macs = Of(connection.HmacAlgorithms, untouched.HmacAlgorithms, own.Macs, nameof(ConnectionInfo.HmacAlgorithms)),
        };
    }

    private static IReadOnlyList<string> Of<T>(IOrderedDictionary<string, T> chosen, IOrderedDictionary<string, T> untouched,
        IReadOnlyList<string> own, string property)
    {
        if (chosen.Keys.SequenceEqual(untouched.Keys)) return own;
        string[] common = [.. chosen.Keys.Where(own.Contains)];
        if (common.Length == 0)
            throw new NotSupportedException($"{property}: Transfer.Sftp has none of {string.Join(", ", chosen.Keys)}.");
        return common;
    }
}
