namespace Transfer.Cli.Profiles;

/// <summary>Where the value of an option is from; the first counts most.</summary>
internal enum OptionLayer
{
    Arguments,

    /// <summary>The profile of the server, for an option of its log-in: variables know no server.</summary>
    LogInOfProfile,

    Environment,

    Profile,

    /// <summary>The configuration's section for all servers.</summary>
    Defaults,
}
