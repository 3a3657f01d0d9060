namespace Transfer.Sftp.Keys;

/// <summary>The folders of OpenSSH's files.</summary>
internal static class SshFolders
{
    /// <summary>Below a user's home.</summary>
    public const string InHome = ".ssh";

    /// <summary>Files in a user's folder; none for a user without a home.</summary>
    public static IReadOnlyList<string> User(string home, params IEnumerable<string> names) =>
        home.Length == 0 ? [] : [.. names.Select(name => Path.Combine(home, InHome, name))];

    /// <summary>For all users.</summary>
    public static string System => OperatingSystem.IsWindows()
        ? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.CommonApplicationData), "ssh")
        : "/etc/ssh";
}
