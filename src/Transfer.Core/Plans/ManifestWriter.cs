using System.Text.Json;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Plans;

/// <summary>Writes all manifests of a plan at once, under temporary names until they are complete.</summary>
internal sealed class ManifestWriter : IDisposable
{
    private const string Unfinished = ".tmp";
    private const int Buffer = 1 << 15;

    private readonly PlanBalance _balance;
    private readonly string[] _paths;
    private readonly SafeFileHandle?[] _handles;
    private readonly Stream[] _files;
    private readonly long[] _items;
    private PlanSummary _sum;

    /// <param name="folder">The folder of the plan.</param>
    /// <param name="header">The plan.</param>
    /// <param name="parts">The number of parts.</param>
    public ManifestWriter(PlanFolder folder, PlanHeader header, int parts)
    {
        _balance = new(parts);
        _paths = [.. Enumerable.Range(0, parts).Select(folder.ManifestOf), folder.FinalManifest];
        _handles = new SafeFileHandle?[_paths.Length];
        _files = new Stream[_paths.Length];
        _items = new long[_paths.Length];
        _sum = new() { Id = header.Id, Source = header.Source, Target = header.Target, Parts = parts };
        try
        {
            for (var at = 0; at < _paths.Length; at++)
            {
                _handles[at] = DiskFiles.Open(_paths[at] + Unfinished, FileMode.Create, FileAccess.Write);
                _files[at] = new BufferedStream(new DiskStream(_handles[at]!, FileAccess.Write, _paths[at]), Buffer);
                Write(at, ManifestLine.Of(header with { Parts = parts, Part = at == Final ? 0 : at, IsFinal = at == Final }));
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    private int Final => _paths.Length - 1;

    /// <summary>Adds an item.</summary>
    public void Add(PlannedItem item)
    {
        if (item.Error is not null)
        {
            _sum = _sum with { Failed = _sum.Failed + 1 };
            return;
        }
        var (isDeletion, isFolder) = (item.Action == ItemAction.Delete, item.Type == RemoteEntryType.Directory);
        _sum = isDeletion ? _sum with { Deletions = _sum.Deletions + 1 }
            : isFolder ? _sum with { Directories = _sum.Directories + 1 }
            : _sum with { Files = _sum.Files + 1, Bytes = LengthSum.Add(_sum.Bytes, item.Length ?? 0) };
        // A folder of a group meets the others of the group: the target decides between them.
        var at = isDeletion || isFolder && item.Group is null ? Final : _balance.PartOf(item);
        _items[at]++;
        Write(at, ManifestLine.Of(item));
    }

    /// <summary>Gives the manifests their names.</summary>
    public PlanSummary Complete()
    {
        for (var at = 0; at < _paths.Length; at++)
        {
            Write(at, new() { End = true, Items = _items[at] });
            _files[at].Flush();
            Disk.FlushFile(_handles[at]!, _paths[at]);
            Disk.Close(_handles[at]!, _paths[at]);
            _handles[at] = null;
        }
        foreach (var path in _paths) DiskFiles.Rename(path + Unfinished, path);
        return _sum;
    }

    /// <summary>Deletes what has not become a manifest.</summary>
    public void Dispose()
    {
        for (var at = 0; at < _paths.Length; at++)
        {
            if (_handles[at] is not { } handle) continue;
            handle.Dispose();
            DiskFiles.Discard(_paths[at] + Unfinished, NullLogger.Instance);
        }
    }

    private void Write(int at, ManifestLine line)
    {
        _files[at].Write(JsonSerializer.SerializeToUtf8Bytes(line, PlanJson.Default.ManifestLine));
        _files[at].WriteByte((byte)'\n');
    }
}
