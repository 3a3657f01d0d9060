namespace Transfer.Cli;

internal static class Program
{
    private static async Task<int> Main(string[] args)
    {
        using var interruption = new Interruption();
        return await CommandLine.RunAsync(LocalPath.ExactArguments(args), CommandHost.FromProcess(interruption), interruption.Token);
    }
}
