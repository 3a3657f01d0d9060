namespace Transfer.Names;

/// <summary>A link's text, or why it can't be read.</summary>
internal readonly record struct LinkText(string? Text, TransferException? Error);
