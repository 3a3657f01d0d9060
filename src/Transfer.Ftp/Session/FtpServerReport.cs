using System.Globalization;
using Transfer.Ftp.Ladders;

namespace Transfer.Ftp.Session;

/// <summary>Describes a server as a session knows it.</summary>
internal static class FtpServerReport
{
    public static ServerReport Of(FtpSessionContext context) => new()
    {
        Server = context.Profile.Banner,
        Facts = [.. Facts(context)],
        Extensions = context.Profile.Features.Lines,
        Abilities = [.. Abilities(context.Ladders, context.Profile)],
    };

    private static IEnumerable<ServerFact> Facts(FtpSessionContext context)
    {
        var profile = context.Profile;
        if (profile.System is { } system) yield return new("system", system);
        yield return new("software", profile.Flavor == FtpFlavor.Unknown ? "not known by name" : profile.Flavor.ToString());
        yield return new("home", profile.Home ?? "not named");
        yield return new("commands", context.Pipelining.ToString());
        if (context.Control is { IsTls: true } control)
        {
            yield return new("tls", control.TlsProtocol.ToString());
            yield return new("cipher", control.TlsCipher!);
            if (control.Tls is { } identity)
            {
                yield return new("certificate sha-256", Convert.ToHexStringLower(identity.CertificateHash));
                yield return new("resumes tls", identity.Reuses ? "yes" : "no");
            }
        }
        else
        {
            yield return new("tls", "none");
        }
        yield return new("data", context.ProtectsData ? "protected" : "in the clear");
        foreach (var hash in profile.HashCommands) yield return new("hash", $"{hash.Key} ({hash.Value})");
        yield return new("most bytes of commands", Count(context.MostUnansweredBytes));
    }

    // What FEAT leaves out is not tried.
    private static IEnumerable<ServerAbility> Abilities(FtpLadders ladders, FtpServerProfile profile)
    {
        var recalled = ladders.Remembered();
        yield return ladders.Commands.Describe(recalled);
        yield return ladders.DataPort.Describe(recalled);
        yield return ladders.DataTls.Describe(recalled);
        yield return ladders.Describe.Describe(recalled, profile.Mlst ? null : FtpDescription.SizeAndTime);
        yield return ladders.List.Describe(recalled, profile.Mlst ? null : FtpListCommand.List);
        yield return ladders.Ranges.Describe(recalled, profile.Features.Has("RANG", "STREAM") ? null : FtpOffer.Refused);
        yield return ladders.Offsets.Describe(recalled);
        yield return ladders.Times.Describe(recalled);
        yield return ladders.KeptTimes.Describe(recalled);
        yield return ladders.SiteUtime.Describe(recalled);
        yield return ladders.SiteChmod.Describe(recalled);
        yield return ladders.EarlyUploads.Describe(recalled);
        yield return ladders.ListAll.Describe(recalled, profile.ListTakesOptions ? FtpListAll.All : null);
        yield return ladders.Find.Describe(recalled);
        yield return ladders.Spaces.Describe(recalled);
        if (profile.Flavor == FtpFlavor.ProFtpd) yield return ladders.EvenLines.Describe(recalled);
        foreach (var command in ladders.LogIn.Values.Where(command => !command.IsOnFirst)) yield return command.Describe(recalled);
    }

    private static string Count(int bytes) => bytes == int.MaxValue ? "any" : bytes.ToString(CultureInfo.InvariantCulture);
}
