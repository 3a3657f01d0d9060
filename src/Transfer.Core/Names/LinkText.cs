namespace Transfer.Names;

/// <summary>A link's text, or the error of reading the link.</summary>
internal readonly record struct LinkText(string? Text, TransferException? Error);
