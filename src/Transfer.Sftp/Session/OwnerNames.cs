using System.Collections.Concurrent;
using System.Globalization;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Session;

/// <summary>
/// Replaces the owners' numbers in listings by names (users-groups-by-id@openssh.com), each number looked up once a session. Single
/// entries keep theirs: a look-up for each would cost a round trip more before every file. Thread-safe.
/// </summary>
internal sealed class OwnerNames
{
    private const int MostKept = 10_000;

    private readonly SftpSessionContext _context;
    private readonly ConcurrentDictionary<string, string> _names = new(StringComparer.Ordinal);

    public OwnerNames(SftpSessionContext context) => _context = context;

    public async ValueTask AddAsync(List<RemoteEntry> entries, CancellationToken ct)
    {
        if (!_context.Offers(SftpExtension.UsersGroups)) return;
        var unknown = entries.Where(entry => entry.Owner is not null).Select(entry => entry.Owner!).Distinct(StringComparer.Ordinal).Where(
            owner => !_names.ContainsKey(owner)).ToArray();
        if (unknown.Length > 0) await RequestNamesAsync(unknown, ct).ConfigureAwait(false);
        for (var i = 0; i < entries.Count; i++)
        {
            if (entries[i].Owner is { } owner && _names.TryGetValue(owner, out var name) && name.Length > 0)
                entries[i] = entries[i] with { Owner = name };
        }
    }

    private async ValueTask RequestNamesAsync(string[] numbers, CancellationToken ct)
    {
        var users = Array.ConvertAll(numbers, number => uint.Parse(number, CultureInfo.InvariantCulture));
        var reply = await _context.Operations.UserNamesAsync(users, ct).ConfigureAwait(false);
        if (_names.Count + numbers.Length > MostKept) _names.Clear();
        // A number without a name, or with an empty one, is kept. Another listing may have found the name meanwhile.
        foreach (var number in numbers) _names.TryAdd(number, string.Empty);
        if (!reply.IsOk) return;
        _context.Read(reply, bytes =>
        {
            var list = new SshReader(new SshReader(bytes).ReadString());
            for (var i = 0; i < numbers.Length && !list.Rest.IsEmpty; i++) _names[numbers[i]] = _context.Names.GetString(list.ReadString());
            return true;
        });
    }
}
