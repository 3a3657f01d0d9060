namespace Transfer.Tests.Faults;

/// <summary>A server of the fault matrix, with a client of it.</summary>
internal interface IMatrixHost : IAsyncDisposable
{
    TransferClient Client { get; }

    /// <summary>Everything that is there, by path.</summary>
    IReadOnlyDictionary<string, byte[]> Files { get; }

    void Add(string path, byte[] content);

    /// <summary>What was asked for since the last call, as the names of steps.</summary>
    IReadOnlyList<string> TakeSteps();

    /// <summary>One occurrence of a step fails in one way.</summary>
    void Inject(string step, int occurrence, string fault);

    void Clear();
}
