namespace Transfer.Sessions;

/// <summary>A file that gets another path.</summary>
/// <param name="From">The path that it has, absolute.</param>
/// <param name="To">The one that it is to have; the directory exists.</param>
public readonly record struct FileMove(string From, string To);
