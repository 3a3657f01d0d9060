namespace Transfer.Tests.Described;

/// <summary>Each check on each described server: the check passes, or the server's limit is named and nothing is lost.</summary>
internal abstract class DescribedFixture
{
    protected static IEnumerable<TestCaseData> CasesOf(IReadOnlyDictionary<string, Description> servers) =>
        from server in servers.Keys from check in DescribedChecks.All.Keys select new TestCaseData(server, check);

    protected static async Task RunAsync(Description description, string check)
    {
        await using var server = await description.StartAsync();
        using var round = new DescribedRound(description, server);
        var limit = description.Limits.GetValueOrDefault(check);
        try
        {
            await DescribedChecks.All[check](round);
            Assert.That(limit, Is.Null, "the server's limit is none any more");
        }
        catch (Exception e) when (limit is not null && (e is TransferException or ServerLimitException))
        {
            Assert.That(e.Message, Does.Contain(limit));
            round.AssertNothingLost();
        }
    }
}
