# Every cmdlet and every parameter is used by one of the scripts here.
BeforeDiscovery { $commands = Get-Command -Module Transfer }
BeforeAll {
    $common = [System.Management.Automation.Cmdlet]::CommonParameters + [System.Management.Automation.Cmdlet]::OptionalCommonParameters

    # The names of the parameters that a command of a script is given: by name, by position, by splatting, and from the pipeline.
    function Get-GivenParameter($call, $command, $tables) {
        $bound = [System.Management.Automation.Language.StaticParameterBinder]::BindCommand($call, $true)
        $bound.BoundParameters.Keys
        foreach ($splat in $call.CommandElements | Where-Object { $_.Splatted }) { $tables["$($splat.VariablePath)"] }
        $at = $call.Parent.PipelineElements.IndexOf($call)
        if ($at -gt 0) { Get-PipedParameter (Get-PipedType $call.Parent.PipelineElements[$at - 1]) $command }
    }

    # The type of what an element of a pipeline writes, where its text says so; nothing: it does not.
    function Get-PipedType($element) {
        if ($element -is [System.Management.Automation.Language.CommandExpressionAst]) {
            $types = @($element.Expression.Elements ?? $element.Expression).StaticType | Sort-Object FullName -Unique
            if (@($types).Count -eq 1 -and $types -eq [string]) { [string] }
            return
        }
        $name = "$($element.GetCommandName())"
        if ($names[$name]) { $names[$name].OutputType.Type | Select-Object -First 1 }
        elseif ($name -in 'Get-ChildItem', 'Get-Item') {
            $onDrive = "$($element.CommandElements[1])" -match '^\w+:'
            $onDrive ? $command.ImplementingType.Assembly.GetType('Transfer.PowerShell.TransferDriveItem') : [System.IO.FileInfo]
        }
    }

    # The parameters that objects of a type bind to, as they are or by a property.
    function Get-PipedParameter([type] $type, $command) {
        if (-not $type) { return }
        $properties = @($type.GetProperties().Name) + @((Get-TypeData $type.FullName).Members.Keys)
        if ([System.IO.FileSystemInfo].IsAssignableFrom($type)) { $properties += 'PSPath' }
        foreach ($parameter in $command.Parameters.Values) {
            $attributes = $parameter.Attributes | Where-Object { $_ -is [Parameter] }
            $takes = $parameter.ParameterType.IsArray ? $parameter.ParameterType.GetElementType() : $parameter.ParameterType
            if ($attributes.ValueFromPipeline -contains $true -and $takes.IsAssignableFrom($type)) { $parameter.Name }
            if ($attributes.ValueFromPipelineByPropertyName -contains $true -and
                (@($parameter.Name) + $parameter.Aliases | Where-Object { $_ -in $properties })) { $parameter.Name }
        }
    }

    $names = @{}
    Get-Command -Module Transfer | ForEach-Object { $names[$_.Name] = $_ }
    $used = @{}
    $where = @{}
    foreach ($file in Get-ChildItem $PSScriptRoot -Filter *.ps1 -Recurse) {
        $ast = [System.Management.Automation.Language.Parser]::ParseFile($file.FullName, [ref] $null, [ref] $null)
        $tables = @{}
        foreach ($set in $ast.FindAll({ $args[0] -is [System.Management.Automation.Language.AssignmentStatementAst] }, $true)) {
            $table = $set.Right.Find({ $args[0] -is [System.Management.Automation.Language.HashtableAst] }, $true)
            if ($table) { $tables["$($set.Left)".TrimStart('$')] += @($table.KeyValuePairs.Item1.Value) }
        }
        foreach ($call in $ast.FindAll({ $args[0] -is [System.Management.Automation.Language.CommandAst] }, $true)) {
            $command = $names["$($call.GetCommandName())"]
            if (-not $command) { continue }
            $where[$command.Name] += @($file.Name)
            $used[$command.Name] += @(Get-GivenParameter $call $command $tables)
        }
    }
}

Describe 'Tests of <_.Name>' -ForEach $commands {
    It 'use each of its parameters' {
        $name = $_.Name
        $_.Parameters.Keys | Where-Object { $_ -notin $common -and $_ -notin $used[$name] } | Should -BeNullOrEmpty
    }

    It 'use it at a real sshd' {
        # A key is made without a server.
        if ($_.Name -ne 'New-TransferKey') { $where[$_.Name] | Should -Contain Sshd.Tests.ps1 }
    }
}
