using Transfer.Cli.Credentials;

namespace Transfer.Cli.Commands;

/// <summary>Gives each side of a copy the log-in options that are meant for it, and refuses those that could reach two servers.</summary>
internal sealed class CopyLogins
{
    public CopyLogins(LoginArguments shared, LoginArguments from, LoginArguments to, bool fromIsRemote, bool toIsRemote)
    {
        if (fromIsRemote && toIsRemote && shared.Given.Count > 0)
        {
            var option = shared.Given[0];
            throw new UsageException($"{option} would go to two servers; use --from-{option[2..]} and --to-{option[2..]}.");
        }

        From = Pick(shared, from, fromIsRemote, "source");
        To = Pick(shared, to, toIsRemote, "target");
        if (!fromIsRemote && !toIsRemote && shared.Given.Count > 0)
            throw new UsageException($"{shared.Given[0]} is for servers, and both sides are local.");
    }

    public LoginArguments From { get; }

    public LoginArguments To { get; }

    private static LoginArguments Pick(LoginArguments shared, LoginArguments own, bool isRemote, string side)
    {
        if (own.Given.Count == 0) return shared.Given.Count > 0 ? shared : own;
        if (!isRemote) throw new UsageException($"{own.Given[0]} is for servers, and the {side} is local.");
        return shared.Given.Count == 0 ? own : throw new UsageException($"{own.Given[0]} and {shared.Given[0]} contradict each other.");
    }
}
