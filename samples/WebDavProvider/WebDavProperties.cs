using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using System.Xml;
using Transfer;

namespace WebDavProvider;

/// <summary>
/// Reads the answer to a PROPFIND (RFC 4918 section 14.16, multistatus) as it comes. No DTD, nothing from elsewhere, and bounded: one
/// resource is in memory at a time.
/// </summary>
internal static class WebDavProperties
{
    /// <summary>What is asked for.</summary>
    public const string Wanted =
        """<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/></prop></propfind>""";

    private const string Dav = "DAV:";
    private const int LongestText = 16 * 1024;
    private const long LongestAnswer = 1L << 30;

    /// <summary>The resources of an answer, with the paths that the server has given them.</summary>
    /// <exception cref="XmlException">It is none, or over a bound.</exception>
    public static async IAsyncEnumerable<RemoteEntry> ReadAsync(Stream body, [EnumeratorCancellation] CancellationToken ct)
    {
        var settings = new XmlReaderSettings
        {
            Async = true,
            DtdProcessing = DtdProcessing.Prohibit,
            XmlResolver = null,
            MaxCharactersInDocument = LongestAnswer,
        };
        using var reader = XmlReader.Create(body, settings);
        if (await reader.MoveToContentAsync() != XmlNodeType.Element || !Is(reader, "multistatus"))
            throw new XmlException("This is no multistatus.");
        while (await reader.ReadAsync())
        {
            ct.ThrowIfCancellationRequested();
            if (reader.NodeType == XmlNodeType.Element && Is(reader, "response") && await ReadResourceAsync(reader) is { } entry)
                yield return entry;
        }
    }

    // Null: the server tells only that it cannot tell of the resource.
    private static async Task<RemoteEntry?> ReadResourceAsync(XmlReader reader)
    {
        if (reader.IsEmptyElement) return null;
        var (path, isFolder, isKnown) = ((string?)null, false, false);
        var (length, modified) = ((long?)null, (DateTimeOffset?)null);
        for (var depth = reader.Depth; await reader.ReadAsync() && reader.Depth > depth;)
        {
            if (reader.NodeType != XmlNodeType.Element || reader.NamespaceURI != Dav) continue;
            switch (reader.LocalName)
            {
                case "href":
                    path ??= PathOf(await ReadTextAsync(reader));
                    break;
                case "collection":
                    isFolder = true;
                    break;
                case "getcontentlength":
                    length = LengthOf(await ReadTextAsync(reader));
                    break;
                case "getlastmodified":
                    modified = TimeOf(await ReadTextAsync(reader));
                    break;
                case "status":
                    isKnown |= (await ReadTextAsync(reader)).Contains(" 200", StringComparison.Ordinal);
                    break;
            }
        }
        if (path is null || !isKnown) return null;
        var type = isFolder ? RemoteEntryType.Directory : RemoteEntryType.File;
        return new RemoteEntry { Path = path, Type = type, Length = isFolder ? null : length, Modified = modified };
    }

    // Stands on the end of the element afterwards.
    private static async Task<string> ReadTextAsync(XmlReader reader)
    {
        if (reader.IsEmptyElement) return string.Empty;
        var text = new StringBuilder();
        var buffer = new char[1024];
        for (var depth = reader.Depth; await reader.ReadAsync() && reader.Depth > depth;)
        {
            if (reader.NodeType is not (XmlNodeType.Text or XmlNodeType.CDATA)) continue;
            while (await reader.ReadValueChunkAsync(buffer, 0, buffer.Length) is > 0 and var read)
            {
                text.Append(buffer, 0, read);
                if (text.Length > LongestText) throw new XmlException("A text is too long.");
            }
        }
        return text.ToString().Trim();
    }

    private static long? LengthOf(string text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var bytes) ? bytes : null;

    private static DateTimeOffset? TimeOf(string text) =>
        DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time) ? time : null;

    // A URL or an absolute path (RFC 4918 section 8.3), escaped; folders end with a slash.
    private static string? PathOf(string href)
    {
        var escaped = Uri.TryCreate(href, UriKind.Absolute, out var url) && url.Scheme is "http" or "https" ? url.AbsolutePath : href;
        if (!escaped.StartsWith('/')) return null;
        var path = Uri.UnescapeDataString(escaped);
        return path.Length > 1 ? path.TrimEnd('/') : path;
    }

    private static bool Is(XmlReader reader, string name) => reader.NamespaceURI == Dav && reader.LocalName == name;
}
