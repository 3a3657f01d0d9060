using System.Globalization;

namespace Transfer.Sftp.Session;

/// <summary>Describes a server as a session knows it.</summary>
internal static class SftpServerReport
{
    public static ServerReport Of(SftpSessionContext context, string? server, IReadOnlyList<ServerFact> methods)
    {
        var (limits, state) = (context.Limits, context.Server);
        return new ServerReport
        {
            Server = server,
            Facts =
            [
                new("home", context.Home), .. methods,
                new("bytes a read", Count(limits.Read)),
                new("bytes a write", Count(limits.Write)),
                new("open handles", Count(limits.Handles)),
            ],
            Extensions = [.. context.Extensions.Select(extension => $"{extension.Key} {extension.Value}".TrimEnd())],
            Abilities =
            [
                Way("Requests", SftpTrait.Unordered, "Together", "OneByOne"),
                new("OpenFirst", state.SendsStepwise ? "Stepwise" : "Together") { IsFallBack = state.SendsStepwise },
                Way("Times", SftpTrait.NoTimes, "Set", "NotKept"),
                Way("TimeSteps", SftpTrait.CoarseTimes, "OneSecond", "TwoSeconds"),
                Way("LinkOrder", SftpTrait.LinkPathFirst, "TextFirst", "PathFirst"),
                Way("RenamedTimes", SftpTrait.RenewsTimes, "Kept", "NotKept"),
                Way("AbsentNames", SftpTrait.PhantomFolders, "Refused", "ShownAsFolders"),
                Way("OpenFlags", SftpTrait.NamedModes, "Any", "NamedModes"),
                Way("SetAttributes", SftpTrait.NoAttributes, "Answered", "NotSent"),
                new("Attributes", state.NoHandleAttributes ? "ByPath" : "ByHandle") { IsFallBack = state.NoHandleAttributes },
                new("Modes", state.NoModes ? "Refused" : "Set") { IsFallBack = state.NoModes },
                new("Rename", context.RenamesByPosix ? "Replaces" : "Plain")
                {
                    IsFallBack = !context.RenamesByPosix,
                    IsForced = state.Traits.IsForced(SftpTrait.NoPosixRename),
                    IsRemembered = state.Traits.Remembers(SftpTrait.NoPosixRename),
                },
            ],
        };

        ServerAbility Way(string name, SftpTrait trait, string usual, string other) => new(name, state.Traits.Has(trait) ? other : usual)
        {
            IsFallBack = state.Traits.Has(trait),
            IsForced = state.Traits.IsForced(trait),
            IsRemembered = state.Traits.Remembers(trait),
        };
    }

    private static string Count(int number) => number.ToString(CultureInfo.InvariantCulture);
}
