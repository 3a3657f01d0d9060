namespace Transfer.Wan.Reports.Published;

/// <summary>The published figures of the five documents.</summary>
internal static class PublishedFigures
{
    public static PublishedTable ArchiveBatching { get; } = new(
        "document 1, archive batching",
        ["published, 10,000 files up", ">10 KB files", ">1 KB files"],
        [
            ["FTPS, one connection", "38 min 29 s", "41 min 29 s"],
            ["FTPS, two connections", "19 min 41 s", "21 min 28 s"],
            ["SFTP, one connection", "12 min 31 s", "11 min 43 s"],
            ["SFTP, two connections", "6 min 6 s", "5 min 54 s"],
            ["archives, AES-256 end to end", "24 s", "19 s"],
        ],
        "Another link and other servers: the proportions between the rows compare, the times do not.");

    /// <summary>MB/s at 0.5 ms and at 300 ms.</summary>
    public static IReadOnlyList<(string Program, double Near, double Far)> Latency { get; } =
        [("scp", 40, 3.5), ("rsync", 11.2, 3.1), ("HTTP", 63, 1.9), ("HTTP, 20 connections", 63, 8.1)];

    public static PublishedTable HostToHost { get; } = new(
        "document 4, many files host to host",
        ["published, files and bytes", ">one encrypted stream", ">rsync", ">less time"],
        [
            ["100,000 files, 9.7 GB", "165 s", "390 s", "58 %"],
            ["100,000 files, 589 MB", "16.4 s", "24.8 s", "34 %"],
            ["10,000 files, 60 MB", "equal", "equal", "0 %"],
        ],
        "One stream sealed with AES-128-GCM. Its sender does not wait for the receiver, and it keeps no dates and can't resume; a time "
        + "here counts to the receiver's confirmation of the last file.");

    public static PublishedTable DotnetFix { get; } = new(
        "document 5, the .NET FTP fix",
        ["published, a 500 KB upload", ">time"],
        [["as it was", "over 5 s"], ["no reverse look-up (2 s a transfer), 1 MB send buffer instead of 8 KB", "under 1 s"]],
        "Of the time before, the reverse look-up alone was 2 s.");
}
