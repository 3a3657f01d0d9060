using Microsoft.Extensions.Logging;

namespace Transfer.Diagnostics;

internal static partial class Log
{
    [LoggerMessage(1290, LogLevel.Debug, "{Path}: the server computes no {Algorithm}; the file is read back")]
    public static partial void ReadBack(ILogger logger, string path, string algorithm);

    [LoggerMessage(1200, LogLevel.Warning, "A session broke its contract or failed unexpectedly.")]
    public static partial void SessionFault(ILogger logger, Exception exception);

    [LoggerMessage(1201, LogLevel.Warning, "One session less for this job: {Error}: {Reason}")]
    public static partial void WorkerRetired(ILogger logger, TransferError error, string reason);

    [LoggerMessage(1202, LogLevel.Information, "{Path} is in line again after attempt {Attempt}: {Reason}")]
    public static partial void Requeued(ILogger logger, string path, int attempt, string reason);

    [LoggerMessage(1203, LogLevel.Warning, "Whether {Path} arrived could not be determined: {Reason}")]
    public static partial void StillInDoubt(ILogger logger, string path, string reason);

    [LoggerMessage(1266, LogLevel.Information, "{Path} is sent again, since not all of the file is known to have arrived: {Reason}")]
    public static partial void NotArrived(ILogger logger, string path, string reason);

    [LoggerMessage(1214, LogLevel.Information,
        "{Path} was sent whole when the session was lost; another session looks at the target: {Reason}")]
    public static partial void InDoubt(ILogger logger, string path, string reason);

    [LoggerMessage(1211, LogLevel.Information, "{Path} arrived, as another session has found, though the first was lost: {Reason}")]
    public static partial void NoLongerInDoubt(ILogger logger, string path, string reason);

    [LoggerMessage(1212, LogLevel.Warning, "{Path} was stored according to the server, but its length could not be compared: {Reason}")]
    public static partial void NotCompared(ILogger logger, string path, string reason);

    [LoggerMessage(1213, LogLevel.Warning, "{Path} arrived, and its time or mode could not be set: {Reason}")]
    public static partial void NotSet(ILogger logger, string path, string reason);

    [LoggerMessage(1204, LogLevel.Warning, "The temporary file {Path} may be left behind: {Reason}")]
    public static partial void Leftover(ILogger logger, string path, string reason);

    [LoggerMessage(1205, LogLevel.Warning, "The temporary file for {Path} may be left here: {Reason}")]
    public static partial void LocalLeftover(ILogger logger, string path, string reason);

    [LoggerMessage(1243, LogLevel.Information,
        "{Path}, unfinished and of an unknown run, has not been written to for a day by the target's clock, and is deleted.")]
    public static partial void OldLeftover(ILogger logger, string path);

    [LoggerMessage(1206, LogLevel.Warning, "A name in the listing of {Directory} is left out, because no directory can hold it: {Name}")]
    public static partial void NameRefused(ILogger logger, string directory, string name);

    [LoggerMessage(1215, LogLevel.Warning, "{Directory}: {Reason}")]
    public static partial void ListingPartial(ILogger logger, string directory, string reason);

    [LoggerMessage(1258, LogLevel.Information, "A walk goes on without one more session: {Reason}")]
    public static partial void WalkSessionRefused(ILogger logger, string reason);

    [LoggerMessage(1207, LogLevel.Warning, "The link {Path} leads back to a folder it is in and is skipped.")]
    public static partial void LinkLoop(ILogger logger, string path);

    [LoggerMessage(1260, LogLevel.Warning, "{Path} shows the entries of a folder above, and could not be told from a link: {Reason}")]
    public static partial void LoopUnproved(ILogger logger, string path, string reason);

    [LoggerMessage(1208, LogLevel.Warning, "{Path} failed: {Error}: {Reason}")]
    public static partial void ItemFailed(ILogger logger, string path, TransferError error, string reason);

    [LoggerMessage(1216, LogLevel.Warning, "{Operation} of {Path} failed: {Error}: {Reason}")]
    public static partial void OperationFailed(ILogger logger, string operation, string path, TransferError error, string reason);

    [LoggerMessage(1209, LogLevel.Information,
        "{Operation} {Job}: {Files} files, {Bytes} bytes, {Skipped} skipped, {Failed} failed, {Sessions} sessions, {Seconds:0.000} s.")]
    public static partial void JobEnded(
        ILogger logger, string operation, string job, long files, long bytes, long skipped, long failed, int sessions, double seconds);

