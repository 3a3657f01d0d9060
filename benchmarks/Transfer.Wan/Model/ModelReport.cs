using Transfer.Wan.Reports;
using Transfer.Wan.Reports.Charts;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Model;

/// <summary>The page <c>docs/reports/model.md</c>: 100 million files, and up to 50 workers.</summary>
internal static class ModelReport
{
    public const string Name = "model";

    private const int Seed = 1;
    private const double Million = 1e6;

    private static readonly int[] Workers = [1, 2, 5, 10, 20, 50];

    private static readonly ModelSite Near = new() { Files = 100 * Million, Length = 10e3 };

    /// <summary>Returns the files of the report, by name.</summary>
    public static IReadOnlyDictionary<string, string> Write()
    {
        var page = new ReportPage(Name);
        page.Heading("A model of many machines", 1);
        page.Paragraph(
            "What a job of 100 million files of 10 KB (1 TB) takes with up to 50 workers, beyond the machines that these reports are "
            + "measured on: where more workers stop to help, and what helps then. Costs of a file were measured; all else here is "
            + "computed from them, by an event-by-event simulation of workers that take parts (`benchmarks/Transfer.Wan/Model`). "
            + "Written by");
        page.Command("./build.sh wan model");
        Costs(page);
        Scaling(page);
        Ways(page);
        Deaths(page);
        Memory(page);
        Advice(page);
        return page.Finish();
    }

    private static void Costs(ReportPage page)
    {
        page.Heading("What was measured");
        page.Paragraph(
            "On two cores, with 100,000 files of 5.9 KB in 1,000 folders, in memory, over loopback. Processor times include the "
            + "system's; the walk is the best of four on a machine that was busy with other work.");
        var table = new MarkdownTable("cost", ">value");
        table.Add("a walk of both sides by one `transfer plan`, a file", Micro(ModelCosts.Walk));
        table.Add("the server's processor time to list a file", Micro(ModelCosts.WalkServer));
        foreach (var method in new[] { ModelCosts.Sftp, ModelCosts.Ftp, ModelCosts.Batch })
        {
            table.Add($"{method.Name}: the worker's processor time for a file", Micro(method.ClientSeconds));
            table.Add($"{method.Name}: the server's processor time for a file", Micro(method.ServerSeconds));
        }
        table.Add("FTP: round trips of a session for a file", Format.Digits(ModelCosts.Ftp.RoundTrips));
        table.Add("a file that is confirmed, as a share of one that is sent", Format.Percent(ModelCosts.ConfirmShare));
        table.Add("a line of a manifest, besides the path", $"{ModelCosts.LineBytes} bytes");
        table.Add("memory of a plan for each deletion", $"{ModelCosts.DeletionBytes} bytes");
        page.Table(table);
        page.Paragraph(
            $"The site, unless a row says otherwise: workers with {Near.WorkerCores} processors, 1 Gbit/s and {Near.WorkerSessions} "
            + $"sessions; one server with {Near.ServerCores} processors, 10 Gbit/s and {Near.Sessions} sessions, nearby, whose disk "
            + "keeps up. One plan, parts of equal size, 16 a worker, nothing to delete, nobody dies.");
    }

    private static void Scaling(ReportPage page)
    {
        page.Heading("More workers");
        var series = new List<ChartSeries>();
        foreach (var (method, site) in new[]
        {
            (ModelCosts.Sftp, Near), (ModelCosts.Batch, Near), (ModelCosts.Ftp, Near with { RoundTrip = 0.02 }),
        })
        {
            var table = new MarkdownTable("workers", ">plan", ">parts", ">all", ">of perfect", "bound by");
            var points = new List<(double, double)>();
            var alone = ModelRun.OfPlan(site, method, 1, 16, new(Seed)).Seconds;
            foreach (var workers in Workers)
            {
                var run = ModelRun.OfPlan(site, method, workers, 16 * workers, new(Seed));
                points.Add((workers, run.Seconds));
                table.Add(Format.Count(workers), Long(run.Plan), Long(run.Parts), Long(run.Seconds),
                    Format.Percent(Math.Round(alone / workers / run.Seconds, 2)), site.BoundOf(method, workers));
            }
            series.Add(new(method.Name, method == ModelCosts.Sftp, points));
            var far = site.RoundTrip > 0 ? $", {Format.Milliseconds(site.RoundTrip * 1000)} away" : string.Empty;
            page.Paragraph($"{method.Name}{far}:");
            page.Table(table);
        }
        page.Chart("workers", "Time against workers",
            LineChart.Draw("100 million files of 10 KB", "Seconds against workers, by method", "workers", "s", series));
    }

