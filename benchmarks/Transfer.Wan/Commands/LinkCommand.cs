using System.Diagnostics;
using System.Globalization;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Clients;
using Transfer.Wan.Link;
using Transfer.Wan.Link.Probes;

namespace Transfer.Wan.Commands;

/// <summary><c>Transfer.Wan link</c>: a link by hand. Its self-test goes to standard error; the exit code is the command's.</summary>
internal static class LinkCommand
{
    public static async Task<int> RunAsync(LinkOptions options, CancellationToken ct)
    {
        if (LinkFactory.WhyNot() is { } why) throw new InvalidOperationException($"No link can be made here: {why}.");
        await using var link = LinkFactory.Create(options.Settings, options.Netem, options.CongestionControl);
        var given = await new LinkProbe(link).MeasureAsync(options.Settings.Shape);
        await Console.Error.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"near {link.Near.Address}, far {link.Far.Address}, by {link.Means}: {given.RoundTrip:0.0##} ms, {given.Rate:0} Mbit/s, "
            + $"jitter {given.Jitter:0.0##} ms, loss {given.Loss:0.00##%}"));
        if (options.Command.Count == 0) return 0;

        using var far = options.Far is { } line
            ? link.Far.Inside(
                () => ServerProcess.Start("/dev/null", "sh", ["-c", $"cd {ShellWords.Quote(Environment.CurrentDirectory)} && {line}"]))
                : null;
        using var near = link.Near.Inside(() => Process.Start(new ProcessStartInfo("setpriv", ["--pdeathsig", "KILL", .. options.Command])))
            ?? throw new InvalidOperationException($"{options.Command[0]} did not start.");
        try
        {
            await near.WaitForExitAsync(ct);
        }
        catch (OperationCanceledException)
        {
            near.Kill(entireProcessTree: true);
            throw;
        }

        if (link.ProcessorSeconds is { } seconds)
        {
            await Console.Error.WriteLineAsync(
                string.Create(CultureInfo.InvariantCulture, $"the link took {seconds:0.00} s of processor time"));
        }

        return near.ExitCode;
    }
}
