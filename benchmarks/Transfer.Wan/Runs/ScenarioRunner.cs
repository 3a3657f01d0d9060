using System.Globalization;
using Transfer.Wan.Beds;
using Transfer.Wan.Clients;
using Transfer.Wan.Link;
using Transfer.Wan.Records;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Runs;

/// <summary>Runs scenarios over a link, turn by turn, and records them.</summary>
internal sealed class ScenarioRunner(TestBed bed, DataSets data, RecordFile records, TextWriter progress)
{
    /// <summary>Runs one scenario.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="rounds">How often each client has its turn.</param>
    /// <param name="ct">Stops the client that runs, and is thrown.</param>
    public async Task RunAsync(Scenario scenario, int rounds, CancellationToken ct)
    {
        if (bed.WhyNot(scenario) is { } why)
        {
            LeaveOut(scenario, client: null, why);
            return;
        }

        var clients = new List<(ClientTurn, WanClient)>();
        foreach (var turn in scenario.Clients)
        {
            var client = ClientCatalog.Find(turn.Client);
            if ((bed.WhyNot(client.Label) ?? client.WhyNot) is { } missing) LeaveOut(scenario, client.Label, missing);
            else clients.Add((turn, client));
        }

        if (clients.Count == 0) return;
        if (scenario.Link is { } shape) await PrepareLinkAsync(shape);
        var server = await bed.ServerAsync(scenario);
        foreach (var turn in TurnOrder.Of(scenario, rounds, clients))
        {
            var measured = await MeasureAsync(scenario, turn, server, ct);
            records.Add(measured);
            progress.WriteLine(Line(measured, rounds));
        }
    }

    private static string Line(Measured measured, int rounds)
    {
        var what = measured switch
        {
            { Error: { } error } => "failed: " + error,
            { BytesCarried: { } bytes } =>
                string.Create(CultureInfo.InvariantCulture, $"stopped after {measured.Seconds:0.0} s with {bytes / 1e6:0.0} MB"),
            { FilesMoved: { } files } => string.Create(CultureInfo.InvariantCulture, $"{measured.Seconds:0.00} s for {files} files"),
            _ => string.Create(CultureInfo.InvariantCulture, $"{measured.Seconds:0.00} s"),
        };
        return string.Create(CultureInfo.InvariantCulture, $"{measured.Scenario}  {measured.Round}/{rounds}  {measured.Client}: {what}");
    }

    private async Task<Measured> MeasureAsync(Scenario scenario, Turn turn, ServerAccess server, CancellationToken ct)
    {
        using var folders = new TurnFolders(scenario, turn, server, data);
        PageCache.WriteBack();
        if (scenario.IsCold) PageCache.Empty();
        var job = folders.Job with { Host = bed.ClientPlace(scenario).Address.ToString() };
        await using var far = turn.Client.FarEnd(job) is { } command
            ? new FarProcess(bed.FarPlace, bed.CanShutIn, command, job.Scratch) : null;
        if (far is not null) job = job with { FarEnd = await far.FirstLineAsync(ct) };
        var client = new ClientProcess(bed.ClientPlace(scenario), bed.CanShutIn);
        var before = Traffic(scenario);
        var outcome = await client.RunAsync(turn.Client.Command(job), folders.Job.Scratch, scenario.StopAfter ?? WanLimits.Run,
            folders.Arrived, ct);
        var traffic = Traffic(scenario) - before;
        var measured = new Measured
        {
            Scenario = scenario.Name,
            Link = scenario.LinkName,
            Client = turn.Client.Label,
            Server = server.Name,
            Protocol = scenario.Protocol.ToString(),
            Direction = scenario.Direction,
            Files = scenario.Files,
            Bytes = scenario.Bytes,
            Round = turn.Round,
            FilesMoved = turn.Files < scenario.Files ? turn.Files : null,
        };
        var error = outcome.Error;
        if (outcome.WasStopped && scenario.StopAfter is null)
            error = string.Create(CultureInfo.InvariantCulture, $"did not end within {WanLimits.Run.TotalSeconds} s");
        if (error is null && !outcome.WasStopped)
            error = folders.Difference(turn.Client.Received(job), turn.Client.TimePrecision(job), outcome.Output);
        if (error is not null) return measured with { Error = error };
        return measured with
        {
            Seconds = Math.Round(outcome.Seconds, 4),
            FirstSeconds = scenario.Tree == TreeWork.List && outcome.FirstSeconds is { } first ? Math.Round(first, 4) : null,
            ProcessorSeconds = outcome.ProcessorSeconds is { } seconds ? Math.Round(seconds, 4) : null,
            PeakBytes = outcome.PeakBytes,
            FarPeakBytes = turn.Client.WorksAtFarEnd ? far?.PeakBytes : null,
            SentBytes = traffic?.Sent,
            ReceivedBytes = traffic?.Received,
            BytesMoved = outcome.Arrived,
        };
    }

    // What a link carried of another scenario is none of one over loopback.
    private LinkTraffic? Traffic(Scenario scenario) => scenario.Link is null ? null : bed.Traffic;

    private async Task PrepareLinkAsync(LinkShape shape)
    {
        if (await bed.PrepareAsync(shape) is not { } made) return;
        records.Add(made);
        var given = made.Given;
        progress.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"link {made.Link} ({made.Means}): {given.RoundTrip:0.0##} ms, {given.Rate:0} Mbit/s, jitter {given.Jitter:0.0##} ms, loss "
            + $"{given.Loss:0.00##%}"));
    }

    private void LeaveOut(Scenario scenario, string? client, string why)
    {
        records.Add(new LeftOut { Scenario = scenario.Name, Client = client, Why = why });
        progress.WriteLine($"{scenario.Name}  {client ?? "all clients"}: left out, {why}");
    }
}
