namespace Transfer.Tests.Engine;

/// <summary>A local folder, a server in memory with a client of it, and what a job tells of its items.</summary>
public abstract class MemoryFixture
{
    private protected MemoryStore Store { get; private set; } = null!;

    private protected TempFolder Local { get; private set; } = null!;

    private protected MemoryTransferClient Client { get; private set; } = null!;

    private protected Collected<ItemResult> Items { get; private set; } = null!;

    [SetUp]
    public void Make()
    {
        Local = new TempFolder();
        Store = new MemoryStore();
        Client = new MemoryTransferClient(Store);
        Items = new Collected<ItemResult>();
    }

    [TearDown]
    public async Task Remove()
    {
        await Client.DisposeAsync();
        Local.Dispose();
    }
}
