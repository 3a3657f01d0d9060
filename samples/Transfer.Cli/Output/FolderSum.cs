namespace Transfer.Cli.Output;

/// <summary>The sum of the files in a folder and those below.</summary>
internal sealed record FolderSum(string Path, long Bytes, long Files);
