using Transfer.Cli.Commands;

namespace Transfer.Cli;

internal static class Program
{
    private static async Task<int> Main(string[] args)
    {
        using var interruption = new Interruption();
        return await CommandLine.RunAsync(args, CommandHost.FromProcess(interruption), interruption.Token);
    }
}
