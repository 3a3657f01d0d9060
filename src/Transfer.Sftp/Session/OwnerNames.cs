using System.Globalization;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh;

namespace Transfer.Sftp.Session;

/// <summary>Turns the owners' numbers into names (users-groups-by-id@openssh.com), each number asked for once a listing.</summary>
internal sealed class OwnerNames
{
    private readonly SftpSessionContext _context;
    private readonly Dictionary<string, string> _names = new(StringComparer.Ordinal);

    public OwnerNames(SftpSessionContext context) => _context = context;

    public async ValueTask AddAsync(List<RemoteEntry> entries, CancellationToken ct)
    {
        if (!_context.Offers(SftpExtension.UsersGroups)) return;
        var unknown = entries.Where(entry => entry.Owner is not null).Select(entry => entry.Owner!).Distinct(StringComparer.Ordinal).Where(owner => !_names.ContainsKey(owner)).ToArray();
        if (unknown.Length > 0) await AskAsync(unknown, ct).ConfigureAwait(false);
        for (var i = 0; i < entries.Count; i++)
        {
            if (entries[i].Owner is { } owner && _names[owner] is { Length: > 0 } name) entries[i] = entries[i] with { Owner = name };
        }
    }

    private async ValueTask AskAsync(string[] numbers, CancellationToken ct)
    {
        // What gets no answer keeps its number.
        foreach (var number in numbers) _names[number] = string.Empty;
        var users = numbers.Select(number => uint.Parse(number, CultureInfo.InvariantCulture)).ToArray();
        var reply = await _context.Operations.UserNamesAsync(users, ct).ConfigureAwait(false);
        if (!reply.IsOk) return;
        _context.Read(reply, bytes =>
        {
            var list = new SshReader(new SshReader(bytes).ReadString());
            for (var i = 0; i < numbers.Length && !list.Rest.IsEmpty; i++) _names[numbers[i]] = _context.Names.GetString(list.ReadString());
            return true;
        });
    }
}