    [LoggerMessage(1210, LogLevel.Warning, "The client was disposed while operations were running that did not end in time.")]
    public static partial void ClosedWhileRunning(ILogger logger);

    [LoggerMessage(1220, LogLevel.Debug, "{Path}: the segment from {Start} to {End} begins beside {Others} others.")]
    public static partial void SegmentBegun(ILogger logger, string path, long start, long end, int others);

    [LoggerMessage(1221, LogLevel.Debug,
        "{Path}: the segment from {Start} to {End} is over: {Wait:0} ms to its first bytes, then {Rate:0} bytes a second.")]
    public static partial void SegmentOver(ILogger logger, string path, long start, long end, double wait, double rate);

    [LoggerMessage(1222, LogLevel.Information,
        "The server takes one file from several sessions at once: uploads go in segments where requested.")]
    public static partial void WritesTogether(ILogger logger);

    [LoggerMessage(1223, LogLevel.Warning, "Segments are requested, but uploads go in one piece: {Reason}")]
    public static partial void WritesAlone(ILogger logger, string reason);

    [LoggerMessage(1230, LogLevel.Warning,
        "{Directory} is listed as empty, as some servers list folders that they cannot read: {Count} items are not deleted in it at the "
        + "target.")]
    public static partial void NothingDeleted(ILogger logger, string directory, int count);

    [LoggerMessage(1236, LogLevel.Warning,
        "{Directory}, or a folder it is in, is not listed completely: {Count} items that are not in the listing are not deleted at the "
        + "target.")]
    public static partial void AbsenceUnproved(ILogger logger, string directory, int count);

    [LoggerMessage(1238, LogLevel.Warning,
        "Names that begin with a dot may be missing from the listing of {Directory}: {Count} such items are not deleted at the target.")]
    public static partial void DotsUnproved(ILogger logger, string directory, int count);

    [LoggerMessage(1237, LogLevel.Information,
        "{Directory} is not listed completely at the target: {Count} names are looked up one by one.")]
    public static partial void LookedUp(ILogger logger, string directory, int count);

    [LoggerMessage(1248, LogLevel.Information, "{Files} files and {Folders} folders of the {Present} items at the target are only there.")]
    public static partial void DeletionsBegin(ILogger logger, long files, long folders, long present);

    [LoggerMessage(1231, LogLevel.Warning, "{Count} items are not deleted at the target, because {Failed} files failed.")]
    public static partial void DeletionsHeld(ILogger logger, long count, long failed);

    [LoggerMessage(1232, LogLevel.Debug, "{From} could not be renamed to {To}, which is sent instead: {Reason}")]
    public static partial void MoveFailed(ILogger logger, string from, string to, string reason);

    [LoggerMessage(1233, LogLevel.Debug,
        "Times in the listings of the two sides differ by {Minutes} minutes for files that have the same time.")]
    public static partial void ZoneFound(ILogger logger, long minutes);

    [LoggerMessage(1249, LogLevel.Warning,
        "Files in {Path} cannot be given the times of their sources: of equal length, those that have not changed since they were sent "
        + "count as unchanged. Comparing by hash reads their contents.")]
    public static partial void TimesNotKept(ILogger logger, string path);

    [LoggerMessage(1259, LogLevel.Warning,
        "The server shows no times of files in {Path}: those of equal length count as unchanged. Comparing by hash reads their contents.")]
    public static partial void TimesNotShown(ILogger logger, string path);

    [LoggerMessage(1264, LogLevel.Warning,
        "{Source} could not be proved to be outside of {Target}, where folders are deleted that the source lacks. {Reason}")]
    public static partial void SourceMayBeInside(ILogger logger, string source, string target, string reason);

    [LoggerMessage(1261, LogLevel.Warning, "{Path} is at the target too, and stays: {Reason}")]
    public static partial void SourceStays(ILogger logger, string path, string reason);

    [LoggerMessage(1234, LogLevel.Warning,
        "{Path} is not deleted at the target, which does not distinguish the name from one of the source in another case.")]
    public static partial void OtherSpelling(ILogger logger, string path);

    [LoggerMessage(1244, LogLevel.Information,
        "{Path} at the target is an item of the source in another spelling: the target does not distinguish the two.")]
    public static partial void AdoptedSpelling(ILogger logger, string path);

