using Transfer.Cli.Urls;

namespace Transfer.Cli.Options;

/// <summary>A file of patterns (<c>--filter-from</c>).</summary>
internal static class FilterFile
{
    /// <summary>Reads the patterns in order.</summary>
    /// <exception cref="UsageException">The file cannot be read, or a line is no pattern.</exception>
    public static IReadOnlyList<(bool Includes, string Pattern)> Read(string path)
    {
        string[] lines;
        try
        {
            lines = File.ReadAllLines(path, NameEncoding.LosslessUtf8);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"--filter-from: {path} cannot be read: {e.Message}");
        }

        return [.. lines.SelectMany((line, index) => Of(line, path, index + 1))];
    }

    private static IEnumerable<(bool, string)> Of(string line, string path, int number)
    {
        if (string.IsNullOrWhiteSpace(line) || line.StartsWith('#')) return [];
        if (line.Length is < 3 or > TransferFilter.MaxPattern + 2 || line[0] is not ('+' or '-') || line[1] != ' ')
            throw new UsageException($"--filter-from: line {number} of {path} wants + or -, a space and a pattern.");
        return BraceExpansion.Expand(line[2..]).Where(pattern => pattern.Length > 0).Select(pattern => (line[0] == '+', pattern));
    }
}
