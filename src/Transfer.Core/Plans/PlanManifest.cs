using Transfer.Plans;

namespace Transfer;

/// <summary>
/// A part of a plan, or its last phase, as a file of JSON lines. Enumerated, the items of the manifest; each enumeration reads the file
/// again.
/// </summary>
public sealed class PlanManifest : IAsyncEnumerable<PlannedItem>
{
    internal const string Extension = ".jsonl";

    private PlanManifest(string path, PlanHeader header) => (Path, Header) = (path, header);

    /// <summary>The file.</summary>
    public string Path { get; }

    /// <summary>The plan, and the part.</summary>
    public PlanHeader Header { get; }

    /// <summary>The file of the part's outcome, beside the manifest: see <see cref="PartResult"/>.</summary>
    public string ResultPath => ResultOf(Path);

    /// <summary>The journal of a part under way, beside the manifest, from which the next run continues.</summary>
    public string JournalPath => Beside(Path, ".journal");

    /// <summary>Opens a manifest, and reads its header.</summary>
    /// <param name="path">The file.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">
    /// There is no such file, or it cannot be read; <see cref="TransferError.Unsupported"/>: of another version;
    /// <see cref="TransferError.Integrity"/>: no manifest.
    /// </exception>
    public static async Task<PlanManifest> OpenAsync(string path, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return new(path, await ManifestReader.ReadHeaderAsync(path, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Reads the items.</summary>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">
    /// Thrown while enumerating, <see cref="TransferError.Integrity"/>: a line is torn or missing, or no step of a plan.
    /// </exception>
    public IAsyncEnumerator<PlannedItem> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        ManifestReader.ReadItemsAsync(Path, cancellationToken).GetAsyncEnumerator(cancellationToken);

    internal static string ResultOf(string manifest) => Beside(manifest, ".result.json");

    private static string Beside(string manifest, string extension) =>
        (manifest.EndsWith(Extension, StringComparison.Ordinal) ? manifest[..^Extension.Length] : manifest) + extension;
}
