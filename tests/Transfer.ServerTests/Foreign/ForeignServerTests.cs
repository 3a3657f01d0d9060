using System.Globalization;
using NUnit.Framework.Interfaces;
using Transfer.ServerTests.Foreign.Checks;
using Transfer.ServerTests.Foreign.Servers;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Foreign;

/// <summary>
/// Each check on each server whose makers do not know this client. A check fails, or meets a limit of the server, which docs/servers.md
/// must have: a limit that is gone shows as much as a new one.
/// </summary>
[TestFixtureSource(nameof(Columns))]
[Parallelizable]
internal sealed class ForeignServerTests(ForeignServer column)
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(3);
    private static int _count;

    private RealServer? _server;
    private ServerLogMark _mark = new();
    private string _lines = string.Empty;

    // The slowest server, of SFTP, begins early: at the end the others would be done, and a processor idle.
    private static IEnumerable<ForeignServer> Columns => [.. ForeignServer.Sftp, .. ForeignServer.Ftp];

    private RealServer Server => _server ?? throw new InvalidOperationException("The server has not started.");

    [OneTimeSetUp]
    public async Task StartServer() => _server = await RealServer.StartAsync(column.Make());

    [OneTimeTearDown]
    public async Task StopServer()
    {
        if (_server is not null) await _server.DisposeAsync();
    }

    [TestCaseSource(typeof(Check), nameof(Check.All))]
    public async Task A_cell_of_the_page_is_true(Check check)
    {
        _mark = Server.MarkLog();
        using var round = new Round(Server,
            string.Create(CultureInfo.InvariantCulture, $"c{Interlocked.Increment(ref _count)}"));
        round.Begin();
        _lines = string.Empty;
        string? limit = null;
        try
        {
            await check.RunAsync(round).WaitAsync(Limit);
        }
        catch (ServerLimitException met)
        {
            limit = met.Message;
        }
        finally
        {
            _lines = round.Lines;
        }

        if (ServersPage.IsWritten) ServersPage.Note(column, check, limit is null);
        else Assert.That(limit is null, Is.EqualTo(ServersPage.Cell(column, check) == ServersPage.Good), $"{limit}\n{ServersPage.Advice}");
    }

    private static string Tail(string log) => log[^Math.Min(log.Length, 20_000)..];

    [TearDown]
    public void ShowLog()
    {
        if (TestContext.CurrentContext.Result.Outcome.Status != TestStatus.Failed) return;
        TestContext.Out.WriteLine($"--- what the clients logged\n{Tail(_lines)}");
        TestContext.Out.WriteLine($"--- what the server logged\n{Tail(Server.LogSince(_mark))}");
    }
}
