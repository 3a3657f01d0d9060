namespace Transfer.Batch.Carriers.Exec;

/// <summary>A host's answer to a probe.</summary>
internal sealed record HostTools
{
    private const int Lines = 4;
    private const UnixFileMode File = (UnixFileMode)0b110_110_110;
    private const UnixFileMode Folder = (UnixFileMode)0b111_111_111;

    public TarKind Tar { get; init; }

    /// <summary>Whether there is a command of the name of the SDK's own.</summary>
    public bool HasTransfer { get; init; }

    /// <summary>The permissions that new files and folders lack.</summary>
    public UnixFileMode Umask { get; init; }

    /// <summary>The path's round trip; zero: not known.</summary>
    public TimeSpan RoundTrip { get; init; }

    public UnixFileMode FileMode => File & ~Umask;

    public UnixFileMode FolderMode => Folder & ~Umask;

    /// <summary>Parses the output of <see cref="HostScript.Probe"/> behind the first marker; null: malformed.</summary>
    public static HostTools? Parse(string text, string marker)
    {
        var lines = text.Split('\n');
        if (lines.Length < Lines || lines[Lines - 1] != marker) return null;
        try
        {
            return new HostTools
            {
                Umask = (UnixFileMode)Convert.ToInt32(lines[0].Trim(), 8) & Folder,
                Tar = KindOf(lines[1]),
                HasTransfer = lines[2].Length > 0
            };
        }
        catch (Exception e) when (e is FormatException or OverflowException or ArgumentException)
        {
            return null;
        }
    }

    private static TarKind KindOf(string version) => version switch
    {
        _ when version.Contains("GNU tar", StringComparison.Ordinal) => TarKind.Gnu,
        _ when version.StartsWith("bsdtar ", StringComparison.Ordinal) => TarKind.Bsd,
        _ when version.Contains("busybox", StringComparison.OrdinalIgnoreCase) => TarKind.Busybox,
        _ => TarKind.None,
    };
}
