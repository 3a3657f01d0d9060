using Transfer.Local;

namespace Transfer.Engine.Files;

/// <summary>The source of a file, as the job saw it before the file was sent: for jobs that remove or move their sources.</summary>
/// <param name="Path">The path: a full local one, or an absolute one at the server.</param>
/// <param name="Relative">The path relative to the job's source, with forward slashes.</param>
/// <param name="Length">The length; null: not known.</param>
/// <param name="Modified">The time; null: not known.</param>
/// <param name="Target">The path of the copy: a full local one, or an absolute one at the server.</param>
internal sealed record SourceFile(string Path, string Relative, long? Length, DateTimeOffset? Modified, string Target)
{
    /// <summary>The folder to which <see cref="Relative"/> is relative, with a separator at the end.</summary>
    public string Root => Path[..^Relative.Length];

    /// <summary>The local file itself, whatever its name: a copy that took the source's place is another one; null: not known.</summary>
    public FileIdentity? Identity { get; init; }
}
