using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Local;

/// <summary>How a <see cref="LocalNewFile"/> is made and published.</summary>
public sealed record LocalNewFileOptions
{
    /// <summary>The temporary names.</summary>
    public TemporaryNames Names { get; init; } = new();

    /// <summary>The places for files that stay open until they have their names. Where none is left, a file has a temporary
    /// name.</summary>
    public OpenFiles Places { get; init; } = OpenFiles.OfProcess;

    /// <summary>
    /// Whether files get exactly the permissions of their sources. Else a replaced file's permissions stay, and a new file has those of the
    /// source without the bits of the umask.
    /// </summary>
    public bool PreserveMode { get; init; }

    /// <summary>Brings an open file, given with its path, to the disk before the file replaces one that came meanwhile; null: not
    /// flushed.</summary>
    public Action<SafeFileHandle, string>? Secure { get; init; }

    /// <summary>The log.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;
}
