using System.CommandLine;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands.Plans;

/// <summary>Runs a part of a plan.</summary>
internal sealed class ApplyVerb() : Verb("apply", "[OPTIONS] MANIFEST [FROM TO]", "Run a part of a plan.")
{
    public override string Details => """
        MANIFEST is a file of plan. Files that are at the target already are confirmed and not sent again, so that
        a part can be run any number of times; one that was killed continues its large files. The outcome is written
        beside the manifest, NAME.result.json. final.jsonl begins only when all parts are done: then deletions follow
        sync's rules as of now, and nothing is deleted that was not planned. FROM and TO take the place of those in
        the plan, where the same folders have other names here. Log-ins as in copy: a plan has none.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "apply /shared/plan/part-0003.jsonl --password-file secret",
        "apply /shared/plan/final.jsonl",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Files",
        [
            options.BackupDir, options.Publish, options.TempDir, options.Fsync, options.Perms, options.Verify, options.Segments,
            options.Limit, options.LimitTotal, options.SessionsTotal, options.MaxDuration, options.MaxTransfer, options.Grace,
        ]),
        Groups.Login(options), ("Log-in at the source", options.From.All), ("Log-in at the target", options.To.All),
        Groups.Connection(options), Groups.Items(options),
    ];

    public override bool IsForScripts => false;

    public override ArgumentSide SideOf(int index, int count) => index == 0 ? ArgumentSide.Local : ArgumentSide.Either;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count is not (1 or 3)) throw new UsageException("apply wants a manifest, or that and two folders.");
        var manifest = await PlanManifest.OpenAsync(invocation.Paths[0], ct);
        var (from, to) = invocation.Paths.Count == 3 ? (invocation.Paths[1], invocation.Paths[2])
            : (manifest.Header.Source, manifest.Header.Target);
        invocation.Options.ShareOf = manifest.Header.ShareOf;
        var transfer = invocation.Transfer;
        await using var pair = await FolderPair.OpenAsync(invocation, CopySide.Parse(from, Name), CopySide.Parse(to, Name), ct);
        var step = TransferStep.Job(invocation.Paths[0], pair.Clients, prefix: string.Empty, run =>
            pair.StartApply(manifest, transfer.Sync with { Deletions = new DeletionNote(invocation) }, run));
        using var runner = new TransferRunner(invocation, parallel: 1, sync: true, grace: transfer.Grace);
        return await runner.RunAsync("Applying", _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
    }
}
