namespace Transfer.Ftp.Listing;

/// <summary>
/// Jobs of z/OS, in the two forms of JES interface levels: <c>job id status n Spool Files</c>, <c>job id owner status class …</c>. The
/// identifier is the name in commands, and its content the output of the job.
/// </summary>
internal static class JesFormat
{
    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        var job = scanner.Next();
        var id = scanner.Next();
        if (job is "JOBNAME" && id is "JOBID") return true;
        if (!IsIdentifier(id)) return false;
        var owner = scanner.Next();
        if (IsStatus(owner)) owner = default;
        else if (!IsStatus(scanner.Next())) return false;
        listed.Name = id;
        listed.Owner = owner;
        listed.Type = RemoteEntryType.File;
        return true;
    }

    private static bool IsStatus(ReadOnlySpan<char> field) => field is "INPUT" or "ACTIVE" or "OUTPUT" or "HELD";

    /// <summary><c>JOB12345</c>, <c>TSU</c> and <c>STC</c> likewise, or one letter and seven digits.</summary>
    private static bool IsIdentifier(ReadOnlySpan<char> field)
    {
        if (field.Length != 8) return false;
        var digits = field.TrimStart("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        return field[..^digits.Length] is "JOB" or "TSU" or "STC" or "J" or "T" or "S" && ListNumber.IsDigits(digits);
    }
}
