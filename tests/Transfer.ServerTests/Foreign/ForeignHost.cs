namespace Transfer.ServerTests.Foreign;

/// <summary>Ends the matrix. A set-up fixture that may not run beside others would hold back all fixtures of its namespace.</summary>
[SetUpFixture]
[Parallelizable]
public sealed class ForeignHost
{
    [OneTimeTearDown]
    public void WritePage() => ServersPage.Write();
}
