namespace Transfer.Wan.Clients.StockFtp;

/// <summary>A reply (RFC 959 4.2): its code, and its last line without the code.</summary>
internal readonly record struct StockReply(int Code, string Text)
{
    public bool IsPreliminary => Code is >= 100 and < 200;

    public bool IsCompleted => Code is >= 200 and < 300;

    public bool IsIntermediate => Code is >= 300 and < 400;

    public override string ToString() => $"{Code} {Text}";
}
