using System.Diagnostics.CodeAnalysis;

namespace Transfer.Ftp.Listing;

/// <summary>
/// Finds the order of the numbers in a listing's dates. Entries whose date has several meanings wait, and those behind them, until a line
/// proves the order: 23 is no month. Without such a line the entries go on at the end, or once their lines exceed a bound, with the order
/// that the format is known for, else the only one in which no date is ahead of the clock, else without a time but with its range.
/// </summary>
internal sealed class DateInference
{
    /// <summary>The most bytes of lines that wait.</summary>
    public const int MostWaiting = 64 * 1024;

    private readonly ListingContext _context;
    private readonly Queue<(RemoteEntry Entry, NumericDate Date)> _waiting = new();
    private DateOrders _proved = DateOrders.Any;
    private DateOrders _plausible = DateOrders.Any;
    private bool _isSettled;
    private int _bytes;

    /// <summary>Creates the state of one listing.</summary>
    public DateInference(ListingContext context) => _context = context;

    /// <summary>Whether lines prove different orders. Ambiguous dates behind the line that showed that have no time.</summary>
    public bool IsMixed => _proved == DateOrders.None;

    /// <summary>Adds an entry.</summary>
    /// <param name="entry">The entry, without a time where the date has several meanings.</param>
    /// <param name="date">The date's numbers; default: another kind of date.</param>
    /// <param name="bytes">The length of the line.</param>
    public void Add(RemoteEntry entry, in NumericDate date, int bytes)
    {
        if (date.Possible != DateOrders.None)
        {
            _proved &= date.Possible;
            _plausible &= date.GetPlausible(_context);
            _isSettled |= IsMixed || NumericDate.IsOne(_proved);
        }

        _waiting.Enqueue((entry, date));
        _bytes += bytes;
        if (_bytes > MostWaiting) _isSettled = true;
    }

    /// <summary>Takes the next entry that does not wait.</summary>
    public bool TryTake([NotNullWhen(true)] out RemoteEntry? entry)
    {
        entry = null;
        if (!_waiting.TryPeek(out var next)) return false;
        if (next.Date.IsAmbiguous && !_isSettled) return false;
        _waiting.Dequeue();
        if (_waiting.Count == 0) _bytes = 0;
        entry = next.Date.IsAmbiguous ? Date(next.Entry, next.Date) : next.Entry;
        return true;
    }

    /// <summary>Ends the listing: nothing waits longer.</summary>
    public void Complete() => _isSettled = true;

    private RemoteEntry Date(RemoteEntry entry, in NumericDate date)
    {
        var left = date.Possible & _proved;
        if (NumericDate.IsOne(left)) return entry with { Modified = date.At(left, _context) };
        // Lines that contradict each other leave every meaning open.
        if (left == DateOrders.None) left = date.Possible;
        else if (NumericDate.IsOne(left & date.Usual)) return entry with { Modified = date.At(left & date.Usual, _context) };
        else if (NumericDate.IsOne(left & _plausible)) return entry with { Modified = date.At(left & _plausible, _context) };
        return entry with { ModifiedRange = date.GetRange(left, _context) };
    }
}
