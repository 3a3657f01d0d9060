using System.Globalization;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>The name of a sender's record of a job: proof, whatever the content, that there was such a job, and when.</summary>
/// <param name="Family">The jobs that may have sent the same files: 32 hex digits.</param>
/// <param name="Sequence">The job's place among them.</param>
/// <param name="Job">The job.</param>
/// <param name="IsConfirmed">Whether all recipients have confirmed the job.</param>
internal sealed record VersionName(string Family, long Sequence, JobId Job, bool IsConfirmed)
{
    public const string PendingEnding = ".pending";
    public const string ConfirmedEnding = ".bases";

    private const int FamilyDigits = 32;
    private const int SequenceDigits = 16;

    public static VersionName? Parse(string name)
    {
        var isConfirmed = name.EndsWith(ConfirmedEnding, StringComparison.Ordinal);
        if (!isConfirmed && !name.EndsWith(PendingEnding, StringComparison.Ordinal)) return null;
        var parts = name[..name.LastIndexOf('.')].Split('-');
        return parts is [{ Length: FamilyDigits } family, { Length: SequenceDigits } digits, var id]
            && family.All(char.IsAsciiHexDigitLower)
            && long.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var sequence)
                && SpoolNames.JobOf(id) is { } job
                ? new VersionName(family, sequence, job, isConfirmed)
                : null;
    }

    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Family}-{Sequence:x16}-{Job}{(IsConfirmed ? ConfirmedEnding : PendingEnding)}");
}
