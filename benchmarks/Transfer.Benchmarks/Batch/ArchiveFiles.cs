using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Sealing;
using Transfer.ServerTests;

namespace Transfer.Benchmarks.Batch;

/// <summary>A folder of small files, and the keys of a job that packs them.</summary>
internal sealed class ArchiveFiles : IDisposable
{
    public const int Count = 2000;
    public const int Size = 10_000;

    private readonly SharedKey _key = new(new byte[SharedKey.Length]);

    public ArchiveFiles()
    {
        Sealed = JobKeys.Create(_key);
        Plain = JobKeys.Unsealed(JobId.New());
        Ring = new KeyRing(_key) { AllowsUnsealed = true };
        Directory.CreateDirectory(Folder);
        var content = new byte[Size];
        var random = new Random(1);
        for (var i = 0; i < Count; i++)
        {
            random.NextBytes(content);
            File.WriteAllBytes(Path.Combine(Folder, $"file-{i:0000}"), content);
        }
    }

    public string Folder { get; } = Path.Combine(TestHost.Folder, "packed");

    /// <summary>The keys of a job that seals.</summary>
    public JobKeys Sealed { get; }

    /// <summary>Those of a job that does not.</summary>
    public JobKeys Plain { get; }

    /// <summary>What opens the archives of both.</summary>
    public KeyRing Ring { get; }

    /// <summary>Packs the folder.</summary>
    /// <param name="keys">Seal the archives, or not.</param>
    /// <param name="target">Returns the stream for an archive.</param>
    public async Task PackAsync(JobKeys keys, Func<Stream> target)
    {
        await using var archives = FolderArchives.Open(Folder, new BatchPackOptions(), keys);
        while (await archives.NextAsync(default) is { } archive) await archive.WriteToAsync(target(), default);
    }

    public void Dispose()
    {
        Directory.Delete(Folder, recursive: true);
        Sealed.Dispose();
        Plain.Dispose();
        Ring.Dispose();
        _key.Dispose();
    }
}
