using Transfer.Ftp.Protocol;
using Transfer.Ftp.Session;

namespace Transfer.Tests.Ftp.Session;

/// <summary>What Pure-FTPd says with BrokenClientsCompatibility, where links to folders are shown as folders in every listing.</summary>
public sealed class FtpIdentityTests
{
    private static readonly string[] Listing =
    [
        "type=cdir;sizd=4096;modify=20261126093121;UNIX.mode=0755;unique=fe00gb1e064; .",
        "type=dir;sizd=4096;modify=20261126093121;UNIX.mode=0755;unique=fe00gb1e065; like sub",
        "type=file;size=2;modify=20261126093121;UNIX.mode=0644;unique=fe00gb1e069; file",
        "type=dir;sizd=4096;modify=20261126093121;UNIX.mode=0755;unique=fe00gb1e065; sub",
        "type=pdir;sizd=4096;modify=20261126093121;UNIX.mode=0755;unique=fe00gb1e063; ..",
        "type=dir;sizd=4096;modify=20261126093121;UNIX.mode=0755;unique=fe00gb1e067; outside",
        "type=dir;sizd=4096;modify=20261126093121;UNIX.mode=0755;unique=fe00gb1e063; above",
        "type=dir;sizd=4096;modify=20261126093121;UNIX.mode=0755;unique=fe00gb1e064; itself",
        "type=dir;sizd=4096;modify=20261126093121;UNIX.mode=0755;unique=fe00gb1e06a; real",
    ];

    [Test]
    public void The_folder_itself_and_those_above_it_are_in_none_of_their_folders()
    {
        var known = Read();
        known.AddAbove(Reply("fe00gb1e063"));
        Assert.That(new[] { "itself", "above", "real", "outside" }.Select(known.IsLink), Is.EqualTo(new[] { true, true, false, false }));
    }

    [Test]
    public void Two_may_be_the_same() => Assert.That(Read().EntriesWithSameIdentity("sub"), Is.EqualTo(new[] { "like sub" }));

    [Test]
    public void Without_identities_nothing_is_proved()
    {
        var known = new FtpIdentities();
        known.AddLine("type=dir;modify=20261126093121; sub");
        known.AddOwn(new FtpReply(550, ["550 No such file"]));
        Assert.That((known.IsLink("sub"), known.EntriesWithSameIdentity("sub").Any()), Is.EqualTo((false, false)));
    }

    private static FtpIdentities Read()
    {
        var known = new FtpIdentities();
        foreach (var line in Listing) known.AddLine(line);
        return known;
    }

    private static FtpReply Reply(string unique) => new(250, ["250-Begin", $" type=dir;unique={unique}; /t/..", "250 End."]);
}
