# Every cmdlet and every parameter is used by one of the scripts here.
BeforeDiscovery { $commands = Get-Command -Module Transfer }
BeforeAll {
    $common = [System.Management.Automation.Cmdlet]::CommonParameters + [System.Management.Automation.Cmdlet]::OptionalCommonParameters

    # The names of the parameters that a command of a script is given: by name, by position, by splatting, and from the pipeline.
    function Get-GivenParameter($call, $command, $tables) {
        $bound = [System.Management.Automation.Language.StaticParameterBinder]::BindCommand($call, $true)
        $bound.BoundParameters.Keys
        foreach ($splat in $call.CommandElements | Where-Object { $_.Splatted }) { $tables["$($splat.VariablePath)"] }
        if ($call.Parent.PipelineElements.IndexOf($call) -gt 0) {
            ($command.Parameters.Values | Where-Object {
                $_.Attributes.ValueFromPipeline -contains $true -or $_.Attributes.ValueFromPipelineByPropertyName -contains $true
            }).Name
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
