namespace Transfer;

/// <summary>Makes clients for one protocol, so that hosts and commands can open any URL.</summary>
public interface ITransferProvider
{
    /// <summary>The URL schemes served, in lower case.</summary>
    IReadOnlyCollection<string> Schemes { get; }

    /// <summary>Makes a client; nothing is connected yet.</summary>
    TransferClient Create(Uri endpoint, TransferClientOptions? options = null);
}
