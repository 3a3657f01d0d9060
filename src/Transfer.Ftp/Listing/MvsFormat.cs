namespace Transfer.Ftp.Listing;

/// <summary>
/// z/OS data sets: <c>Volume Unit Referred Ext Used Recfm Lrecl BlkSz Dsorg Dsname</c>. Space is in tracks and the date is that of
/// the last reference, so neither the length nor the time of modification is known. Partitioned data sets are directories.
/// </summary>
internal static class MvsFormat
{
    private const int LongestDataSetName = 44;
    private const int FewestColumns = 5;

    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        var first = scanner.Next();
        if (first is "Volume" && scanner.Peek() is "Unit" && line.TrimEnd(' ').EndsWith("Dsname")) return true;

        var second = scanner.Next();
        var third = scanner.Next();
        if (third.IsEmpty) return TryParseShort(first, second, ref listed);
        // On a tape, or a cluster, with the volume in front.
        if (second is "Tape" && scanner.Peek().IsEmpty) return TryParseShort("VSAM", third, ref listed);
        if (third is "VSAM") return TryParseShort(third, scanner.Next(), ref listed) && scanner.Next().IsEmpty;
        if (third is not "**NONE**" && !(third.Length == 10 && ListDate.TryParse(third, DateOrders.YearFirst, out _)))
            return TryParsePhrase(line, ref listed);

        ReadOnlySpan<char> name = default, organization = default;
        var columns = 3;
        for (var field = scanner.Next(); !field.IsEmpty; field = scanner.Next(), columns++)
        {
            organization = name;
            name = field;
        }

        if (columns < FewestColumns || !TryParseOrganization(organization, out var type) || !IsDataSetName(name)) return false;
        listed.Type = type;
        listed.Name = name;
        return true;
    }

    /// <summary>Parses data sets without columns: migrated to tape, or not a data set on one volume.</summary>
    private static bool TryParseShort(ReadOnlySpan<char> kind, ReadOnlySpan<char> name, ref ListedEntry listed)
    {
        if (kind is not ("Migrated" or "MIGRATED" or "VSAM" or "GDG" or "PATH") || !IsDataSetName(name)) return false;
        listed.Type = kind is "GDG" ? RemoteEntryType.Directory : RemoteEntryType.File;
        listed.Name = name;
        return true;
    }

    private static bool TryParsePhrase(ReadOnlySpan<char> line, ref ListedEntry listed)
    {
        line = line.Trim(' ');
        var name = line[(line.LastIndexOf(' ') + 1)..];
        if (!IsDataSetName(name)) return false;
        if (line.StartsWith("Pseudo Directory "))
            listed.Type = RemoteEntryType.Directory;
        else if (line.Contains(" Not Direct Access Device ", StringComparison.Ordinal) || line.StartsWith("Error determining attributes "))
            listed.Type = RemoteEntryType.File;
        else
            return false;
        listed.Name = name;
        return true;
    }

    private static bool TryParseOrganization(ReadOnlySpan<char> field, out RemoteEntryType type)
    {
        type = field is "PO" or "PO-E" or "POU" ? RemoteEntryType.Directory : RemoteEntryType.File;
        return type == RemoteEntryType.Directory
            || field is "PS" or "PS-E" or "PSU" or "PS-L" or "DA" or "VS" or "VSAM" or "IS" or "HFS" or "ZFS";
    }

    private static bool IsDataSetName(ReadOnlySpan<char> name) =>
        !name.IsEmpty && name.Length <= LongestDataSetName + 2 && !name.ContainsAnyExcept(MvsMemberFormat.DataSetCharacters);
}
