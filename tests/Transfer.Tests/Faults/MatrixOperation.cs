using static Transfer.Tests.Faults.MatrixJudge;

namespace Transfer.Tests.Faults;

/// <summary>One operation of the matrix: what is there before, what is done, and what may be there afterwards.</summary>
internal abstract class MatrixOperation
{
    public static byte[] Old { get; } = Samples.Bytes(3000, 1);

    public static byte[] New { get; } = Samples.Bytes(5000, 2);

    public static IReadOnlyList<MatrixOperation> All { get; } = [new Put(), new PutFolder(), new Get(), new Move(), new Sync(), new Copy()];

    public string Name => GetType().Name.ToLowerInvariant();

    public abstract void Prepare(IMatrixHost host, TempFolder local);

    public abstract Task RunAsync(IMatrixHost host, TempFolder local);

    /// <summary>What is wrong with what is there; null: nothing.</summary>
    /// <param name="host">The server.</param>
    /// <param name="local">The local side.</param>
    /// <param name="isDone">The operation has told success.</param>
    /// <param name="told">The messages of its failure.</param>
    public abstract string? Judge(IMatrixHost host, TempFolder local, bool isDone, string told);

    private sealed class Put : MatrixOperation
    {
        public override void Prepare(IMatrixHost host, TempFolder local)
        {
            local.Add("a", New);
            host.Add("/d/a", Old);
            host.Add("/d/other", Old);
        }

        public override async Task RunAsync(IMatrixHost host, TempFolder local) =>
            await host.Client.UploadFileAsync(local["a"], "/d/a", new UploadOptions { Overwrite = OverwriteMode.Always });

        public override string? Judge(IMatrixHost host, TempFolder local, bool isDone, string told) =>
            Replaced(host.Files, "/d/a", Old, New, isDone, told) ?? Kept(host.Files, "/d/other", Old);
    }

    private sealed class PutFolder : MatrixOperation
    {
        public override void Prepare(IMatrixHost host, TempFolder local)
        {
            foreach (var name in new[] { "a", "b", "c" })
            {
                local.Add(name, New);
                host.Add("/d/" + name, Old);
            }
        }

        public override async Task RunAsync(IMatrixHost host, TempFolder local)
        {
            var result = await host.Client.UploadDirectoryAsync(local.Path, "/d",
                new DirectoryOptions { Overwrite = OverwriteMode.Always });
            if (result.Failed > 0) throw result.Failures[0].Error!;
        }

        public override string? Judge(IMatrixHost host, TempFolder local, bool isDone, string told) =>
            Replaced(host.Files, "/d/a", Old, New, isDone, told) ?? Replaced(host.Files, "/d/b", Old, New, isDone, told)
                ?? Replaced(host.Files, "/d/c", Old, New, isDone, told);
    }

    private sealed class Get : MatrixOperation
    {
        public override void Prepare(IMatrixHost host, TempFolder local)
        {
            local.Add("a", Old);
            host.Add("/d/a", New);
        }

        public override async Task RunAsync(IMatrixHost host, TempFolder local) =>
            await host.Client.DownloadFileAsync("/d/a", local["a"], new DownloadOptions { Overwrite = OverwriteMode.Always });

        public override string? Judge(IMatrixHost host, TempFolder local, bool isDone, string told) =>
            Replaced(new Dictionary<string, byte[]> { ["a"] = File.Exists(local["a"]) ? local.Read("a") : [] }, "a", Old, New, isDone, told)
                ?? Kept(host.Files, "/d/a", New);
    }

    private sealed class Move : MatrixOperation
    {
        public override void Prepare(IMatrixHost host, TempFolder local)
        {
            host.Add("/d/from", New);
            host.Add("/d/to", Old);
        }

        public override async Task RunAsync(IMatrixHost host, TempFolder local)
        {
            if (!host.Files.ContainsKey("/d/from")) return;
            await host.Client.MoveAsync("/d/from", "/d/to", overwrite: true);
        }

        public override string? Judge(IMatrixHost host, TempFolder local, bool isDone, string told) =>
            Replaced(host.Files, "/d/to", Old, New, isDone, told)
            ?? (host.Files.Values.Any(content => IsSame(content, New)) ? null : "the source's content is gone");
    }

    private sealed class Sync : MatrixOperation
    {
        public override void Prepare(IMatrixHost host, TempFolder local)
        {
            local.Add("changed", New);
            local.Add("new", New);
            host.Add("/d/changed", Old);
            host.Add("/d/extra", Old);
        }

        public override async Task RunAsync(IMatrixHost host, TempFolder local)
        {
            var result = await host.Client.SynchronizeAsync(local.Path, "/d", SyncDirection.Up, new SyncOptions { Delete = true });
            if (result.Failed > 0) throw result.Failures[0].Error!;
        }

        public override string? Judge(IMatrixHost host, TempFolder local, bool isDone, string told)
        {
            var files = host.Files;
            if (Replaced(files, "/d/changed", Old, New, isDone, told) is { } why) return why;
            if (isDone && (files.ContainsKey("/d/extra") || !files.ContainsKey("/d/new")))
                return "success was told, and the two sides differ";
            // Under whatever name, where the server said that it renamed and did not.
            var isSent = files.Values.Count(content => IsSame(content, New)) >= 2;
            return files.ContainsKey("/d/extra") || isSent ? null : "a file was deleted before everything was sent";
        }
    }

    private sealed class Copy : MatrixOperation
    {
        public override void Prepare(IMatrixHost host, TempFolder local)
        {
            local.Add("a", New);
            host.Add("/d/a", Old);
        }

        public override async Task RunAsync(IMatrixHost host, TempFolder local)
        {
            await using var from = new LocalTransferClient(new Uri("file://" + local.Path + "/"));
            await from.CopyFileAsync("a", host.Client, "/d/a", new UploadOptions { Overwrite = OverwriteMode.Always });
        }

        public override string? Judge(IMatrixHost host, TempFolder local, bool isDone, string told) =>
            Replaced(host.Files, "/d/a", Old, New, isDone, told);
    }
}
