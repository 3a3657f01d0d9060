using System.Globalization;

namespace Transfer.ServerTests.Chaos;

/// <summary>What ./build.sh chaos asks for.</summary>
internal static class ChaosSettings
{
    public static int Seed { get; } = Number("TRANSFER_CHAOS_SEED", 1);

    /// <summary>Kills in a test.</summary>
    /// <param name="usual">Where nothing was asked for.</param>
    public static int Kills(int usual) => Number("TRANSFER_CHAOS_KILLS", usual);

    private static int Number(string variable, int usual) =>
        Environment.GetEnvironmentVariable(variable) is { Length: > 0 } text ? int.Parse(text, CultureInfo.InvariantCulture) : usual;
}
