using System.Globalization;

namespace Transfer.ServerTests.Servers;

/// <summary>The system user that the servers serve files as: one that every Debian has, whose home exists (vsftpd insists) and that owns nothing.</summary>
internal static class ServerUser
{
    public const string Name = "daemon";

    public static int Uid { get; } = Id("-u");

    public static int Gid { get; } = Id("-g");

    public static void Own(string path) => Shell.Run("chown", "-R", "-h", $"{Uid}:{Gid}", path);

    private static int Id(string what) => int.Parse(Shell.Run("id", what, Name), CultureInfo.InvariantCulture);
}
