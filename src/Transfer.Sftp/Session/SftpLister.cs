using System.Globalization;
using System.Runtime.CompilerServices;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// Lists a directory: OPENDIR, then READDIRs, more and more at once in a large directory. A server answers them in sequence, so entries
/// arrive in order and memory is bounded by the requests under way.
/// </summary>
/// <remarks>
/// A server that runs requests at once may give the end to an early READDIR and names to a later one, or the same names to several, and
/// nothing in the replies has to show that. So only servers that are known by name to read in turn get several.
/// </remarks>
internal sealed class SftpLister
{
    // OpenSSH returns a hundred names a reply, and the end costs a reply, too.
    private const int FirstReads = 4;
    private const int MostReads = 32;

    // Replies without names, behind which the end may follow.
    private const int MostEmpty = 4;

    // A name that gives no entry, beside its characters.
    private const long Fixed = 60;

    // Of all listings of the session, beyond the first ones.
    private const int MostReadsTogether = 512;

    private readonly SftpSessionContext _context;
    private readonly Func<string, CancellationToken, ValueTask<RemoteEntry?>> _look;
    private readonly OwnerNames _owners;
    private int _listings;
    private volatile bool _looksHaveNoType;

    /// <param name="context">The session.</param>
    /// <param name="look">Looks at a path; null: absent.</param>
    public SftpLister(SftpSessionContext context, Func<string, CancellationToken, ValueTask<RemoteEntry?>> look)
    {
        _context = context;
        _look = look;
        _owners = new OwnerNames(context);
    }

    /// <summary>Lists a directory beside others: as many as the server has open handles for.</summary>
    public async IAsyncEnumerable<RemoteEntry> ListTogetherAsync(string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(directory, ct).ConfigureAwait(false);
        await _context.Handles.TakeAsync(ct).ConfigureAwait(false);
        try
        {
            var opened = await _context.Opener.OpenAsync((Path: _context.Expand(directory), Cancel: ct),
                static (operations, folder) => operations.OpenDirectoryAsync(folder.Path, folder.Cancel)).ConfigureAwait(false);
            // Some servers have one status for all that cannot be opened.
            if (opened is { Handle: null, Status: not (SftpStatus.NoSuchFile or SftpStatus.NoSuchPath) }
                && await IsAbsentAsync(directory, ct).ConfigureAwait(false))
            {
                throw new TransferException(TransferError.NotFound, $"OPENDIR {directory}: it does not exist.") { RemotePath = directory };
            }
            await foreach (var entry in ReadAsync(opened, directory, report, ct).ConfigureAwait(false)) yield return entry;
        }
        finally
        {
            _context.Handles.Return();
        }
    }

    /// <summary>Lists a directory at once: a file that needs the listing may hold the last place for an open handle.</summary>
    public async IAsyncEnumerable<RemoteEntry> ListAsync(string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        await _context.Users.ResolveUsersAsync(directory, ct).ConfigureAwait(false);
        var opened = await _context.Operations.OpenDirectoryAsync(_context.Expand(directory), ct).ConfigureAwait(false);
        await foreach (var entry in ReadAsync(opened, directory, report, ct).ConfigureAwait(false)) yield return entry;
    }

    /// <summary>The type of a path of which LSTAT has none: OPENDIR takes a directory; null: unknown.</summary>
    public async ValueTask<RemoteEntryType?> FindTypeAsync(string full, CancellationToken ct)
    {
        var opened = await _context.Operations.OpenDirectoryAsync(full, ct).ConfigureAwait(false);
        if (opened.Handle is not { } handle) return null;
        _context.Operations.PostClose(handle);
        return RemoteEntryType.Directory;
    }

    private async ValueTask<bool> IsAbsentAsync(string directory, CancellationToken ct)
    {
        try
        {
            return await _look(directory, ct).ConfigureAwait(false) is null;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return false;
        }
    }

