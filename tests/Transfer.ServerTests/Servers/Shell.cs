using System.Diagnostics;

namespace Transfer.ServerTests.Servers;

/// <summary>Runs the small programs of the system that .NET has no call for.</summary>
internal static class Shell
{
    private const int UnmountTries = 50;

    public static string Run(string program, params string[] arguments) => Run(program, arguments, input: null);

    /// <summary>
    /// Unmounts a folder. A program that another test starts meanwhile has this process's open files until it begins: a file that stays
    /// open longer fails.
    /// </summary>
    public static void Unmount(string folder)
    {
        for (var left = UnmountTries; ; left--)
        {
            try
            {
                Run("umount", folder);
                return;
            }
            catch (InvalidOperationException) when (left > 0)
            {
                Thread.Sleep(100);
            }
        }
    }

    public static string Run(string program, string[] arguments, string? input)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        if (input is not null) process.StandardInput.Write(input);
        process.StandardInput.Close();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode != 0)
            throw new InvalidOperationException($"{program} {string.Join(' ', arguments)}: {process.ExitCode}: {errors.Result}");
        return output;
    }
}
