using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Unpacking;

namespace Transfer.Tests.Batch.Delta;

/// <summary>Asks a folder on this machine, without a connection between.</summary>
internal sealed class LocalInquiry(string folder, OverwriteMode overwrite = OverwriteMode.Always) : IBaseInquiry
{
    private readonly FolderBases? _bases = FolderBases.Of(folder, overwrite);

    public List<string> Asked { get; } = [];

    /// <summary>Called when a file was answered for.</summary>
    public Action<string> OnAnswered { get; set; } = _ => { };

    public ValueTask<bool> IsWorthwhileAsync(CancellationToken ct) => ValueTask.FromResult(_bases is not null);

    public async ValueTask<BaseAnswer> AskAsync(string path, long length, long modified, CancellationToken ct)
    {
        await Task.Yield();
        lock (Asked) Asked.Add(path);
        using var file = _bases!.Find(path, length, modified);
        var signature = file.HasBlocks ? new BaseSignature(file.Shape) : null;
        var buffer = new byte[10_000];
        var blocks = new byte[BaseFile.BufferFor(file.Shape)];
        while (file.HasBlocks && file.Read(buffer, blocks, ct) is > 0 and var count) signature!.Add(buffer.AsSpan(0, count));
        OnAnswered(path);
        return new BaseAnswer(file.IsSkipped, signature);
    }
}
