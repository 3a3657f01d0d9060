using System.Reflection;

namespace Transfer.Tests.PublicApi;

/// <summary>Types as C# writes them, with nullable annotations where metadata has them.</summary>
internal static class TypeNames
{
    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(void)] = "void",
        [typeof(object)] = "object",
        [typeof(string)] = "string",
        [typeof(bool)] = "bool",
        [typeof(char)] = "char",
        [typeof(byte)] = "byte",
        [typeof(sbyte)] = "sbyte",
        [typeof(short)] = "short",
        [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(float)] = "float",
        [typeof(double)] = "double",
        [typeof(decimal)] = "decimal",
    };

    public static string Of(ParameterInfo parameter) => Of(parameter.ParameterType, new NullabilityInfoContext().Create(parameter));

    public static string Of(PropertyInfo property) => Of(property.PropertyType, new NullabilityInfoContext().Create(property));

    public static string Of(FieldInfo field) => Of(field.FieldType, new NullabilityInfoContext().Create(field));

    public static string Of(EventInfo @event) => Of(@event.EventHandlerType!, new NullabilityInfoContext().Create(@event));

    public static string Of(Type type, NullabilityInfo? nullability = null)
    {
        if (type.IsByRef) return Of(type.GetElementType()!, nullability);
        if (Nullable.GetUnderlyingType(type) is { } value) return Of(value, nullability?.GenericTypeArguments.FirstOrDefault()) + "?";
        var mark = !type.IsValueType && Annotated(nullability) ? "?" : string.Empty;
        if (type.IsArray) return $"{Of(type.GetElementType()!, nullability?.ElementType)}[{new string(',', type.GetArrayRank() - 1)}]{mark}";
        return Name(type, nullability) + mark;
    }

    /// <summary>The full name of a type that is being declared.</summary>
    public static string Full(Type type) => $"{type.Namespace}.{Name(type, null)}";

    /// <summary>The where clauses of generic parameters.</summary>
    public static string Constraints(Type[] arguments)
    {
        var text = string.Empty;
        foreach (var argument in arguments.Where(argument => argument.IsGenericParameter))
        {
            var attributes = argument.GenericParameterAttributes;
            var list = new List<string>();
            if (attributes.HasFlag(GenericParameterAttributes.NotNullableValueTypeConstraint)) list.Add("struct");
            else if (attributes.HasFlag(GenericParameterAttributes.ReferenceTypeConstraint)) list.Add("class");
            list.AddRange(argument.GetGenericParameterConstraints().Where(type => type != typeof(ValueType)).Select(type => Of(type)));
            if (attributes.HasFlag(GenericParameterAttributes.DefaultConstructorConstraint) && !list.Contains("struct")) list.Add("new()");
            if (list.Count > 0) text += $" where {argument.Name} : {string.Join(", ", list)}";
        }

        return text;
    }

    private static bool Annotated(NullabilityInfo? nullability) =>
        nullability is { ReadState: NullabilityState.Nullable } or { WriteState: NullabilityState.Nullable };

    private static string Name(Type type, NullabilityInfo? nullability)
    {
        if (Keywords.TryGetValue(type, out var keyword)) return keyword;
        if (type.IsGenericParameter) return type.Name;

        var arguments = type.GetGenericArguments();
        var outer = type.IsNested ? type.DeclaringType!.GetGenericArguments().Length : 0;
        var name = type.Name.Split('`')[0];
        if (arguments.Length > outer)
        {
            var own = arguments.Skip(outer).Select((argument, i) => Of(argument, nullability?.GenericTypeArguments.ElementAtOrDefault(outer + i)));
            name += $"<{string.Join(", ", own)}>";
        }

        return type.IsNested ? $"{Name(type.DeclaringType!, null)}.{name}" : name;
    }
}
