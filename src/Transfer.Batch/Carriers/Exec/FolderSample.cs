namespace Transfer.Batch.Carriers.Exec;

/// <summary>What a look at the beginning of a folder shows.</summary>
/// <param name="Files">The small files that were seen.</param>
/// <param name="IsMuch">Whether these are worth a batch, as to their number and bytes.</param>
/// <param name="Looked">The files that were looked into.</param>
/// <param name="Shrinking">How many of these shrink when compressed.</param>
internal sealed record FolderSample(int Files, bool IsMuch, int Looked, int Shrinking);
