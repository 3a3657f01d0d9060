using Transfer.Local;
using static Transfer.Tests.Faults.MatrixJudge;

namespace Transfer.Tests.Faults.Disk;

/// <summary>The operations of the disk's matrix: each that reads or writes local files.</summary>
internal static class DiskOperations
{
    private const int NotFound = 2;
    private const int Exists = 17;
    private const int NotEmpty = 39;

    private static readonly byte[] Old = Samples.Bytes(3000, 1);
    private static readonly byte[] New = Samples.Bytes(5000, 2);

    // Long enough to be continued.
    private static readonly byte[] Long = Samples.Bytes((5 << 20) + 17, 3);

    public static IReadOnlyList<DiskOperation> All { get; } =
    [
        new("get", bench => PrepareDown(bench, New), bench => GetAsync(bench),
            (bench, isDone, told) => JudgeDown(bench, New, isDone, told)),
        new("get, 5 MiB", bench => PrepareDown(bench, Long), bench => GetAsync(bench),
            (bench, isDone, told) => JudgeDown(bench, Long, isDone, told)),
        new("get folder", PrepareFolderDown, GetFolderAsync, JudgeFolderDown),
        new("put", PrepareUp, PutAsync, JudgeUp),
        new("put folder", PrepareFolderUp, PutFolderAsync, JudgeFolderUp) { Believes = IsDenied },
        new("sync down --delete", PrepareSyncDown, bench => SyncAsync(bench, SyncDirection.Down), JudgeSyncDown)
            { Believes = (call, errno) => IsDenied(call, errno) || call == DiskCall.CreateFolder && errno is Exists or NotEmpty },
        new("sync up --delete", PrepareSyncUp, bench => SyncAsync(bench, SyncDirection.Up), JudgeSyncUp) { Believes = IsDenied },
        new("copy to file:", bench => PrepareDown(bench, New), CopyHereAsync, (bench, isDone, told) => JudgeDown(bench, New, isDone, told)),
        new("copy from file:", PrepareUp, CopyThereAsync, JudgeUp),
        new("copy folder to file:", PrepareFolderDown, CopyFolderHereAsync, JudgeFolderDown),
        new("copy folder from file:", PrepareFolderUp, CopyFolderThereAsync, JudgeFolderUp) { Believes = IsDenied },
        new("mv on file:", PrepareMove, bench => MoveAsync(bench, "here/from", "here/to"), JudgeMove),
        new("mv of a folder on file:", PrepareMoveFolder, bench => MoveAsync(bench, "here/from", "here/to"), JudgeMoveFolder),
    ];

    private static bool IsDenied(DiskCall call, int errno) => call == DiskCall.Status && errno == NotFound;

    private static void PrepareDown(DiskBench bench, byte[] content)
    {
        bench.AddLocal("a", Old);
        bench.AddLocal("other", Old);
        bench.Store.AddFile("/d/a", content, Samples.Time.AddDays(1));
    }

    private static async Task GetAsync(DiskBench bench) => await bench.Client.DownloadFileAsync(
        "/d/a", Path.Join(bench.Here, "a"),
        new() { Overwrite = OverwriteMode.Always, FlushToDisk = true, Journal = bench.Journal, Resume = true, Lock = bench.Lock });

    private static string? JudgeDown(DiskBench bench, byte[] content, bool isDone, string told) =>
        Replaced(bench.LocalFiles, "a", Old, content, isDone, told) ?? Kept(bench.LocalFiles, "other", Old) ?? Kept(bench.RemoteFiles,
            "/d/a", content);

    private static void PrepareFolderDown(DiskBench bench)
    {
        bench.AddLocal("a", Old);
        bench.AddLocal("b", Old);
        foreach (var name in new[] { "a", "b", "sub/c" }) bench.Store.AddFile("/d/" + name, New, Samples.Time.AddDays(1));
    }

    private static async Task GetFolderAsync(DiskBench bench) => Demand(await bench.Client.DownloadDirectoryAsync(
        "/d", bench.Here,
        new() { Overwrite = OverwriteMode.Always, FlushToDisk = true, Journal = bench.Journal, Resume = true, Lock = bench.Lock }));

    private static string? JudgeFolderDown(DiskBench bench, bool isDone, string told)
    {
        var files = bench.LocalFiles;
        return Replaced(files, "a", Old, New, isDone, told) ?? Replaced(files, "b", Old, New, isDone, told)
            ?? (isDone || files.ContainsKey("sub/c") ? Kept(files, "sub/c", New) : null) ?? Kept(bench.RemoteFiles, "/d/sub/c", New);
    }

    private static void PrepareUp(DiskBench bench)
    {
        bench.AddLocal("a", New);
        bench.Store.AddFile("/d/a", Old);
        bench.Store.AddFile("/d/other", Old);
    }

    private static async Task PutAsync(DiskBench bench) => await bench.Client.UploadFileAsync(
        Path.Join(bench.Here, "a"), "/d/a",
        new() { Overwrite = OverwriteMode.Always, Journal = bench.Journal, Resume = true, Lock = bench.Lock });

    private static string? JudgeUp(DiskBench bench, bool isDone, string told) =>
        Replaced(bench.RemoteFiles, "/d/a", Old, New, isDone, told) ?? Kept(bench.RemoteFiles, "/d/other", Old) ?? Kept(bench.LocalFiles,
            "a", New);

    private static void PrepareFolderUp(DiskBench bench)
    {
        foreach (var name in new[] { "a", "b", "sub/c" }) bench.AddLocal(name, New);
        bench.Store.AddFile("/d/a", Old);
        bench.Store.AddFile("/d/b", Old);
    }

