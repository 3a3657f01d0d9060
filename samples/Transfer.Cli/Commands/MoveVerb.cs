using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Profiles;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Renames on one server.</summary>
internal sealed class MoveVerb() : Verb("mv", "[OPTIONS] URL URL|PATH", "Rename or move a file or folder on its server.")
{
    public override string Details => """
        A PATH without a leading / is relative to the folder of the first URL. Into a target that ends in
        / the name is kept. --overwrite takes fail or always (the default) here; skip and newer of a
        configuration are fail.
        """;

    public override IReadOnlyList<string> Examples =>
        ["mv ftpes://me@ftp.example.com/www/new.html index.html", "mv ftpes://me@ftp.example.com/in/a.csv /done/"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Files", [options.Overwrite]), Groups.Login(options), Groups.Connection(options)];

    public override OptionValue Adapt(OptionValue value) => value is { Option.Name: "--overwrite", Values: ["skip" or "newer"] }
        ? value with { Values = ["fail"] } : value;

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 2) throw new UsageException("mv wants a URL and where to: a URL or a path.");
        var url = Invocation.RemoteUrl(invocation.Paths[0]);
        var from = url.Path.TrimEnd('/');
        if (RemotePath.GetParent(url.Path) is not { } parent || from.Length == 0)
            throw new UsageException("mv does not rename the root or the log-in folder.");
        var to = Target(url, parent, invocation.Paths[1]);
        if (to.EndsWith('/')) to = RemotePath.Combine(to, RemotePath.GetName(from));
        var overwrite = invocation.Transfer.Overwrite;
        if (overwrite is OverwriteMode.Skip or OverwriteMode.Newer) throw new UsageException("mv knows only --overwrite fail and always.");
        return SingleServer.RunAsync(
            invocation,
            url,
            async client =>
            {
                await client.MoveAsync(from, to, overwrite == OverwriteMode.Always, ct);
                return ExitCode.Done;
            },
            ct);
    }

    private static string Target(TransferUrl url, string parent, string text)
    {
        if (Scheme.IsUrl(text))
        {
            var to = Invocation.RemoteUrl(text);
            if (!to.IsSameServer(url)) throw new UsageException("mv renames on one server; copy copies between two.");
            if (to.User is not null && to.User != url.User)
                throw new UsageException("mv logs in once, and the two URLs name different users.");
            if (to.Password is not null && to.Password != url.Password)
                throw new UsageException("mv logs in once, and the two URLs have different passwords.");
            return to.Path;
        }

        if (text is "" or "-") throw new UsageException("mv wants a URL or a path as its target.");
        if (text.AsSpan().ContainsAny('\r', '\n', '\0')) throw new UsageException("A path with a CR, LF or NUL is refused.");
        return text.StartsWith('/') ? text : RemotePath.Combine(parent, text);
    }
}
