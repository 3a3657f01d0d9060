namespace Transfer.ServerTests.Foreign;

/// <summary>Ends the matrix.</summary>
[SetUpFixture]
public sealed class ForeignHost
{
    [OneTimeTearDown]
    public void WritePage() => ServersPage.Write();
}
