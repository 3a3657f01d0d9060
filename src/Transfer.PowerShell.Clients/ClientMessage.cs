namespace Transfer.PowerShell.Clients;

/// <summary>What a client says of itself.</summary>
/// <param name="Level">How loud.</param>
/// <param name="Text">The message, without secrets and control characters.</param>
public readonly record struct ClientMessage(ClientMessageLevel Level, string Text);
