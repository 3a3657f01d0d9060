using Microsoft.Extensions.Logging;

namespace Transfer.Sftp.Keys.Config;

/// <summary>Reads a configuration file and the files it includes into settings, each with its conditions.</summary>
internal sealed class SshConfigLoader(string path, string home, ILogger logger)
{
    private const int MaximumDepth = 16;
    private const int MaximumSize = 4 * 1024 * 1024;
    private const int MaximumFiles = 1000;

    private readonly List<SshConfigSetting> _settings = [];
    private readonly HashSet<SshConfigLine> _skipped = new(ReferenceEqualityComparer.Instance);
    private int _files;

    public async ValueTask<IReadOnlyList<SshConfigSetting>> LoadAsync(CancellationToken ct)
    {
        await AddAsync(path, [], 0, ct).ConfigureAwait(false);
        return _settings;
    }

    /// <summary>Parses one text. Settings without a value that makes sense are skipped with a warning.</summary>
    private static IEnumerable<SshConfigLine> Parse(string text, string path, ILogger logger)
    {
        using var reader = new StringReader(text);
        for (var number = 1; reader.ReadLine() is { } line; number++)
        {
            if (SshConfigLine.Parse(line, path, number) is not { } parsed) continue;
            if (parsed.Problem is { } problem) Log.ConfigSkipped(logger, path, number, problem);
            else yield return parsed;
        }
    }

    private async ValueTask AddAsync(string file, IReadOnlyList<SshConfigLine> outer, int depth, CancellationToken ct)
    {
        if (depth > MaximumDepth || ++_files > MaximumFiles)
            throw new TransferException(TransferError.Protocol, $"{file} is included by itself, or one of too many.");
        if (await ReadAsync(file, ct).ConfigureAwait(false) is not { } text) return;

        // A block ends with its file: what follows an Include belongs to the block around it again.
        var conditions = outer;
        foreach (var line in Parse(text, file, logger))
        {
            if (line.IsCondition)
            {
                conditions = [.. outer, line];
            }
            else if (line.Keyword == "include")
            {
                foreach (var included in line.Arguments.SelectMany(Expand)) await AddAsync(included, conditions, depth + 1, ct).ConfigureAwait(false);
            }
            else if (line.Concerns)
            {
                WarnOfMatch(conditions, file);
                _settings.Add(new SshConfigSetting(conditions, line));
            }
        }
    }

    /// <summary>Most Match blocks are about other things, those of distributions above all: one is worth a warning when something we would use is in it.</summary>
    private void WarnOfMatch(IReadOnlyList<SshConfigLine> conditions, string file)
    {
        if (conditions.FirstOrDefault(condition => condition is { IsMatch: true, IsMatchAll: false }) is { } match && _skipped.Add(match))
            Log.ConfigSkipped(logger, file, match.Number, "a Match block, which is not supported");
    }

    private static async ValueTask<string?> ReadAsync(string file, CancellationToken ct)
    {
        try
        {
            var found = new FileInfo(file);
            if (!OperatingSystem.IsWindows() && found is { Exists: true, Length: > 0 } && (found.UnixFileMode & UnixFileMode.OtherWrite) != 0)
                throw new TransferException(TransferError.Denied, $"The configuration {file} can be written by anybody and is not used; 'chmod o-w' closes it.");
            if (found is { Exists: true, Length: > MaximumSize }) throw new TransferException(TransferError.Protocol, $"{file} is too large for a configuration.");
            return await File.ReadAllTextAsync(file, ct).ConfigureAwait(false);
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (Exception error) when (error is UnauthorizedAccessException or NotSupportedException or (IOException and not TransferException))
        {
            throw new TransferException(TransferError.Denied, $"The configuration {file} cannot be read: {error.Message}", error);
        }
    }

    /// <summary>The files that an Include names: relative to the first file's folder, which is ~/.ssh for a user's; wildcards in the last part.</summary>
    private IEnumerable<string> Expand(string argument)
    {
        var full = Path.Combine(Path.GetDirectoryName(Path.GetFullPath(path))!, SshConfigTokens.ExpandHome(argument, home));
        var (folder, name) = (Path.GetDirectoryName(full), Path.GetFileName(full));
        if (!name.AsSpan().ContainsAny('*', '?')) return [full];
        return Directory.Exists(folder)
            ? Directory.EnumerateFiles(folder, name, new EnumerationOptions { MatchType = MatchType.Simple }).Order(StringComparer.Ordinal)
            : [];
    }
}
