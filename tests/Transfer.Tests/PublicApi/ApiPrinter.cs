using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Transfer.Tests.PublicApi;

/// <summary>Prints everything of an assembly that code outside of it can name, in an order that only changes of the API change.</summary>
internal static class ApiPrinter
{
    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    public static string Print(Assembly assembly)
    {
        var text = new StringBuilder();
        foreach (var type in assembly.GetTypes().Where(IsVisible).OrderBy(type => type.FullName, StringComparer.Ordinal))
        {
            text.Append(Header(type)).Append('\n');
            foreach (var line in Members(type).Order(StringComparer.Ordinal)) text.Append("    ").Append(line).Append('\n');
            text.Append('\n');
        }

        return text.ToString();
    }

    private static bool IsVisible(Type type) =>
        type.IsPublic || (type.IsNested && (type.IsNestedPublic || type.IsNestedFamily || type.IsNestedFamORAssem) && IsVisible(type.DeclaringType!));

    private static string Header(Type type)
    {
        var text = new StringBuilder(Attributes(type));
        text.Append(type.IsNestedFamily || type.IsNestedFamORAssem ? "protected " : "public ");
        if (IsDelegate(type)) return text.Append("delegate ").Append(Signature(type.GetMethod("Invoke")!, TypeNames.Full(type))).ToString();

        if (type is { IsAbstract: true, IsSealed: true }) text.Append("static ");
        else if (type is { IsAbstract: true, IsInterface: false }) text.Append("abstract ");
        else if (type is { IsSealed: true, IsValueType: false }) text.Append("sealed ");
        if (type is { IsValueType: true, IsEnum: false } && type.IsDefined(typeof(IsReadOnlyAttribute))) text.Append("readonly ");
        if (type.IsByRefLike) text.Append("ref ");
        text.Append(Kind(type)).Append(TypeNames.Full(type));

        var bases = Bases(type).ToList();
        if (bases.Count > 0) text.Append(" : ").AppendJoin(", ", bases);
        return text.Append(TypeNames.Constraints(type.GetGenericArguments())).ToString();
    }

    private static string Kind(Type type) => type switch
    {
        { IsEnum: true } => "enum ",
        { IsInterface: true } => "interface ",
        { IsValueType: true } when IsRecord(type) => "record struct ",
        { IsValueType: true } => "struct ",
        _ when IsRecord(type) => "record ",
        _ => "class ",
    };

    private static IEnumerable<string> Bases(Type type)
    {
        if (type.IsEnum)
        {
            yield return TypeNames.Of(Enum.GetUnderlyingType(type));
            yield break;
        }

        if (type.BaseType is { } parent && parent != typeof(object) && parent != typeof(ValueType)) yield return TypeNames.Of(parent);
        var inherited = type.BaseType?.GetInterfaces() ?? [];
        var implied = type.GetInterfaces().SelectMany(face => face.GetInterfaces());
        var own = type.GetInterfaces().Except(inherited).Except(implied).Where(face => face.IsVisible);
        // Every record is equatable to itself.
        if (IsRecord(type)) own = own.Where(face => face != typeof(IEquatable<>).MakeGenericType(type));
        foreach (var name in own.Select(face => TypeNames.Of(face)).Order(StringComparer.Ordinal)) yield return name;
    }

    private static IEnumerable<string> Members(Type type)
    {
        if (IsDelegate(type)) return [];
        if (type.IsEnum)
            return type.GetFields(BindingFlags.Public | BindingFlags.Static).Select(field => $"{field.Name} = {field.GetRawConstantValue()}");

        return type.GetMembers(Declared).Select(member => member switch
        {
            FieldInfo field => Field(field),
            PropertyInfo property => Property(property),
            EventInfo @event => Event(@event),
            ConstructorInfo constructor => Constructor(constructor),
            MethodInfo method => Method(method),
            _ => null,
        }).OfType<string>();
    }

    private static string? Field(FieldInfo field)
    {
        if (!(field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly)) return null;
        var access = field.IsPublic ? "public" : "protected";
        var name = $"{TypeNames.Of(field)} {field.Name}";
        if (field.IsLiteral) return $"{Attributes(field)}{access} const {name} = {Literal(field.GetRawConstantValue())}";
        return $"{Attributes(field)}{access} {(field.IsStatic ? "static " : "")}{(field.IsInitOnly ? "readonly " : "")}{name}";
    }

    private static string? Property(PropertyInfo property)
    {
        var accessors = property.GetAccessors(nonPublic: true).Where(IsVisible).ToList();
        if (accessors.Count == 0 || IsGenerated(property)) return null;
        var widest = accessors.FirstOrDefault(accessor => accessor.IsPublic) ?? accessors[0];
        var text = new StringBuilder(Attributes(property)).Append(Modifiers(widest));
        if (property.IsDefined(typeof(RequiredMemberAttribute))) text.Append("required ");
        text.Append(TypeNames.Of(property)).Append(' ');
        var index = property.GetIndexParameters();
        text.Append(index.Length == 0 ? property.Name : $"this[{string.Join(", ", index.Select(Parameter))}]").Append(" { ");
        foreach (var accessor in accessors)
        {
            if (widest.IsPublic && !accessor.IsPublic) text.Append("protected ");
            text.Append(accessor == property.GetMethod ? "get" : IsInit(accessor) ? "init" : "set").Append("; ");
        }

        return text.Append('}').ToString();
    }