    [LoggerMessage(1245, LogLevel.Warning,
        "Whether the target distinguishes spellings in {Path} could not be determined, so names that differ in Unicode's form only are "
        + "taken for one: {Reason}")]
    public static partial void SpellingsUnknown(ILogger logger, string path, string reason);

    [LoggerMessage(1235, LogLevel.Information, "{Path} is called {Name} at the target.")]
    public static partial void NameMapped(ILogger logger, string path, string name);

    [LoggerMessage(1246, LogLevel.Warning, "{Reason}")]
    public static partial void DirectoryLeft(ILogger logger, string reason);

    [LoggerMessage(1247, LogLevel.Warning, "Nothing is deleted in {Path} at the target, which is a link.")]
    public static partial void NothingDeletedBehindLink(ILogger logger, string path);

    [LoggerMessage(1240, LogLevel.Warning,
        "The job's journal cannot be written any more, so the job can only be continued from here: {Reason}")]
    public static partial void JournalBroken(ILogger logger, string reason);

    [LoggerMessage(1263, LogLevel.Warning, "The job keeps no journal, so it cannot be continued after an interruption: {Reason}")]
    public static partial void NoJournal(ILogger logger, string reason);

    [LoggerMessage(1256, LogLevel.Warning, "The job has ended, and its journal could not be deleted: {Reason}")]
    public static partial void JournalStays(ILogger logger, string reason);

    [LoggerMessage(1241, LogLevel.Information, "{Path} goes on: {Kept} of {Length} bytes are there already.")]
    public static partial void Continuing(ILogger logger, string path, long kept, long length);

    [LoggerMessage(1242, LogLevel.Information, "{Path} begins anew: {Reason}")]
    public static partial void NotContinued(ILogger logger, string path, string reason);

    [LoggerMessage(1250, LogLevel.Warning, "{Path} is back under its name: an interrupted replacement had moved the file aside.")]
    public static partial void AsidePutBack(ILogger logger, string path);

    [LoggerMessage(1265, LogLevel.Warning,
        "{Path} was moved aside to {Aside} by a replacement that did not end: a run that is not dry moves the file back.")]
    public static partial void AsideFound(ILogger logger, string path, string aside);

    [LoggerMessage(1251, LogLevel.Warning,
        "{Path} was moved aside to {Aside} by a replacement that did not end, and stays there: {Reason}")]
    public static partial void AsideStays(ILogger logger, string path, string aside, string reason);

    [LoggerMessage(1252, LogLevel.Information,
        "{KeptAs} was left by an earlier run and may hold the only copy of old or new content of {Path}: no run deletes the file.")]
    public static partial void KeptFromBefore(ILogger logger, string keptAs, string path);

    [LoggerMessage(1257, LogLevel.Warning,
        "Whether {Count} files of earlier runs that have not their names are still there could not be found out: {Reason}")]
    public static partial void KeptUnknown(ILogger logger, int count, string reason);

    [LoggerMessage(1253, LogLevel.Warning,
        "The server does not rename files: new ones are written under their own names, as with --publish direct (PublishMode.Direct), "
        + "so that an interruption leaves half of one. {Path} is the first.")]
    public static partial void RenamesNothing(ILogger logger, string path);

    [LoggerMessage(1255, LogLevel.Warning,
        "Files have the permissions that the server gives to new ones, and not the intended ones: the server sets none (over FTP: SITE "
        + "CHMOD), or does not report those of the file that is replaced. {Path} is the first.")]
    public static partial void ModeLost(ILogger logger, string path);

    [LoggerMessage(1254, LogLevel.Debug, "{Path} is written under its own name.")]
    public static partial void PublishedDirectly(ILogger logger, string path);

    [LoggerMessage(1262, LogLevel.Warning,
        "{Path} is an unfinished file of some transfer, by its name, and left out ({Count} in its folder).")]
    public static partial void UnfinishedLeftOut(ILogger logger, string path, int count);

    [LoggerMessage(1291, LogLevel.Warning, "Changes in {Folder} are found by looks at intervals: the system reports none. {Reason}")]
    public static partial void NoWatch(ILogger logger, string folder, string reason);

    [LoggerMessage(1292, LogLevel.Warning, "A round of the watch has failed, and the next one follows after some time: {Reason}")]
    public static partial void RoundFailed(ILogger logger, string reason);

    [LoggerMessage(1293, LogLevel.Warning, "{Path} was sent and is gone, but the trigger file could not be deleted: {Reason}")]
    public static partial void TriggerLeft(ILogger logger, string path, string reason);
}
