using System.Buffers;

namespace Transfer.PowerShell.Entries;

/// <summary>The names of entries, which come from a server.</summary>
internal static class EntryNames
{
    private static readonly SearchValues<char> Unsendable = SearchValues.Create("\r\n\0");

    /// <summary>The error of an entry that a listing can show, and whose path no request can have; null: any can.</summary>
    public static TransferException? WhyUnsendable(RemoteEntry entry) => entry.Path.AsSpan().ContainsAny(Unsendable)
        ? new(TransferError.Unsupported, $"{entry.Path}: no request can have a path with CR, LF or NUL.") { RemotePath = entry.Path }
        : null;
}