    private static string? Event(EventInfo @event) =>
        @event.AddMethod is { } add && IsVisible(add) ? $"{Modifiers(add)}event {TypeNames.Of(@event)} {@event.Name}" : null;

    private static string? Constructor(ConstructorInfo constructor)
    {
        if (constructor.IsStatic || !IsVisible(constructor) || IsCopyConstructor(constructor)) return null;
        var name = constructor.DeclaringType!.Name.Split('`')[0];
        return $"{Attributes(constructor)}{(constructor.IsPublic ? "public" : "protected")} {name}({Parameters(constructor)})";
    }

    private static string? Method(MethodInfo method)
    {
        if (!IsVisible(method) || IsGenerated(method)) return null;
        if (method.IsSpecialName && !method.Name.StartsWith("op_", StringComparison.Ordinal)) return null;
        return Attributes(method) + Modifiers(method) + Signature(method, method.Name);
    }

    private static string Signature(MethodInfo method, string name)
    {
        var generics = method.GetGenericArguments();
        var list = generics.Length == 0 ? string.Empty : $"<{string.Join(", ", generics.Select(argument => argument.Name))}>";
        return $"{TypeNames.Of(method.ReturnParameter)} {name}{list}({Parameters(method)}){TypeNames.Constraints(generics)}";
    }

    private static string Parameters(MethodBase method)
    {
        var list = string.Join(", ", method.GetParameters().Select(Parameter));
        return method.IsDefined(typeof(ExtensionAttribute)) ? "this " + list : list;
    }

    private static string Parameter(ParameterInfo parameter)
    {
        var passing = parameter switch
        {
            { IsOut: true } => "out ",
            { ParameterType.IsByRef: true } when parameter.IsDefined(typeof(IsReadOnlyAttribute)) => "in ",
            { ParameterType.IsByRef: true } => "ref ",
            _ when parameter.IsDefined(typeof(ParamArrayAttribute)) => "params ",
            _ => string.Empty,
        };
        var fallback = parameter.HasDefaultValue ? " = " + Default(parameter) : string.Empty;
        return $"{passing}{TypeNames.Of(parameter)} {parameter.Name}{fallback}";
    }

    private static string Default(ParameterInfo parameter) =>
        parameter.RawDefaultValue switch
        {
            null when parameter.ParameterType.IsValueType && Nullable.GetUnderlyingType(parameter.ParameterType) is null => "default",
            { } value when parameter.ParameterType.IsEnum => $"{parameter.ParameterType.Name}.{Enum.ToObject(parameter.ParameterType, value)}",
            var value => Literal(value),
        };

    private static string Literal(object? value) => value switch
    {
        null => "null",
        string text => $"\"{text}\"",
        char one => $"'{one}'",
        bool flag => flag ? "true" : "false",
        IFormattable number => number.ToString(null, System.Globalization.CultureInfo.InvariantCulture),
        _ => value.ToString()!,
    };

    private static string Modifiers(MethodInfo method)
    {
        if (method.DeclaringType!.IsInterface) return method.IsStatic ? "static " : string.Empty;
        var text = method.IsPublic ? "public " : "protected ";
        if (method.IsStatic) return text + "static ";
        if (method.IsAbstract) return text + "abstract ";
        if (method.GetBaseDefinition() != method) return text + (method.IsFinal ? "sealed override " : "override ");
        return text + (method is { IsVirtual: true, IsFinal: false } ? "virtual " : string.Empty);
    }

    /// <summary>Attributes that change what a caller may write.</summary>
    private static string Attributes(MemberInfo member)
    {
        var text = string.Empty;
        if (member.IsDefined(typeof(FlagsAttribute))) text += "[Flags] ";
        if (member.IsDefined(typeof(SetsRequiredMembersAttribute))) text += "[SetsRequiredMembers] ";
        if (member.GetCustomAttribute<ExperimentalAttribute>() is { } experimental) text += $"[Experimental({experimental.DiagnosticId})] ";
        // The compiler marks members that need `required` support in the caller's compiler as obsolete.
        if (member.GetCustomAttribute<ObsoleteAttribute>() is { } obsolete && !member.IsDefined(typeof(CompilerFeatureRequiredAttribute)))
            text += $"[Obsolete({obsolete.Message})] ";
        return text;
    }

    private static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static bool IsDelegate(Type type) => typeof(MulticastDelegate).IsAssignableFrom(type);

    private static bool IsRecord(Type type) =>
        type.IsValueType
            ? type.GetMethod("PrintMembers", Declared) is { } print && IsGenerated(print)
            : type.GetMethod("<Clone>$", Declared) is not null;

    /// <summary>What the compiler writes into every record is not news; a member written by hand is.</summary>
    private static bool IsGenerated(MemberInfo member) =>
        member.IsDefined(typeof(CompilerGeneratedAttribute)) || member.Name == "<Clone>$"
        || member is PropertyInfo { Name: "EqualityContract" };

    private static bool IsCopyConstructor(ConstructorInfo constructor) =>
        IsRecord(constructor.DeclaringType!)
        && constructor.GetParameters() is [{ } only] && only.ParameterType == constructor.DeclaringType;

    private static bool IsInit(MethodInfo setter) =>
        setter.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit));
}
