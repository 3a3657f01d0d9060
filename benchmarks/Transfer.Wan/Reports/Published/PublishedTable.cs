namespace Transfer.Wan.Reports.Published;

/// <summary>What a document behind the project published: figures of other hardware, beside ours for their proportions.</summary>
internal sealed record PublishedTable(string Document, IReadOnlyList<string> Headers, IReadOnlyList<string[]> Rows, string Remark);
