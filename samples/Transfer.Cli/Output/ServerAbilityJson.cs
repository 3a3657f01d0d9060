namespace Transfer.Cli.Output;

/// <summary>An ability of a server in JSON.</summary>
internal sealed record ServerAbilityJson(string Name, string Way, bool FallBack, bool Forced, bool Remembered)
{
    public static ServerAbilityJson From(ServerAbility ability) =>
        new(ability.Name, ability.Way, ability.IsFallBack, ability.IsForced, ability.IsRemembered);
}
