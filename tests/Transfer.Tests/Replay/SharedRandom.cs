using System.Reflection;
using System.Runtime.CompilerServices;

namespace Transfer.Tests.Replay;

/// <summary>
/// Seeds this thread's part of <see cref="Random.Shared"/>, which draws how long a retry waits. The names of its fields are the runtime's
/// own.
/// </summary>
internal static class SharedRandom
{
    private const BindingFlags Any = BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance;

    public static void Seed(int seed)
    {
        var field = Random.Shared.GetType().GetField("t_random", Any)
            ?? throw new MissingMemberException($"This runtime ({Environment.Version}) has no seed of Random.Shared.");
        var source = RuntimeHelpers.GetUninitializedObject(field.FieldType);
        var random = new Random(seed);
        foreach (var word in (string[])["_s0", "_s1", "_s2", "_s3"])
        {
            var part = field.FieldType.GetField(word, Any) ?? throw new MissingMemberException($"{field.FieldType} has no {word}.");
            // Never all zero: such a generator gives zeros only.
            part.SetValue(source, part.FieldType == typeof(ulong) ? (ulong)random.NextInt64() | 1 : (uint)random.Next() | 1);
        }
        field.SetValue(null, source);
    }
}
