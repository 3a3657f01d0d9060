namespace Transfer.Cli.Host;

/// <summary>What the command knows of the world around it: streams, terminal, environment. Tests bring their own.</summary>
internal sealed record CommandHost
{
    /// <summary>Standard input, for data.</summary>
    public required Stream Input { get; init; }

    /// <summary>Standard output, for data.</summary>
    public required Stream Output { get; init; }

    /// <summary>Standard error, for messages and progress. No failure to write is reported.</summary>
    public required TextWriter Error { get; init => field = MessageOutput.Over(value); }

    /// <summary>Looks an environment variable up.</summary>
    public required Func<string, string?> Environment { get; init; }

    /// <summary>The user's folder; empty when there is none.</summary>
    public string HomeDirectory { get; init; } = string.Empty;

    /// <summary>The system's configuration of SSH, or null when there is none.</summary>
    public string? SystemSshConfig { get; init; }

    /// <summary>Who runs the command, as the system calls him.</summary>
    public string UserName { get; init; } = System.Environment.UserName;

    public bool OutputIsTerminal { get; init; }

    /// <summary>Progress may be animated.</summary>
    public bool ErrorIsTerminal { get; init; }

    /// <summary>Asks for a secret without echo; null when nobody is there to answer.</summary>
    public Func<string, CancellationToken, string>? ReadSecret { get; init; }

    /// <summary>Asks for an answer that may be seen while it is typed; null when nobody is there to answer.</summary>
    public Func<string, CancellationToken, string>? ReadShown { get; init; }

    /// <summary>The terminal for a shell; null when there is none.</summary>
    public ShellTerminal? Shell { get; init; }

    /// <summary>True once nobody reads standard output any more.</summary>
    public Func<bool> OutputIsClosed { get; init; } = () => false;

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Prints a line of data: names have their own bytes.</summary>
    public ValueTask WriteLineAsync(string line, CancellationToken ct) =>
        Output.WriteAsync(NameEncoding.LosslessUtf8.GetBytes(line + "\n"), ct);

    /// <summary>The process's own streams and terminal.</summary>
    public static CommandHost FromProcess(Interruption interruption)
    {
        var hasTerminal = !Console.IsInputRedirected && !Console.IsErrorRedirected;
        var prompt = new TerminalPrompt(interruption);
        return new CommandHost
        {
            Input = Console.OpenStandardInput(),
            Output = new DataOutput(Console.OpenStandardOutput(), interruption.CloseOutput),
            Error = Console.Error,
            Environment = System.Environment.GetEnvironmentVariable,
            OutputIsClosed = () => interruption.OutputIsClosed,
            HomeDirectory = System.Environment.GetFolderPath(System.Environment.SpecialFolder.UserProfile),
            SystemSshConfig = Sftp.SshConfigOptions.SystemFile,
            OutputIsTerminal = !Console.IsOutputRedirected,
            ErrorIsTerminal = !Console.IsErrorRedirected && System.Environment.GetEnvironmentVariable("TERM") != "dumb",
            ReadSecret = hasTerminal ? prompt.ReadSecret : null,
            ReadShown = hasTerminal ? prompt.ReadShown : null,
            Shell = hasTerminal ? ShellTerminal.Of(interruption) : null,
        };
    }
}
