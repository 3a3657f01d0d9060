using System.Globalization;
using System.Text;
using System.Text.Json;
using Transfer.Local;
using Transfer.Plans;

namespace Transfer;

/// <summary>The folder of a plan: manifests, results and a summary, for machines that share the folder or are sent its files.</summary>
/// <param name="path">The folder.</param>
public sealed class PlanFolder(string path)
{
    /// <summary>The most parts of a plan.</summary>
    public const int MaxParts = 1000;

    /// <summary>The folder.</summary>
    public string Path { get; } = path;

    /// <summary>The manifest of the last phase, which is applied after all parts.</summary>
    public string FinalManifest => System.IO.Path.Combine(Path, "final" + PlanManifest.Extension);

    private string SummaryPath => System.IO.Path.Combine(Path, "plan.json");

    /// <summary>Returns the manifest of a part.</summary>
    /// <param name="part">The number, from 0.</param>
    public string ManifestOf(int part) =>
        System.IO.Path.Combine(Path, string.Create(CultureInfo.InvariantCulture, $"part-{part:d4}{PlanManifest.Extension}"));

    /// <summary>
    /// Divides a plan among manifests while its items come: by bytes and files, 64 KiB a file, with files of a folder together as far as
    /// that allows. What was planned is not held in memory. The summary is written last: without one there is no plan.
    /// </summary>
    /// <param name="header">The plan.</param>
    /// <param name="parts">The number of parts, 1 to <see cref="MaxParts"/>.</param>
    /// <param name="items">The items. Those that could not be planned are counted, and in no manifest.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>The summary.</returns>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Exists"/>: the folder has a plan already; <see cref="TransferError.Denied"/>: it cannot be written; or the
    /// items ended so.
    /// </exception>
    public async Task<PlanSummary> WriteAsync(
        PlanHeader header, int parts, IAsyncEnumerable<PlannedItem> items, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(header);
        ArgumentNullException.ThrowIfNull(items);
        ArgumentOutOfRangeException.ThrowIfLessThan(parts, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(parts, MaxParts);
        try
        {
            if (DiskFiles.Exists(SummaryPath) || DiskFiles.Exists(FinalManifest))
                throw new TransferException(TransferError.Exists, $"{Path} has a plan already.");
            DiskDirectories.Create(Path);
            using var writer = new ManifestWriter(this, header, parts);
            await foreach (var item in items.WithCancellation(cancellationToken).ConfigureAwait(false)) writer.Add(item);
            var summary = writer.Complete();
            PlanFiles.Write(SummaryPath, Encoding.UTF8.GetBytes(summary.ToJson()));
            return summary;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "A plan cannot be written:", Path);
        }
    }

    /// <summary>Reads the summary.</summary>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">There is none (<see cref="TransferError.NotFound"/>), or it cannot be used.</exception>
    public async Task<PlanSummary> ReadSummaryAsync(CancellationToken cancellationToken = default)
    {
        if (await PlanFiles.ReadAsync(SummaryPath, cancellationToken).ConfigureAwait(false) is not { } json)
            throw new TransferException(TransferError.NotFound, $"{Path} has no plan: there is no {SummaryPath}.");
        var summary = PlanFiles.Parse(SummaryPath, () => JsonSerializer.Deserialize(json, PlanJson.Default.PlanSummary));
        PlanFiles.CheckVersion(SummaryPath, summary.Version);
        return summary.Parts is >= 1 and <= MaxParts ? summary : throw PlanFiles.Torn(SummaryPath, "the number of parts is none");
    }

    /// <summary>Adds up the results that are there.</summary>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferException">There is no plan, or a result of another one, or a file cannot be used.</exception>
    public async Task<PlanReport> ReadReportAsync(CancellationToken cancellationToken = default)
    {
        var summary = await ReadSummaryAsync(cancellationToken).ConfigureAwait(false);
        var results = new List<PartResult>();
        for (var part = 0; part < summary.Parts; part++)
        {
            var result = await ReadResultAsync(summary, ManifestOf(part), cancellationToken).ConfigureAwait(false);
            if (result is not null) results.Add(result);
        }
        return new()
        {
            Plan = summary,
            Parts = results,
            Final = await ReadResultAsync(summary, FinalManifest, cancellationToken).ConfigureAwait(false),
        };
    }

    private static async Task<PartResult?> ReadResultAsync(PlanSummary summary, string manifest, CancellationToken ct)
    {
        var path = PlanManifest.ResultOf(manifest);
        var result = await PartResult.ReadAsync(path, ct).ConfigureAwait(false);
        return result is null || result.Plan == summary.Id ? result : throw PlanFiles.Torn(path, "it is of another plan");
    }
}