    private static void Ways(ReportPage page)
    {
        page.Heading("Ways to cut the job, and more servers");
        page.Paragraph(
            "50 workers, SFTP. The last phase is for deletions: that of shards walks all folders once more, and that of a plan only "
            + "deletes. Without deletions shards need none.");
        var table = new MarkdownTable("way", ">plan", ">parts", ">last phase", ">all");
        Add("a plan", ModelRun.OfPlan(Near, ModelCosts.Sftp, 50, 800, new(Seed)));
        Add("shards by file, 50", ModelRun.OfFileShards(Near, ModelCosts.Sftp, 50, new(Seed)));
        Add("shards by folder, 50", ModelRun.OfFolderShards(Near, ModelCosts.Sftp, 50, 50, new(Seed)));
        Add("shards by folder, 800", ModelRun.OfFolderShards(Near, ModelCosts.Sftp, 50, 800, new(Seed)));
        foreach (var servers in new[] { 2, 4 })
        {
            var site = Near with { Servers = servers };
            Add($"a plan, {servers} servers", ModelRun.OfPlan(site, ModelCosts.Sftp, 50, 800, new(Seed)));
            Add($"shards by folder, 800, {servers} servers", ModelRun.OfFolderShards(site, ModelCosts.Sftp, 50, 800, new(Seed)));
        }
        page.Table(table);

        void Add(string way, ModelRun run) => table.Add(way, Long(run.Plan), Long(run.Parts), Long(run.Final), Long(run.Seconds));
    }

    private static void Deaths(ReportPage page)
    {
        page.Heading("Parts, and workers that die");
        page.Paragraph(
            "50 workers, SFTP; each of them dies once an hour on average, which is noticed after 30 s, and is back after 5 minutes. "
            + "Another worker confirms what the dead one had sent, and sends the rest. The median of 51 runs.");
        var table = new MarkdownTable(">parts", ">nobody dies", ">once an hour each", ">deaths", ">confirmed again");
        foreach (var parts in new[] { 50, 200, 800, 3200 })
        {
            var sizes = ModelSizes.OfPlan(Near.Files, parts);
            var calm = new FleetSimulation(Near, ModelCosts.Sftp, 50).Run(sizes, new(Seed));
            var deaths = new ModelDeaths(3600, 30, 300, ModelCosts.ConfirmShare);
            var runs = Enumerable.Range(0, 51)
                .Select(seed => new FleetSimulation(Near, ModelCosts.Sftp, 50, deaths).Run(sizes, new(seed)))
                .OrderBy(run => run.Seconds).ToList();
            var median = runs[runs.Count / 2];
            table.Add(Format.Count(parts), Long(calm.Seconds), Long(median.Seconds), Format.Count(median.Deaths),
                Format.Percent(Math.Round(median.Confirmed / Near.Files, 4)));
        }
        page.Table(table);
    }

    private static void Memory(ReportPage page)
    {
        page.Heading("Memory and space");
        var table = new MarkdownTable("of 100 million files", ">bytes");
        table.Add("the manifests, with paths of 60 bytes", Format.Size(Near.Files * (ModelCosts.LineBytes + 60)));
        table.Add("memory of a plan that deletes 1 % of as many", Format.Size(Near.Files / 100 * ModelCosts.DeletionBytes));
        table.Add("memory of a plan that deletes as many", Format.Size(Near.Files * ModelCosts.DeletionBytes));
        page.Table(table);
    }

    private static void Advice(ReportPage page)
    {
        var limit = Near.ServerLimit(ModelCosts.Sftp);
        var enough = (int)Math.Ceiling(limit.Files / Near.WorkerLimit(ModelCosts.Sftp).Files);
        page.Heading("Where it saturates, and what helps");
        page.Points(
        [
            $"{enough} workers fill one server: {limit.Bound} takes {Format.Count((long)limit.Files)} files a second. More workers "
            + "help only with more servers, or a faster link of that server.",
            "Then the plan is the rest: one machine walks, and the walk does not become quicker by workers. Shards by folder walk in "
            + "parallel; or plan the largest subtrees each on a machine of its own.",
            "Shards by file cost the server a walk each: take them for a few machines, and for folders that are few and huge.",
            "FTP is bound by sessions divided by round trips: more sessions allowed, or a nearer worker, and nothing else.",
            "Some 16 parts a worker keep the loss by a death small. Many more cost nothing here, and a log-in each with real servers.",
        ]);
    }

    private static string Micro(double seconds) => Format.Text($"{seconds * 1e6:0.#} µs");

    private static string Long(double seconds) => seconds >= 5400 ? Format.Text($"{seconds / 3600:0.0} h")
        : seconds >= 90 ? Format.Text($"{seconds / 60:0.0} min")
        : Format.Text($"{seconds:0} s");
}
