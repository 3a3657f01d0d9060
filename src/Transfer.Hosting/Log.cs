using Microsoft.Extensions.Logging;

namespace Transfer.Hosting;

/// <summary>Hosting: events 5000 to 5099.</summary>
internal static partial class Log
{
    [LoggerMessage(5000, LogLevel.Information,
        "The settings of the transfer client '{Name}' have changed: later operations use the new ones.")]
    public static partial void SettingsChanged(ILogger logger, string name);

    [LoggerMessage(5001, LogLevel.Error,
        "The settings of the transfer client '{Name}' have changed, no client can be made of them, and the old ones hold.")]
    public static partial void SettingsRefused(ILogger logger, string name, Exception reason);
}
