using Transfer.Cli.Profiles;

namespace Transfer.Cli.Verbs;

/// <summary>Arguments whose profiles have become URLs.</summary>
/// <param name="Texts">The arguments.</param>
/// <param name="Profiles">The profile of each; null: none.</param>
internal sealed record ProfileArguments(IReadOnlyList<string> Texts, IReadOnlyList<ServerProfile?> Profiles)
{
    /// <summary>Replaces <c>@NAME</c>, and <c>@NAME/PATH</c>, by the URL of the profile where an argument may be a server's.</summary>
    /// <param name="verb">The verb.</param>
    /// <param name="arguments">The arguments as they are typed.</param>
    /// <param name="configuration">The configuration.</param>
    /// <param name="isLine">The arguments are of a script, where a path at the server may begin with @.</param>
    /// <exception cref="UsageException">There is no profile of the name.</exception>
    public static ProfileArguments Of(Verb verb, IReadOnlyList<string> arguments, Configuration configuration, bool isLine)
    {
        var (texts, profiles) = (new string[arguments.Count], new ServerProfile?[arguments.Count]);
        for (var i = 0; i < arguments.Count; i++)
        {
            var side = verb.SideOf(i, arguments.Count);
            (texts[i], profiles[i]) = side is ArgumentSide.Remote or ArgumentSide.Either
                ? Resolve(arguments[i], configuration, isLine || side == ArgumentSide.Either && LocalPath.Find(arguments[i]) is not null)
                : (arguments[i], null);
        }

        return new ProfileArguments(texts, profiles);
    }

    /// <summary>The same for one text.</summary>
    /// <param name="text">The text.</param>
    /// <param name="configuration">The configuration.</param>
    /// <param name="isPathElse">A name that no profile has is a path.</param>
    /// <exception cref="UsageException">There is no profile of the name.</exception>
    public static (string Text, ServerProfile? Profile) Resolve(string text, Configuration configuration, bool isPathElse)
    {
        if (!text.StartsWith('@')) return (text, null);
        var slash = text.IndexOf('/', StringComparison.Ordinal);
        var (name, path) = slash < 0 ? (text[1..], string.Empty) : (text[1..slash], text[slash..]);
        var profile = isPathElse ? configuration.Find(name) : configuration.Get(name);
        return profile is null ? (text, null) : (profile.UrlOf(path), profile);
    }
}
