using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>
/// Document 3: what ciphers and streams cost when the link costs nothing; ours beside OpenSSH's own client, each stream with a file of its
/// own.
/// </summary>
internal static class SftpThroughput
{
    private static readonly string[] Ciphers = ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr"];

    // With ciphers of their own choice.
    private static readonly ClientTurn[] OneStreamPeers = ["rclone 1", "SSH.NET"];

    private static readonly string[] Few = ["aes128-gcm@openssh.com", "aes128-ctr"];

    public static WanReport Report { get; } = new()
    {
        Name = "sftp-throughput",
        IsInMemory = true,
        Full = [.. from streams in new[] { 1, 2, 4, 8 }
                   from isUpload in new[] { true, false }
                   let row = Row(streams, isUpload, FileSize.Mi(256), 3, Ciphers)
                   select streams == 1 ? row with { Clients = [.. row.Clients, .. OneStreamPeers] } : row],
        Quick = [.. new[] { 1, 2, 4, 8 }.Select(streams => Row(streams, isUpload: true, FileSize.Mi(128), 1, Few)),
            Row(1, isUpload: false, FileSize.Mi(128), 1, Few)],
    };

    /// <summary>One number of streams with some ciphers.</summary>
    public static Scenario Row(int streams, bool isUpload, FileSize size, int rounds, params IEnumerable<string> ciphers) => new()
    {
        Link = null,
        Files = streams,
        Size = size,
        IsUpload = isUpload,
        Protocol = Protocol.SFTP,
        Server = ServerNames.OpenSsh,
        Clients = [
            .. ciphers.SelectMany(
                cipher =>
                new ClientTurn[] { FormattableString.Invariant($"transfer --sessions {streams} --segments 1 --ciphers {cipher}"),
                    $"sftp -c {cipher}" })],
        Rounds = rounds,
    };
}
