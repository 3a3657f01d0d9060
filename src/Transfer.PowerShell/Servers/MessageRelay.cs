using Transfer.PowerShell.Clients;

namespace Transfer.PowerShell.Servers;

/// <summary>Passes a client's messages to the cmdlet that uses the client: the latest, if several do. Thread-safe.</summary>
internal sealed class MessageRelay
{
    private readonly Lock _gate = new();
    private readonly List<Action<ClientMessage>> _listeners = [];

    public void Say(ClientMessage message)
    {
        Action<ClientMessage>? listener;
        lock (_gate) listener = _listeners.LastOrDefault();
        listener?.Invoke(message);
    }

    public void Listen(Action<ClientMessage> listener)
    {
        lock (_gate) _listeners.Add(listener);
    }

    public void Leave(Action<ClientMessage> listener)
    {
        lock (_gate) _listeners.Remove(listener);
    }
}