    private async IAsyncEnumerable<RemoteEntry> ReadAsync(SftpReply opened, string directory, ListingReport report,
        [EnumeratorCancellation] CancellationToken ct)
    {
        if (opened.Handle is not { } handle) throw SftpErrors.ToException(opened, "OPENDIR", directory);
        var (reads, untyped) = (new Queue<PendingReply>(), new List<int>());
        var (empty, dropped, unused, given, isShown) = (0, 0, 0L, 0L, false);
        var (isTogether, isEnded) = (_context.ReadsInTurn, false);
        var most = isTogether ? FirstReads : 1;
        Interlocked.Increment(ref _listings);
        try
        {
            while (true)
            {
                while (empty < MostEmpty && reads.Count < most) reads.Enqueue(_context.Operations.ReadDirectoryAsync(handle, ct));
                if (!reads.TryDequeue(out var read)) break;
                var reply = await read.ConfigureAwait(false);
                isEnded = reply.Status == SftpStatus.EndOfFile;
                if (isEnded) break;
                if (!reply.IsOk)
                {
                    var error = SftpErrors.ToException(reply, "READDIR", directory, TransferError.Unknown);
                    // Entries before a refusal are valid.
                    if (given == 0 || error.Error == TransferError.Lost) throw error;
                    report.AddGap($"the server ended it with a refusal ({error.Message.TrimEnd('.')})");
                    isEnded = true;
                    break;
                }
                if (isTogether)
                    most = Math.Clamp(MostReadsTogether / Volatile.Read(ref _listings), FirstReads, Math.Min(MostReads, most * 2));
                var entries = _context.Read(reply, bytes => Parse(bytes, directory, untyped, ref dropped, ref unused, ref isShown));
                // A reply without names is no end in the protocol, but requests could go on for ever.
                if (entries is null)
                {
                    empty++;
                    continue;
                }
                // Entries count where they are kept; names without an entry may come without end.
                if (unused > _context.Options.MaxListingBytes) throw TooMany(directory);
                given += entries.Count;
                if (untyped.Count > 0 && !_looksHaveNoType) await FindTypesAsync(entries, untyped, ct).ConfigureAwait(false);
                untyped.Clear();
                await _owners.AddAsync(entries, ct).ConfigureAwait(false);
                foreach (var entry in entries) yield return entry;
            }
        }
        finally
        {
            Interlocked.Decrement(ref _listings);
            _context.Operations.PostClose(handle);
            // The replies are not needed, but each must be taken.
            while (reads.TryDequeue(out var rest)) _ = ForgetAsync(rest);
        }
        if (!isEnded) report.AddGap("the server gave no more names, and no end");
        // The end may have overtaken names.
        if (isTogether && _context.IsUnordered) report.AddGap("the server answers out of order");
        if (given == 0 && dropped == 0 && !isShown) await CheckEntersAsync(directory, ct).ConfigureAwait(false);
        if (dropped == 0) yield break;
        Log.ListingNamesDropped(_context.Logger, dropped, directory);
        report.AddGap(string.Create(CultureInfo.InvariantCulture, $"{dropped} names hold a slash or NUL, or nothing, and were dropped"));
    }

    // OpenSSH omits what LSTAT refuses: all names, the directory's own too, where it may be read and not entered.
    private async ValueTask CheckEntersAsync(string directory, CancellationToken ct)
    {
        var self = await _context.Operations.StatAsync(_context.Expand(directory).TrimEnd('/') + "/.", follow: false, ct)
            .ConfigureAwait(false);
        if (self.Status == SftpStatus.PermissionDenied) throw SftpErrors.ToException(self, "LSTAT", directory);
    }

    // Null: the packet held no names.
    private List<RemoteEntry>? Parse(ReadOnlySpan<byte> bytes, string directory, List<int> untyped, ref int dropped, ref long unused,
        ref bool isShown)
    {
        var names = new SftpNames(bytes, _context.Names);
        if (names.Left == 0) return null;
        var entries = new List<RemoteEntry>();
        while (names.MoveNext())
        {
            var isDots = names.Name is "." or "..";
            isShown |= isDots;
            // Such a name would lead to another folder, or be cut by a system call.
            if (isDots || names.Name.Length == 0 || names.Name.AsSpan().ContainsAny('/', '\0'))
            {
                if (!isDots) dropped++;
                unused += Fixed + 2L * names.Name.Length;
                continue;
            }
            if (names.Type is null) untyped.Add(entries.Count);
            entries.Add(SftpEntries.ToEntry(RemotePath.Combine(directory, names.Name), names.Attributes, names.Type));
        }
        return entries;
    }

    // Where neither bits nor lines have types, LSTAT may. What is of no type there either is taken for a file: what cannot be read fails
    // then, and is not left out.
    private async ValueTask FindTypesAsync(List<RemoteEntry> entries, List<int> untyped, CancellationToken ct)
    {
        var (isAnyFound, isAnyWithout) = (false, false);
        foreach (var some in untyped.Chunk(SftpSessionContext.MaxRequestsTogether))
        {
            var looks = some.Select(at => _context.Operations.StatAsync(_context.Expand(entries[at].Path), follow: false, ct)).ToList();
            for (var i = 0; i < some.Length; i++)
            {
                // A refusal, such as of a name that is gone, says nothing of types.
                if (await looks[i].ConfigureAwait(false) is not { IsOk: true, Attributes: var seen }) continue;
                isAnyFound |= seen.Type is not null;
                isAnyWithout |= seen.Type is null;
                if (seen.Type is { } type) entries[some[i]] = SftpEntries.ToEntry(entries[some[i]].Path, seen, type);
            }
        }
        _looksHaveNoType = isAnyWithout && !isAnyFound;
    }

    private TransferException TooMany(string directory) => new(TransferError.Partial,
        $"The listing of {directory} has more names without an entry than MaxListingBytes (--max-listing) allows, "
        + $"{_context.Options.MaxListingBytes} bytes, and was not read to its end.")
    { RemotePath = directory };

    private async Task ForgetAsync(PendingReply read)
    {
        try
        {
            _context.Engine.Buffers.Return((await read.ConfigureAwait(false)).Buffer);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            // The session is lost or the caller has gone: the listing itself reports this.
        }
    }
}
