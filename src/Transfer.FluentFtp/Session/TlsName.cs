using System.Collections.Concurrent;
using System.Net;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// The host's name for a session's TLS connections, in a casing of its own. The platform keeps one TLS session for each name, compared by
/// case, so parallel sessions would overwrite each other's, and servers refuse data connections that do not resume their control
/// connection's (vsftpd's <c>require_ssl_reuse</c>). Neither the check of a certificate nor a server distinguishes casings.
/// </summary>
internal sealed class TlsName : IDisposable
{
    private const int MostLetters = 16;

    private static readonly ConcurrentDictionary<string, Casings> Hosts = new(StringComparer.OrdinalIgnoreCase);

    private readonly Casings _casings;
    private readonly int _number;

    private TlsName(string text, Casings casings, int number)
    {
        Text = text;
        _casings = casings;
        _number = number;
    }

    /// <summary>The name.</summary>
    public string Text { get; }

    /// <summary>Takes a casing of a host's name; null: an address, which has none, or all casings are in use.</summary>
    public static TlsName? Take(string host)
    {
        if (IPAddress.TryParse(host, out _)) return null;
        var casings = Hosts.GetOrAdd(host, static name => new Casings(Math.Min(MostLetters, name.Count(char.IsAsciiLetter))));
        return casings.Take() is { } number ? new TlsName(Cased(host, number), casings, number) : null;
    }

    public void Dispose() => _casings.Return(_number);

    // Bit n is the n-th letter.
    private static string Cased(string host, int number) => string.Create(host.Length, (host, number), static (span, state) =>
    {
        var bit = 0;
        for (var i = 0; i < span.Length; i++)
        {
            var c = state.host[i];
            if (char.IsAsciiLetter(c)) c = (state.number & (1 << bit++)) != 0 ? char.ToUpperInvariant(c) : char.ToLowerInvariant(c);
            span[i] = c;
        }
    });

    // The plain lower-case name, 0, stays free for other users of TLS in the process. Casings are used in turn: a recent one would let a
    // new control connection resume an old session, which servers need not take for the new one's.
    private sealed class Casings(int letters)
    {
        private readonly int _most = (1 << letters) - 1;
        private readonly HashSet<int> _used = [];
        private int _last;

        public int? Take()
        {
            lock (_used)
            {
                if (_used.Count == _most) return null;
                do _last = (_last % _most) + 1;
                while (!_used.Add(_last));
                return _last;
            }
        }

        public void Return(int number)
        {
            lock (_used) _used.Remove(number);
        }
    }
}
