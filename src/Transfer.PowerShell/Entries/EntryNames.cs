using System.Buffers;

namespace Transfer.PowerShell.Entries;

/// <summary>The names of entries, which come from a server.</summary>
internal static class EntryNames
{
    private static readonly SearchValues<char> Unsendable = SearchValues.Create("\r\n\0");

    /// <summary>The error of a path, as a listing can show one, that no request can have; null: any can.</summary>
    public static TransferException? WhyUnsendable(string path) => path.AsSpan().ContainsAny(Unsendable)
        ? new(TransferError.Unsupported, $"{path}: no request can have a path with CR, LF or NUL.") { RemotePath = path }
        : null;
}
