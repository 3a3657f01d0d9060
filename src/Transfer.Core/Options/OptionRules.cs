using System.Globalization;
using System.Runtime.CompilerServices;

namespace Transfer;

/// <summary>The checks of options. An error names the record, the property and the rule; the parameter name is the property's.</summary>
/// <param name="record">The name of the record that has the properties.</param>
internal readonly struct OptionRules(string record)
{
    /// <summary>Requires a least value of a number; null is allowed.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is less.</exception>
    public void AtLeast(long? value, long least, [CallerArgumentExpression(nameof(value))] string property = "")
    {
        if (value is { } given && given < least)
            throw OutOfRange(property, $"must be {least.ToString(CultureInfo.InvariantCulture)} or more", given);
    }

    /// <summary>Requires a time that is not negative.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative.</exception>
    public void NotNegative(TimeSpan value, [CallerArgumentExpression(nameof(value))] string property = "")
    {
        if (value < TimeSpan.Zero) throw OutOfRange(property, "must not be negative", value);
    }

    /// <summary>Requires a defined value of an enumeration.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The enumeration has no such value.</exception>
    public void Defined<T>(T value, [CallerArgumentExpression(nameof(value))] string property = "")
        where T : struct, Enum
    {
        if (!Enum.IsDefined(value)) throw OutOfRange(property, $"must be one of {string.Join(", ", Enum.GetNames<T>())}", value);
    }

    /// <summary>Requires a path or null, not an empty text.</summary>
    /// <exception cref="ArgumentException">The text is empty or blank.</exception>
    public void Path(string? value, [CallerArgumentExpression(nameof(value))] string property = "") =>
        Require(value is null || !string.IsNullOrWhiteSpace(value), property, "must be a path, or null");

    /// <summary>Requires a path of another folder than that of the job, or null.</summary>
    /// <exception cref="ArgumentException">The text is empty or blank, or names the folder itself.</exception>
    public void Elsewhere(string? value, [CallerArgumentExpression(nameof(value))] string property = "")
    {
        Path(value, property);
        Require(value is null || value.StartsWith('/') || value.Split('/').Any(name => name is not ("" or ".")), property,
            "must be another folder than the job's own");
    }

    /// <summary>Requires a special rule.</summary>
    /// <param name="kept">Whether the options keep the rule.</param>
    /// <param name="property">The property's name.</param>
    /// <param name="rule">The rule, as the end of a sentence that begins with the property.</param>
    /// <exception cref="ArgumentException">The rule is broken.</exception>
    public void Require(bool kept, string property, string rule)
    {
        if (!kept) throw new ArgumentException($"{record}.{property} {rule}.", property);
    }

    private ArgumentOutOfRangeException OutOfRange(string property, string rule, object value) =>
        new(property, value, $"{record}.{property} {rule}.");
}
