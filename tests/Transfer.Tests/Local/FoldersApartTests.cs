using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Engine.Backups;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;
using Transfer.Local.Trees;

namespace Transfer.Tests.Local;

/// <summary>The proof that two folders are not one, which all files of the folders share.</summary>
public sealed class FoldersApartTests
{
    [Test]
    public async Task The_end_of_the_first_caller_is_no_answer_for_the_next([Values] bool looksForSelf)
    {
        using var folder = new TempFolder();
        var source = folder.Add("d/f", [1]);
        var target = folder.Add("x/f", [1]);
        await using var client = new LocalTransferClient(new Uri("file://" + folder.Path + "/"));
        await using var job = new EngineJob("test", client.Engine, default, new TransferJobContext());
        var apart = new FoldersApart(job, Side(), Side());
        var file = new SourceFile(source, "f", 1, null, target);

        Assert.That(async () => await AskAsync(new CancellationToken(canceled: true)), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(await AskAsync(CancellationToken.None).Soon(), Is.Null);

        Task<TransferException?> AskAsync(CancellationToken ct) =>
            looksForSelf ? apart.FindSelfAsync(file, ct) : apart.ProveAsync(file, ct);
    }

    [Test]
    public async Task A_proof_that_failed_for_now_is_made_again()
    {
        using var folder = new TempFolder();
        var file = new SourceFile(folder.Add("d/f", [1]), "f", 1, null, folder.Add("x/f", [1]));
        await using var client = new LocalTransferClient(new Uri("file://" + folder.Path + "/"));
        await using var job = new EngineJob("test", client.Engine, default, new TransferJobContext());
        var asked = 0;
        var apart = new FoldersApart(job, Side(), Side(() =>
        {
            if (++asked == 1) throw new TransferConnectionException(TransferError.Lost, "lost") { IsTransient = true };
        }));

        Assert.That(await apart.ProveAsync(file, CancellationToken.None).Soon(), Has.Property("Error").EqualTo(TransferError.Unsupported));
        Assert.That(await apart.ProveAsync(file, CancellationToken.None).Soon(), Is.Null);
    }

    private static CopySide Side(Action? ask = null) => new(path => Path.GetDirectoryName(path)!, folder =>
    {
        ask?.Invoke();
        return (ITargetTree)new LocalTree(folder, NullLogger.Instance);
    });
}
