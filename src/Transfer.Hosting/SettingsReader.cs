using Microsoft.Extensions.Configuration;

namespace Transfer.Hosting;

/// <summary>
/// Reads settings from configuration, each by itself: the text of a value, as the binder's errors have it, may be a URL with a password.
/// A misspelt name is an error, since <c>Pin</c> or a <c>Pins</c> that is no list would leave the server unpinned.
/// </summary>
internal static class SettingsReader
{
    private static readonly Dictionary<string, Action<TransferClientSettings, IConfigurationSection>> Settings =
        new(StringComparer.OrdinalIgnoreCase)
        {
            [nameof(TransferClientSettings.Url)] = static (to, from) => to.Url = Plain(from).Get<Uri>(),
            [nameof(TransferClientSettings.UserName)] = static (to, from) => to.UserName = Plain(from).Value,
            [nameof(TransferClientSettings.Password)] = static (to, from) => to.Password = Plain(from).Value,
            [nameof(TransferClientSettings.PasswordFile)] = static (to, from) => to.PasswordFile = Plain(from).Value,
            [nameof(TransferClientSettings.Identities)] = static (to, from) => AddTexts(to.Identities, from),
            [nameof(TransferClientSettings.IdentityPassphrase)] = static (to, from) => to.IdentityPassphrase = Plain(from).Value,
            [nameof(TransferClientSettings.Pins)] = static (to, from) => AddTexts(to.Pins, from),
            [nameof(TransferClientSettings.KnownHosts)] = static (to, from) => to.KnownHosts = Plain(from).Value,
            [nameof(TransferClientSettings.MaxSessions)] = static (to, from) => to.MaxSessions = Plain(from).Get<int?>(),
            [nameof(TransferClientSettings.IdleTimeout)] = static (to, from) => to.IdleTimeout = Plain(from).Get<TimeSpan?>(),
            [nameof(TransferClientSettings.LogInTimeout)] = static (to, from) => to.LogInTimeout = Plain(from).Get<TimeSpan?>(),
            [nameof(TransferClientSettings.MaxBytesPerSecond)] = static (to, from) => to.MaxBytesPerSecond = Plain(from).Get<long?>(),
            [nameof(TransferClientSettings.RateChanges)] = static (to, from) =>
            {
                foreach (var change in Items(from)) to.RateChanges.Add(RateChangeOf(change));
            },
        };

    /// <summary>Reads the settings of a section.</summary>
    /// <param name="configuration">The section.</param>
    /// <param name="client">The client's name, for messages.</param>
    /// <param name="settings">Gets the values; lists grow.</param>
    /// <exception cref="InvalidOperationException">A setting is unknown or invalid. The message has its path, and no value.</exception>
    public static void Read(IConfiguration configuration, string client, TransferClientSettings settings)
    {
        foreach (var setting in configuration.GetChildren())
        {
            if (!Settings.TryGetValue(setting.Key, out var read))
                throw new InvalidOperationException($"The transfer client '{client}' has no setting '{setting.Key}' ({setting.Path}).");
            try
            {
                read(settings, setting);
            }
            catch (Exception e) when (e is InvalidOperationException or FormatException or NotSupportedException)
            {
                // Without the binder's exception, whose text has the value.
                var reason = e is FormatException ? e.Message : "its value is none of its type.";
                throw new InvalidOperationException($"The setting {setting.Path} of the transfer client '{client}' is invalid: {reason}");
            }
        }
    }

    private static RateChange RateChangeOf(IConfigurationSection change)
    {
        var unknown = change.GetChildren().FirstOrDefault(part => !new[] { nameof(RateChange.Time), nameof(RateChange.BytesPerSecond),
            nameof(RateChange.Day) }.Contains(part.Key, StringComparer.OrdinalIgnoreCase));
        if (unknown is not null) throw new FormatException($"a change has no '{unknown.Key}'.");
        return change.Get<RateChange>() ?? throw new FormatException("a change has no time.");
    }

    private static void AddTexts(IList<string> to, IConfigurationSection from)
    {
        foreach (var item in Items(from)) to.Add(Plain(item).Value ?? throw new FormatException("an item has no value."));
    }

    // An empty list in JSON is an empty text.
    private static IEnumerable<IConfigurationSection> Items(IConfigurationSection list) => string.IsNullOrEmpty(list.Value)
        ? list.GetChildren() : throw new FormatException("it is a list, and has one value.");

    private static IConfigurationSection Plain(IConfigurationSection setting) =>
        !setting.GetChildren().Any() ? setting : throw new FormatException("it has one value, and is a list or a section.");
}
