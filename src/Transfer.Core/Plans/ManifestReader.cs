using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Transfer.Names;

namespace Transfer.Plans;

/// <summary>
/// Reads manifests a line at a time, and refuses what this release does not know: torn lines, paths that lead out of the folder, deletions
/// in a part. A manifest selects names of listings only, so that no path of a manifest is used as such.
/// </summary>
internal static class ManifestReader
{
    // A path of 8192 characters, its group's and the rest, as escapes.
    private const int LongestLine = 1 << 18;

    /// <summary>Reads the header.</summary>
    public static async Task<PlanHeader> ReadHeaderAsync(string path, CancellationToken ct)
    {
        await foreach (var line in ReadLinesAsync(path, ct).ConfigureAwait(false)) return HeaderOf(path, line);
        throw PlanFiles.Torn(path, "the file is empty");
    }

    /// <summary>Reads the items, and fails at the end if lines are missing.</summary>
    public static async IAsyncEnumerable<PlannedItem> ReadItemsAsync(string path, [EnumeratorCancellation] CancellationToken ct)
    {
        PlanHeader? header = null;
        var (items, isComplete) = (0L, false);
        await foreach (var line in ReadLinesAsync(path, ct).ConfigureAwait(false))
        {
            if (isComplete) throw PlanFiles.Torn(path, "there are lines behind the end");
            if (header is null)
            {
                header = HeaderOf(path, line);
                continue;
            }
            if (line.End == true)
            {
                if (line.Items != items) throw PlanFiles.Torn(path, $"{line.Items} items were written, and {items} are there");
                isComplete = true;
                continue;
            }
            if (!line.IsItem) throw PlanFiles.Torn(path, $"line {items + 2} is no item");
            items++;
            yield return Checked(path, line.ToItem(), header);
        }
        if (!isComplete) throw PlanFiles.Torn(path, "its end is missing");
    }

    private static PlanHeader HeaderOf(string path, ManifestLine line)
    {
        if (line.Transfer != ManifestLine.Kind) throw PlanFiles.Torn(path, "the file is no manifest");
        PlanFiles.CheckVersion(path, line.Version);
        if (line is not { Plan.Length: > 0, Source.Length: > 0, Target.Length: > 0, Parts: >= 1 and var parts }
            || line is not ({ Final: true } or { Part: >= 0 }) || line.Part >= parts)
        {
            throw PlanFiles.Torn(path, "the header is not complete");
        }
        return new()
        {
            Id = line.Plan,
            Source = line.Source,
            Target = line.Target,
            Part = line.Part ?? 0,
            Parts = parts,
            IsFinal = line.Final == true,
            Compare = line.Compare ?? default,
            Links = line.Links ?? default,
            NameMapping = line.Names ?? default,
            DeleteForEmptySource = line.DeleteForEmptySource == true,
        };
    }

    private static PlannedItem Checked(string path, PlannedItem item, PlanHeader header)
    {
        if (IsOutside(item.Path) || item.Group is { } group && IsOutside(group))
            throw PlanFiles.Torn(path, $"{PrintableText.Of(item.Path)} is no path below a folder");
        if (item.Action is not (ItemAction.Transfer or ItemAction.Delete) || item.Length < 0)
            throw PlanFiles.Torn(path, $"{PrintableText.Of(item.Path)} has no step of a plan");
        if (item.Action == ItemAction.Delete && !header.IsFinal)
            throw PlanFiles.Torn(path, $"{PrintableText.Of(item.Path)} is deleted in a part, and only the last phase deletes");
        return item;
    }

    private static bool IsOutside(string path) => path.Split('/').Any(name => ListedNames.Refuse(name) is not null);

    private static async IAsyncEnumerable<ManifestLine> ReadLinesAsync(string path, [EnumeratorCancellation] CancellationToken ct)
    {
        var reader = PipeReader.Create(PlanFiles.Open(path));
        try
        {
            while (true)
            {
                var read = await reader.ReadAsync(ct).ConfigureAwait(false);
                var buffer = read.Buffer;
                while (buffer.PositionOf((byte)'\n') is { } end)
                {
                    var line = buffer.Slice(0, end);
                    yield return Parse(path, line);
                    buffer = buffer.Slice(buffer.GetPosition(1, end));
                }
                if (buffer.Length > LongestLine) throw PlanFiles.Torn(path, "a line is too long");
                if (read.IsCompleted && buffer.Length > 0) throw PlanFiles.Torn(path, "the last line is torn");
                reader.AdvanceTo(buffer.Start, buffer.End);
                if (read.IsCompleted) yield break;
            }
        }
        finally
        {
            await reader.CompleteAsync().ConfigureAwait(false);
        }
    }

    private static ManifestLine Parse(string path, ReadOnlySequence<byte> line) => PlanFiles.Parse(path, () =>
    {
        var reader = new Utf8JsonReader(line);
        return JsonSerializer.Deserialize(ref reader, PlanJson.Default.ManifestLine);
    });
}
