using System.Text;
using Microsoft.Extensions.Logging;

namespace Transfer.Sftp.Keys.Config;

/// <summary>Reads a configuration file and includes into settings with their conditions.</summary>
internal sealed class SshConfigLoader(string path, string home, ILogger logger)
{
    private const int MaximumDepth = 16;
    private const int MaximumSize = 4 * 1024 * 1024;
    private const int MaximumFiles = 1000;

    private readonly Dictionary<char, string> _tokens = new() { ['d'] = home, ['u'] = Environment.UserName };
    private readonly List<SshConfigSetting> _settings = [];
    private readonly List<string> _ignored = [];
    private int _files;

    public async ValueTask<IReadOnlyList<SshConfigSetting>> LoadAsync(CancellationToken ct)
    {
        await AddAsync(path, [], 0, ct).ConfigureAwait(false);
        return _settings;
    }

    private static IEnumerable<SshConfigLine> Parse(string text, string path)
    {
        using var reader = new StringReader(text);
        for (var number = 1; reader.ReadLine() is { } line; number++)
        {
            if (SshConfigLine.Parse(line, path, number) is { } parsed) yield return parsed;
        }
    }

    private async ValueTask AddAsync(string file, IReadOnlyList<SshConfigLine> outer, int depth, CancellationToken ct)
    {
        if (depth > MaximumDepth || ++_files > MaximumFiles)
            throw new TransferException(TransferError.Protocol, $"{file} is included by itself, or one of too many.");
        if (await ReadAsync(file, ct).ConfigureAwait(false) is not { } text) return;

        // A block ends with its file: lines after an Include belong to the outer block again.
        var conditions = outer;
        foreach (var line in Parse(text, file))
        {
            if (line.IsCondition)
            {
                conditions = [.. outer, line];
            }
            else if (line.Keyword == "include")
            {
                foreach (var included in line.RequireWords().SelectMany(argument => Expand(argument, line)))
                    await AddAsync(included, conditions, depth + 1, ct).ConfigureAwait(false);
            }
            else
            {
                Add(conditions, line);
            }
        }
    }

    private void Add(IReadOnlyList<SshConfigLine> conditions, SshConfigLine line)
    {
        if (line.Keyword == "ignoreunknown")
        {
            _ignored.AddRange(line.Arguments.SelectMany(static argument => argument.Split(',')));
        }
        else if (line.Known is not { } keyword)
        {
            // A misspelt restriction would restrict nothing.
            if (!HostPatterns.Match(_ignored, line.Keyword))
                Log.ConfigSkipped(logger, line.Path, line.Number, $"{line.Keyword} is unknown");
        }
        else if (keyword.Use != ConfigUse.WithoutEffect)
        {
            _settings.Add(new SshConfigSetting(conditions, line));
        }
    }

    private static async ValueTask<string?> ReadAsync(string file, CancellationToken ct)
    {
        try
        {
            var stream = new FileStream(file,
                new FileStreamOptions
                {
                    Mode = FileMode.Open,
                    Access = FileAccess.Read,
                    Share = FileShare.ReadWrite | FileShare.Delete,
                    Options = FileOptions.Asynchronous
                });
            await using (stream.ConfigureAwait(false))
            {
                // /dev/null is owned by root, writable by all, and empty.
                if (stream.CanSeek && stream.Length == 0) return string.Empty;
                ConfigPermissions.Check(stream.SafeFileHandle, file);
                using var text = new MemoryStream();
                var part = new byte[16 * 1024];
                for (int read; (read = await stream.ReadAsync(part, ct).ConfigureAwait(false)) > 0;)
                {
                    text.Write(part, 0, read);
                    if (text.Length > MaximumSize)
                        throw new TransferException(TransferError.Protocol, $"{file} is too large for a configuration.");
                }

                return Encoding.UTF8.GetString(text.GetBuffer(), 0, (int)text.Length).TrimStart('\uFEFF');
            }
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (Exception error)
            when (error is UnauthorizedAccessException or NotSupportedException or (IOException and not TransferException))
        {
            throw new TransferException(TransferError.Denied, $"The configuration {file} cannot be read: {error.Message}", error);
        }
    }

    /// <summary>
    /// The files that an Include names: relative to the first file's folder, ~/.ssh for a user's. These folders are no patterns.
    /// </summary>
    private IReadOnlyList<string> Expand(string text, SshConfigLine line)
    {
        // Files are read before the host is known.
        for (var at = text.IndexOf('%', StringComparison.Ordinal); at >= 0; at = at + 2 < text.Length ? text.IndexOf('%', at + 2) : -1)
        {
            if (at + 1 < text.Length && text[at + 1] != '%' && !_tokens.ContainsKey(text[at + 1]))
                throw new TransferException(TransferError.Unsupported, $"{line.Place}: %{text[at + 1]} is not expanded in an Include.");
        }
        var argument = SshConfigTokens.Expand(text, _tokens, line);
        if (SshConfigTokens.PathInHome(argument, line) is { } own) return ConfigGlob.Find(home, own);
        var root = Path.IsPathRooted(argument) ? Path.GetPathRoot(argument)! : string.Empty;
        return ConfigGlob.Find(root.Length > 0 ? root : Path.GetDirectoryName(Path.GetFullPath(path))!, argument[root.Length..]);
    }
}
