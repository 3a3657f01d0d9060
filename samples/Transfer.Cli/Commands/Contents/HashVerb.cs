using System.CommandLine;
using System.Text.Json;
using Transfer.Cli.Options;
using Transfer.Cli.Output;

namespace Transfer.Cli.Commands.Contents;

/// <summary>Hashes files.</summary>
internal sealed class HashVerb() : Verb("hash", "[OPTIONS] URL...", "Print the hashes of files.")
{
    public override string Details => """
        Lines as sha256sum prints them, which sha256sum -c takes. The server computes the hash where it can (over
        FTP by HASH and the like, over SSH by a command), else the file is read. *, ? and [...] stand for the matching
        names.
        """;

    public override IReadOnlyList<string> Examples =>
        ["hash 'sftp://me@files.example.com/pub/*.iso'", "hash --algorithm md5 --json ftp://ftp.example.com/pub/tool.tar.gz"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Output", [options.Contents.Algorithm, options.Json]), Groups.Login(options), Groups.Connection(options)];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var algorithm = invocation.Value(invocation.Options.Contents.Algorithm) switch
        {
            null or "sha256" => "SHA-256",
            "sha1" => "SHA-1",
            "sha384" => "SHA-384",
            "sha512" => "SHA-512",
            "md5" => "MD5",
            "crc32" => "CRC32",
            _ => throw new UsageException("--algorithm wants sha256, sha1, sha384, sha512, md5 or crc32."),
        };
        var host = invocation.Host;
        return SeveralUrls.RunAsync(invocation, async (client, _, path) =>
        {
            var hash = await client.ComputeHashAsync(path, algorithm, ct);
            var line = invocation.Json
                ? JsonSerializer.Serialize(HashJson.Of(path, hash), EntryJsonContext.Default.HashJson)
                : $"{hash.Hash}  {EntryTable.Name(RemotePath.GetName(path), host.OutputIsTerminal)}";
            await host.WriteLineAsync(line, ct);
        }, ct);
    }
}
