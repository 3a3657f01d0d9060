using Transfer.Wan.Reports.Data;

namespace Transfer.Wan.Reports.Sections;

/// <summary>What the columns for memory and traffic mean.</summary>
internal static class ResourceNotes
{
    public static void Write(ReportPage page, ReportData data)
    {
        if (!data.Results.Any(result => result.Peak is not null || result.Sent is not null)) return;
        page.Heading("Memory and traffic");
        page.Paragraph(
            "\"Client's peak memory\" is the most that its processes together had resident in any round, looked at ten times a second; "
            + "\"other end's\" is the same of `transfer` there, where it is needed. What an sshd or an FTP server uses there is not "
            + "counted. "
            + "\"Sent\" and \"received\" are the bytes of packets at the clients' end of the link, headers included, in 10^6; "
            + "acknowledgements of what goes one way are sent the other.");
    }
}
