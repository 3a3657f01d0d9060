using System.Collections.Concurrent;
using System.Globalization;
using System.Net;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// Lends TargetHost strings. The platform keeps one TLS session for each TargetHost (compared ordinally) and none for IP literals, so
/// parallel control connections to one host would overwrite each other's session and lose the resumption that FTP servers require of data
/// connections. For a DNS name the strings are the same name in different casings, which certificate check and server treat alike; for an
/// IP address they are names under the reserved domain "invalid" (RFC 6761 section 6.4).
/// </summary>
internal sealed class TlsTargetHosts
{
    private const int MostCasedLetters = 20;

    private readonly ConcurrentDictionary<string, Names> _hosts = new(StringComparer.Ordinal);

    /// <summary>One instance for the process, like the platform's cache.</summary>
    public static TlsTargetHosts Shared { get; } = new();

    /// <summary>Takes a string for a DNS name or IP literal.</summary>
    public TlsTargetHost Rent(string serverName)
    {
        var isAddress = IsAddress(serverName);
        var key = isAddress ? serverName.ToLowerInvariant() : ToAscii(serverName);
        var names = _hosts.GetOrAdd(key, static (_, address) => new Names(address), isAddress);
        lock (names)
        {
            if (names.RefusesSynthetic)
                return new TlsTargetHost(serverName, isExclusive: false, isSynthetic: false, giveBack: null);
            if (!names.Free.TryPop(out var number))
            {
                if (!isAddress && names.Next >= CasingCount(key))
                    return new TlsTargetHost(key, isExclusive: false, isSynthetic: false, giveBack: null);
                number = names.Next++;
            }

            return new TlsTargetHost(isAddress ? Synthetic(key, number) : Cased(key, number), isExclusive: true, isAddress,
                () => GiveBack(names, number));
        }
    }

    /// <summary>Gives up synthetic names, and so resumption, for this address: the server broke off a handshake with such a name.</summary>
    public void RefuseSynthetic(string serverName) => SetRefuses(serverName, true);

    /// <summary>Allows synthetic names again: the handshake failed without one as well.</summary>
    public void AllowSynthetic(string serverName) => SetRefuses(serverName, false);

    /// <summary>Whether a name is an IPv4 or IPv6 literal.</summary>
    public static bool IsAddress(string serverName) =>
        Uri.CheckHostName(serverName) is UriHostNameType.IPv4 or UriHostNameType.IPv6 && IPAddress.TryParse(serverName, out _);

    private void SetRefuses(string serverName, bool refuses)
    {
        if (_hosts.TryGetValue(serverName.ToLowerInvariant(), out var names) && names.IsAddress)
        {
            lock (names)
                names.RefusesSynthetic = refuses;
        }
    }

    private static void GiveBack(Names names, int number)
    {
        lock (names)
            names.Free.Push(number);
    }

    private static string ToAscii(string name)
    {
        name = name.TrimEnd('.');
        try
        {
            return new IdnMapping().GetAscii(name).ToLowerInvariant();
        }
        catch (ArgumentException)
        {
            // Not a name for IDN, such as one with an underscore: used unchanged.
            return name.ToLowerInvariant();
        }
    }

    private static long CasingCount(string name) => 1L << Math.Min(MostCasedLetters, name.Count(char.IsAsciiLetter));

    /// <summary>
    /// Bit n of the casing is the n-th letter. The plain lower-case name comes last: the process's other TLS connections use that.
    /// </summary>
    private static string Cased(string name, int number)
    {
        var casing = (number + 1) % CasingCount(name);
        return string.Create(name.Length, (name, casing), static (span, state) =>
        {
            var bit = 0;
            for (var i = 0; i < span.Length; i++)
            {
                var c = state.name[i];
                if (char.IsAsciiLetter(c) && bit < MostCasedLetters && (state.casing & (1L << bit++)) != 0)
                    c = char.ToUpperInvariant(c);
                span[i] = c;
            }
        });
    }

    private static string Synthetic(string address, int number)
    {
        var label = string.Concat(address.Select(c => char.IsAsciiLetterOrDigit(c) ? c : '-'));
        return string.Create(CultureInfo.InvariantCulture, $"c{number}.ip-{label}-x.transfer.invalid");
    }

    private sealed class Names(bool isAddress)
    {
        public bool IsAddress { get; } = isAddress;

        public bool RefusesSynthetic { get; set; }

        public Stack<int> Free { get; } = new();

        public int Next { get; set; }
    }
}
