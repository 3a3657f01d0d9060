namespace Transfer.Testing.Faults;

/// <summary>Sends a reply instead of executing.</summary>
internal sealed record ReplyFault(string Reply) : FaultAction
{
    /// <summary>A scripted reply in wire form: lines end with CR LF.</summary>
    public static string Complete(string reply)
    {
        var lines = reply.ReplaceLineEndings("\r\n");
        return lines.EndsWith("\r\n", StringComparison.Ordinal) ? lines : lines + "\r\n";
    }
}
