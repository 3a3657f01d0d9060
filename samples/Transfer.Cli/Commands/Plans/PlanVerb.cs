using System.CommandLine;
using System.Globalization;
using System.Text;
using Transfer.Cli.Options;
using Transfer.Cli.Output;

namespace Transfer.Cli.Commands.Plans;

/// <summary>Plans a synchronization for several machines.</summary>
internal sealed class PlanVerb() : Verb("plan", "[OPTIONS] FROM TO --into DIR --parts N", "Plan a sync for several machines.")
{
    public override string Details => """
        FROM and TO are folders, as in sync. What sync would do is written to DIR: N manifests of files to send,
        about equal by bytes and files, and final.jsonl with deletions and empty folders. Each is run by apply, on
        any machine, in any order, and again after a failure; final.jsonl after all others. No passwords are written.
        Moved files are sent again. With the exit code 1 some entries could not be planned, or --max-delete is exceeded.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "plan photos sftp://backup@host.example.com/photos --into /shared/plan --parts 8 --delete",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Plan", options.Plan.All),
        ("Files", [options.Compare, options.Delete, options.DeleteForEmptySource, options.MaxDelete, options.Links, options.MapNames]),
        ("Filters", options.Filter.Except([options.Shard, options.ShardBy, options.SessionsTotal])), Groups.Login(options),
        ("Log-in at the source", options.From.All), ("Log-in at the target", options.To.All), Groups.Connection(options),
        Groups.Json(options),
    ];

    public override bool IsForScripts => false;

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Either;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 2) throw new UsageException("plan wants two folders, from and to.");
        if (invocation.Value(invocation.Options.Plan.Into) is not { Length: > 0 } into)
            throw new UsageException("plan wants --into, the folder for the manifests.");
        if (!int.TryParse(invocation.Value(invocation.Options.Plan.Parts), NumberStyles.None, CultureInfo.InvariantCulture, out var parts)
            || parts is < 1 or > PlanFolder.MaxParts)
        {
            throw new UsageException($"plan wants --parts, a number from 1 to {PlanFolder.MaxParts}.");
        }
        var transfer = invocation.Transfer;
        if (transfer is { DeleteForEmptySource: true, Delete: false })
            throw new UsageException("--delete-for-empty-source says nothing without --delete.");
        if (transfer is { MaxDelete: not null, Delete: false }) throw new UsageException("--max-delete says nothing without --delete.");
        var (from, to) = (CopySide.Parse(invocation.Paths[0], Name), CopySide.Parse(invocation.Paths[1], Name));
        var (folder, options) = (new PlanFolder(into), transfer.Sync);
        await using var pair = await FolderPair.OpenAsync(invocation, from, to, ct);
        var summary = await folder.WriteAsync(
            PlanHeader.Of(NameOf(from), NameOf(to), options), parts, ReportAsync(pair.PlanAsync(options, ct), invocation), ct);
        if (invocation.Json) await invocation.Host.Output.WriteAsync(Encoding.UTF8.GetBytes(summary.ToJson() + "\n"), ct);
        var text = $"{Quantity.Files(summary.Files)}, {Quantity.Bytes(summary.Bytes)} in {parts} parts";
        if (summary.Directories > 0) text += $", {summary.Directories} empty folders";
        if (summary.Deletions > 0) text += $", {summary.Deletions} to delete";
        if (summary.Failed > 0) text += $", {summary.Failed} failed";
        invocation.Messages.Info(text);
        return summary.Failed == 0 ? ExitCode.Done : ExitCode.SomeFailed;
    }

    // On each machine the same.
    private static string NameOf(CopySide side)
    {
        if (side.Url is not null) return side.Name;
        var full = LocalPath.Full(side.LocalPath);
        return LocalPath.BytesOf(full) is null ? full
            : throw new UsageException($"{PrintableText.Of(full)} is no UTF-8, and cannot be named in a plan.");
    }

    private static async IAsyncEnumerable<PlannedItem> ReportAsync(IAsyncEnumerable<PlannedItem> items, Invocation invocation)
    {
        await foreach (var item in items)
        {
            if (item.Error is { } error) invocation.Messages.Error($"{PrintableText.Of(item.Path)}: {error.Message}");
            yield return item;
        }
    }
}