    private static async Task PutFolderAsync(DiskBench bench) => Demand(await bench.Client.UploadDirectoryAsync(
        bench.Here, "/d", new() { Overwrite = OverwriteMode.Always, Journal = bench.Journal, Resume = true, Lock = bench.Lock }));

    private static string? JudgeFolderUp(DiskBench bench, bool isDone, string told)
    {
        var files = bench.RemoteFiles;
        return Replaced(files, "/d/a", Old, New, isDone, told) ?? Replaced(files, "/d/b", Old, New, isDone, told)
            ?? (isDone || files.ContainsKey("/d/sub/c") ? Kept(files, "/d/sub/c", New) : null) ?? Kept(bench.LocalFiles, "sub/c", New);
    }

    private static void PrepareSyncDown(DiskBench bench)
    {
        bench.AddLocal("changed", Old);
        bench.AddLocal("gone/extra", Old);
        bench.AddLocal("extra", Old);
        bench.Store.AddFile("/d/changed", New, Samples.Time.AddDays(1));
        bench.Store.AddFile("/d/sub/new", New, Samples.Time.AddDays(1));
    }

    private static async Task SyncAsync(DiskBench bench, SyncDirection direction) => Demand(await bench.Client.SynchronizeAsync(
        bench.Here, "/d", direction,
        new() { Delete = true, FlushToDisk = true, Journal = bench.Journal, Resume = true, Lock = bench.Lock }));

    private static string? JudgeSyncDown(DiskBench bench, bool isDone, string told)
    {
        var files = bench.LocalFiles;
        if (Replaced(files, "changed", Old, New, isDone, told) is { } why) return why;
        var isAllThere = Kept(files, "changed", New) is null && Kept(files, "sub/new", New) is null;
        var extras = files.Keys.Count(name => name.EndsWith("extra", StringComparison.Ordinal));
        if (isDone && (!isAllThere || extras > 0 || Directory.Exists(Path.Join(bench.Here, "gone"))))
            return "success was told, and the two sides differ";
        return extras == 2 || isAllThere ? null : "a file was deleted before everything had come";
    }

    private static void PrepareSyncUp(DiskBench bench)
    {
        bench.AddLocal("changed", New);
        bench.AddLocal("sub/new", New);
        bench.AddLocal("sub/same", Old);
        bench.Store.AddFile("/d/changed", Old);
        bench.Store.AddFile("/d/sub/same", Old, Samples.Time);
        bench.Store.AddFile("/d/extra", Old);
        bench.Store.AddFile("/d/sub/extra", Old);
    }

    // What only the server has goes when everything was sent that the folder it is in has here, and was read.
    private static string? JudgeSyncUp(DiskBench bench, bool isDone, string told)
    {
        var files = bench.RemoteFiles;
        if ((Replaced(files, "/d/changed", Old, New, isDone, told) ?? Kept(files, "/d/sub/same", Old)) is { } why) return why;
        var isAllThere = Kept(files, "/d/changed", New) is null && Kept(files, "/d/sub/new", New) is null;
        if (isDone && (!isAllThere || files.ContainsKey("/d/extra") || files.ContainsKey("/d/sub/extra")))
            return "success was told, and the two sides differ";
        if (!files.ContainsKey("/d/extra") && Kept(files, "/d/changed", New) is not null)
            return "a file was deleted before everything was sent";
        return isAllThere || files.ContainsKey("/d/sub/extra") ? null : "a file was deleted for a folder that was not read";
    }

    private static async Task CopyHereAsync(DiskBench bench) =>
        await bench.Client.CopyFileAsync("/d/a", bench.Local, "here/a", new() { Overwrite = OverwriteMode.Always, FlushToDisk = true });

    private static async Task CopyThereAsync(DiskBench bench) =>
        await bench.Local.CopyFileAsync("here/a", bench.Client, "/d/a", new() { Overwrite = OverwriteMode.Always });

    private static async Task CopyFolderHereAsync(DiskBench bench) => Demand(await bench.Client.CopyDirectoryAsync(
        "/d", bench.Local, "here", new() { Overwrite = OverwriteMode.Always, FlushToDisk = true, Journal = bench.Journal, Resume = true }));

    private static async Task CopyFolderThereAsync(DiskBench bench) => Demand(await bench.Local.CopyDirectoryAsync(
        "here", bench.Client, "/d", new() { Overwrite = OverwriteMode.Always, Journal = bench.Journal, Resume = true }));

    private static void PrepareMove(DiskBench bench)
    {
        bench.AddLocal("from", New);
        bench.AddLocal("to", Old);
    }

    private static async Task MoveAsync(DiskBench bench, string from, string to)
    {
        if (!Path.Exists(Path.Join(bench.Root, from))) return;
        await bench.Local.MoveAsync(from, to, overwrite: true);
    }

    private static string? JudgeMove(DiskBench bench, bool isDone, string told) => Replaced(bench.LocalFiles, "to", Old, New, isDone, told)
        ?? (bench.LocalFiles.Values.Any(content => IsSame(content, New)) ? null : "the source's content is gone");

    private static void PrepareMoveFolder(DiskBench bench)
    {
        bench.AddLocal("from/a", New);
        bench.AddLocal("from/b", Old);
    }

    private static string? JudgeMoveFolder(DiskBench bench, bool isDone, string told)
    {
        var files = bench.LocalFiles;
        var isMoved = Kept(files, "to/a", New) is null && Kept(files, "to/b", Old) is null;
        return isMoved || !isDone && Kept(files, "from/a", New) is null && Kept(files, "from/b", Old) is null
            ? null : $"the folder is not whole: {string.Join(", ", files.Keys)}";
    }

    private static void Demand(JobResult result)
    {
        if (result.Failed > 0) throw result.Failures[0].Error!;
    }
}
