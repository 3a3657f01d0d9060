using System.Net;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Fleet;

/// <summary>Workers of <c>samples/Transfer.Fleet</c> as programs, which share a database, a folder of plans and a server.</summary>
/// <param name="variant">The server.</param>
public abstract class FleetFixture(ServerVariant variant) : ServerFixture(ServerKind.Vsftpd, variant)
{
    private readonly List<FleetWorker> _workers = [];
    private PostgresServer? _database;

    protected override bool OwnServer => true;

    /// <summary>The workers.</summary>
    private protected IReadOnlyList<FleetWorker> Workers => _workers;

    private protected PostgresServer Database => _database ?? throw new InvalidOperationException("The database has not started.");

    /// <summary>The local folder.</summary>
    protected string Source => Path.Combine(Scratch, "source");

    [OneTimeSetUp]
    public async Task StartDatabase() => _database = await PostgresServer.StartAsync(Path.Combine(TestHost.Folder, GetType().Name));

    [OneTimeTearDown]
    public async Task StopDatabase()
    {
        if (_database is not null) await _database.DisposeAsync();
    }

    [TearDown]
    public async Task StopWorkers()
    {
        foreach (var worker in _workers) await worker.DisposeAsync();
        _workers.Clear();
    }

    // More than the files that are under way at once over two sessions, so that some have their names.
    private protected static IEnumerable<string> Midway(PlanState plan) =>
        plan.Applied.Where(part => part is { State: "Running", Percent: >= 50 }).Select(part => part.Worker!).Distinct();

    // Each stands still before a last look, for its part may end between the look and the kill.
    private protected async Task<HashSet<string>> KillMidwayAsync(string plan, int count)
    {
        var dead = new HashSet<string>();
        while (dead.Count < count)
        {
            var spared = dead.Append(_workers[0].Name);
            var busy = await _workers[0].WaitAsync(
                plan, state => Midway(state).Except(spared).Any(), "a worker is in the middle of a part");
            var victim = _workers.First(worker => Midway(busy).Except(spared).Contains(worker.Name));
            victim.Freeze(true);
            if (Midway(await _workers[0].ReadAsync(plan)).Contains(victim.Name))
            {
                await victim.KillAsync();
                dead.Add(victim.Name);
            }
            else
            {
                victim.Freeze(false);
            }
        }
        return dead;
    }

    private protected static object Plan(string name, int parts) => new { name, from = "local:", to = "server:", parts, delete = true };

    private protected static async Task SubmitAsync(FleetWorker worker, string name, int parts)
    {
        using var answer = await worker.SubmitAsync(Plan(name, parts));
        Assert.That(answer.StatusCode, Is.EqualTo(HttpStatusCode.Accepted), await answer.Content.ReadAsStringAsync());
    }

    private protected async Task StartAsync(int count, params (string Name, string Value)[] more)
    {
        var password = Path.Combine(Scratch, "password");
        await File.WriteAllTextAsync(password, Server.Credential.Password + "\n");
        var settings = new Dictionary<string, string>
        {
            ["ConnectionStrings:Fleet"] = Database.ConnectionString,
            ["Fleet:Plans"] = Path.Combine(Scratch, "plans"),
            ["Fleet:CheckIn"] = "00:00:01",
            ["Fleet:RetryDelay"] = "00:00:01",
            ["Fleet:Servers:local:Client:Url"] = new Uri(Source).AbsoluteUri,
            ["Fleet:Servers:server:Client:Url"] = Server.Url(Remote + "/").AbsoluteUri,
            ["Fleet:Servers:server:Client:UserName"] = Server.Credential.UserName,
            ["Fleet:Servers:server:Client:PasswordFile"] = password,
            ["Fleet:Servers:server:SessionsTotal"] = $"{2 * count}",
            ["Fleet:Workers"] = $"{count}",
            ["DOTNET_TieredPGO"] = "0",
        };
        foreach (var (name, value) in more) settings[name] = value;
        _workers.AddRange(await Task.WhenAll(Enumerable.Range(0, count).Select(_ => FleetWorker.StartAsync(settings))));
    }
}
