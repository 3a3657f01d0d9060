using System.Globalization;

namespace Transfer.Sftp.Keys.Files;

/// <summary>
/// Groups with one member: distributions give each user such a group, and a file writable by this group is writable by no other user.
/// </summary>
internal static class OwnGroup
{
    private const string Users = "/etc/passwd";
    private const string Groups = "/etc/group";

    /// <summary>
    /// True when the user is the group's only member by the files of users and groups. A user or group missing there counts as foreign.
    /// </summary>
    public static bool HasSingleMember(uint user, uint group) => HasSingleMember(user, group, Read(Users), Read(Groups));

    /// <summary>Checks the texts of passwd(5) and group(5).</summary>
    public static bool HasSingleMember(uint user, uint group, string users, string groups)
    {
        var members = Fields(users).Where(fields => fields.Length > 3 && fields[3] == Text(group)).ToList();
        if (members is not [var only] || only[2] != Text(user)) return false;
        return Fields(groups).FirstOrDefault(fields => fields.Length > 3 && fields[2] == Text(group)) is { } entry
            && entry[3].Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).All(name => name == only[0]);
    }

    private static IEnumerable<string[]> Fields(string text) => text.Split('\n').Select(line => line.Split(':'));

    private static string Text(uint id) => id.ToString(CultureInfo.InvariantCulture);

    private static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Without the file no group counts as the user's own.
            return string.Empty;
        }
    }
}
