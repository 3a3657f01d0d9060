using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Profiles;

namespace Transfer.Cli.Verbs;

/// <summary>One verb of the command.</summary>
internal abstract class Verb(string name, string usage, string description)
{
    public string Name => name;

    /// <summary>What follows the verb: <c>[OPTIONS] LOCAL... URL</c>.</summary>
    public string Usage => usage;

    /// <summary>One line.</summary>
    public string Description => description;

    /// <summary>More to know, in lines of at most 100 characters.</summary>
    public virtual string Details => string.Empty;

    /// <summary>Calls to learn from, without the command's own name.</summary>
    public virtual IReadOnlyList<string> Examples => [];

    /// <summary>The verb's options under their headings, beside the general ones.</summary>
    public virtual IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) => [];

    /// <summary>The verb's options and the general ones under their headings.</summary>
    public IEnumerable<(string Heading, IEnumerable<Option> Options)> AllOptions(CliOptions options)
    {
        var own = Options(options);
        return own.Append(("General", options.GeneralBeside(own.SelectMany(group => group.Options))));
    }

    /// <summary>The verb's options and the general ones, once each.</summary>
    public IReadOnlyList<Option> OwnOptions(CliOptions options) => [.. AllOptions(options).SelectMany(group => group.Options).Distinct()];

    /// <summary>What an option is to this verb, where that is not what it is to others; null: it is.</summary>
    public virtual string? Explain(CliOptions options, Option option) => null;

    /// <summary>Something that begins with a dash is an argument all the same.</summary>
    public virtual bool TakesForArgument(string text) => false;

    /// <summary>Whether a line of a script may have the verb.</summary>
    public virtual bool IsForScripts => true;

    /// <summary>Whether the configuration and variables have options and servers of the verb.</summary>
    public virtual bool IsConfigured => true;

    /// <summary>Whether the verb runs others at a server.</summary>
    public virtual bool OpensSession => false;

    /// <summary>The side that an argument is on: without a scheme, what is a path at the script's server, and what is one here.</summary>
    /// <param name="index">The index of the argument.</param>
    /// <param name="count">The number of arguments.</param>
    public virtual ArgumentSide SideOf(int index, int count) => ArgumentSide.Remote;

    /// <summary>The arguments that a line of a script may leave out at its end.</summary>
    /// <param name="count">The number of arguments that are given.</param>
    public virtual IReadOnlyList<string> UsualArguments(int count) => [];

    /// <summary>The nearest value that the verb has for one of the configuration, which is for all verbs.</summary>
    public virtual OptionValue Adapt(OptionValue value) => value;

    /// <summary>Runs the verb.</summary>
    /// <returns>The exit code.</returns>
    /// <exception cref="UsageException">It was called in a way it refuses.</exception>
    public abstract Task<int> RunAsync(Invocation invocation, CancellationToken ct);
}
