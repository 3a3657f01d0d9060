namespace Transfer.ServerTests.Servers;

/// <summary>
/// An /etc for the mount namespace of a server that knows system users only: a user who logs in with a password, with the ids of
/// <see cref="ServerUser"/>. It is a whole folder because a file that is mounted over shows again when it is replaced outside, as every
/// useradd does.
/// </summary>
internal static class Accounts
{
    /// <summary>
    /// Writes it into a folder, and returns its path. The user's shell runs the sftp-server program, so it must be one; sshd itself wants
    /// an account to drop its rights to.
    /// </summary>
    public static string Write(string folder, string user, string passwordHash, string home, string shell)
    {
        var etc = Directory.CreateDirectory(Path.Combine(folder, "etc")).FullName;
        File.WriteAllText(Path.Combine(etc, "passwd"), $"""
            root:x:0:0:root:/root:/bin/sh
            {ServerUser.Name}:x:{ServerUser.Uid}:{ServerUser.Gid}::/:/usr/sbin/nologin
            sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin
            {user}:x:{ServerUser.Uid}:{ServerUser.Gid}::{home}:{shell}

            """);
        File.WriteAllText(Path.Combine(etc, "group"), $"root:x:0:\n{ServerUser.Name}:x:{ServerUser.Gid}:\nnogroup:x:65534:\n");
        File.WriteAllText(Path.Combine(etc, "nsswitch.conf"), "passwd: files\ngroup: files\nshadow: files\nhosts: files\n");
        File.WriteAllText(Path.Combine(etc, "hosts"), "127.0.0.1 localhost\n");
        File.Copy("/etc/ld.so.cache", Path.Combine(etc, "ld.so.cache"));
        var shadow = Path.Combine(etc, "shadow");
        File.WriteAllText(shadow, $"{user}:{passwordHash}:19000:0:99999:7:::\n");
        File.SetUnixFileMode(shadow, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        return etc;
    }
}
