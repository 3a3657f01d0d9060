# Rules that PSScriptAnalyzer has for functions, over the metadata of the cmdlets.
BeforeDiscovery {
    $commands = Get-Command -Module Transfer
    $common = [System.Management.Automation.Cmdlet]::CommonParameters + [System.Management.Automation.Cmdlet]::OptionalCommonParameters
}
BeforeAll {
    . $PSScriptRoot/Common.ps1
    $common = [System.Management.Automation.Cmdlet]::CommonParameters + [System.Management.Automation.Cmdlet]::OptionalCommonParameters
    $changing = 'New', 'Set', 'Remove', 'Move', 'Copy', 'Send', 'Receive', 'Sync', 'Watch', 'Invoke'

    # The attributes of a parameter, each with the set that it counts for.
    function Get-ParameterAttribute($parameter) { $parameter.Attributes | Where-Object { $_ -is [Parameter] } }
    function Get-Own($command) { $command.Parameters.Values | Where-Object Name -notin $common }
}

Describe 'Rules for <_.Name>' -ForEach $commands {
    It 'has an approved verb, and a noun in the singular' {
        $_.Verb | Should -BeIn (Get-Verb).Verb
        $_.Noun | Should -MatchExactly '^Transfer([A-Z][a-z]+)+$'
        $_.Noun | Should -Not -Match '[^s]s$'
    }

    It 'has no secret as a text' {
        foreach ($parameter in Get-Own $_) {
            if ($parameter.Name -match 'Passw|Passphrase|Secret|Token|ApiKey') { $parameter.ParameterType |
                Should -Be ([securestring]) -Because "-$($parameter.Name)" }
            if ($parameter.Name -match 'Credential') {
                $parameter.ParameterType | Should -Be ([pscredential])
                $parameter.Attributes | Where-Object { $_ -is [System.Management.Automation.CredentialAttribute] } |
                    Should -Not -BeNullOrEmpty -Because 'a user name is enough then'
            }
            $parameter.Name | Should -Not -Match '^User(name)?$' -Because 'user and password are a PSCredential'
        }
    }

    It 'asks where it changes something, and only there' {
        if ($_.Verb -in $changing) { $_.Parameters.Keys | Should -Contain WhatIf; $_.Parameters.Keys | Should -Contain Confirm }
        else { $_.Parameters.Keys | Should -Not -Contain WhatIf }
    }

    It 'has no name or alias twice, and none that PowerShell has' {
        $reserved = $common + ($_.Parameters.Values | Where-Object Name -in $common).Aliases
        $names = Get-Own $_ | ForEach-Object { $_.Name; $_.Aliases }
        $names | Group-Object | Where-Object Count -gt 1 | Should -BeNullOrEmpty
        $names | Where-Object { $_ -in $reserved } | Should -BeNullOrEmpty
        (Get-Own $_).Name | Should -MatchExactly '^([A-Z][a-z]+)+$'
    }

    It 'has positions without gaps, and in each set one parameter at most for what the pipeline gives' {
        foreach ($set in $_.ParameterSets) {
            $positions = @($set.Parameters.Position | Where-Object { $_ -ge 0 } | Sort-Object)
            # As Move-Item has it: where the first is named, as -LiteralPath is, the second is the second.
            for ($i = 1; $i -lt $positions.Count; $i++) { $positions[$i] | Should -Be ($positions[$i - 1] + 1) -Because $set.Name }
            @($set.Parameters | Where-Object ValueFromPipeline).Count | Should -BeLessOrEqual 1 -Because $set.Name
            $set.Parameters | Where-Object { $_.ParameterType -eq [switch] -and $_.Position -ge 0 } |
                Should -BeNullOrEmpty -Because 'a switch has no position'
        }
    }

    It 'takes paths as the others do' {
        $path, $literal, $destination = $_.Parameters['Path', 'LiteralPath', 'Destination']
        if ($path) {
            $path.ParameterType | Should -BeIn ([string]), ([string[]])
            (Get-ParameterAttribute $path).Position | Sort-Object -Unique | Should -Be 0
            # What takes several paths takes them from a pipeline.
            if ($path.ParameterType -eq [string[]]) { (Get-ParameterAttribute $path).ValueFromPipeline | Should -Contain $true }
        }
        if ($destination) { (Get-ParameterAttribute $destination).Position | Sort-Object -Unique | Should -Be 1 }
        if ($literal) {
            $path | Should -Not -BeNullOrEmpty
            $literal.ParameterType | Should -Be ([string[]])
            $literal.Aliases | Should -Contain FullName
            (Get-ParameterAttribute $literal).ValueFromPipelineByPropertyName | Should -Contain $true
            @(Get-ParameterAttribute $literal).ParameterSetName | Should -Not -Contain (Get-ParameterAttribute $path).ParameterSetName
        }
    }

    It 'refuses a variable that is empty in place of a value' {
        $nullable = 'Include', 'Exclude', 'Filter', 'ToServer', 'Server', 'Encoding', 'Proxy', 'Value'
        foreach ($parameter in Get-Own $_ | Where-Object { $_.ParameterType -in [string], [string[]], [uri], [object], [object[]] }) {
            $checks = $parameter.Attributes | Where-Object {
                $_ -is [ValidateNotNullOrEmpty] -or $_ -is [ValidateSet] -or
                ($_ -is [ValidateNotNull] -and $parameter.Name -in $nullable)
            }
            $isRequired = (Get-ParameterAttribute $parameter).Mandatory -notcontains $false
            [bool] ($checks -or $isRequired -or $parameter.Name -eq 'Filter') | Should -BeTrue -Because "-$($parameter.Name)"
        }
    }

    It 'offers the sets that help shows, with one by default' {
        if ($_.ParameterSets.Count -gt 1) { $_.DefaultParameterSet | Should -BeIn $_.ParameterSets.Name }
        foreach ($set in $_.ParameterSets) { $set.ToString() | Should -Not -BeNullOrEmpty }
    }
}

Describe 'Parameters of one name' {
    It 'have one type in all cmdlets, or lists of it' {
        $types = foreach ($command in Get-Command -Module Transfer) {
            foreach ($parameter in Get-Own $command) { [pscustomobject] @{ Name = $parameter.Name;
                Type = "$($parameter.ParameterType)" -replace '\[\]$' } }
        }
        $types | Group-Object Name | Where-Object { @($_.Group.Type | Sort-Object -Unique).Count -gt 1 } |
            ForEach-Object { "$($_.Name): $(@($_.Group.Type | Sort-Object -Unique))" } | Should -BeNullOrEmpty
    }
}

Describe 'OutputType' {
    BeforeAll {
        Push-Location $local
        Set-Content one.txt one
        $secret = ConvertTo-SecureString 'six words at random' -AsPlainText -Force
        $env:XDG_STATE_HOME = "$local/states"
        Connect-Sftp -Name rules | Out-Null
    }
    AfterAll {
        Pop-Location
        Get-TransferServer | Disconnect-TransferServer
    }

    # In this order: each stands on what the ones before have left. Each type that a cmdlet declares is written by one of its blocks.
    It '<Name> writes what it declares' -ForEach @(
        @{ Name = 'Connect-TransferServer'; Blocks = { Connect-Ftp -Name second } }
        @{ Name = 'Get-TransferServer'; Blocks = { Get-TransferServer } }
        @{ Name = 'Disconnect-TransferServer'; Blocks = { Disconnect-TransferServer second; $script:server = Get-TransferServer rules } }
        @{ Name = 'Test-TransferServer'; Blocks = { Test-TransferServer -Server rules }, { Test-TransferServer -Server rules -Quiet } }
        @{ Name = 'New-TransferFolder'; Blocks = { New-TransferFolder made -Server rules } }
        @{ Name = 'Send-TransferFile'; Blocks = { Send-TransferFile one.txt made/ -Server rules }, {
            Send-TransferFile one.txt made/ -PassThru -Overwrite Always -Server rules } }
        @{ Name = 'Receive-TransferFile'; Blocks = { Receive-TransferFile made/one.txt got/ -Server rules }, {
            Receive-TransferFile made/one.txt got/ -PassThru -Overwrite Always -Server rules } }
        @{ Name = 'Copy-TransferFile'; Blocks = { Copy-TransferFile made/one.txt two.txt -Server rules }, {
            Copy-TransferFile made/one.txt two.txt -PassThru -Overwrite Always -Server rules } }
        @{ Name = 'Sync-TransferFolder'; Blocks = { Sync-TransferFolder got synced -Direction Up -Server rules }, {
            Set-Content got/three.txt 3; Sync-TransferFolder got synced -Direction Up -PassThru -Server rules } }
        @{ Name = 'Watch-TransferFolder'; Blocks = {
            Watch-TransferFolder got watched -Direction Up -Settle 0 -Server rules | Select-Object -First 1 } }
        @{ Name = 'Compare-TransferFolder'; Blocks = { Compare-TransferFolder got made -Server rules } }
        @{ Name = 'Get-TransferEntry'; Blocks = { Get-TransferEntry -Server rules } }
        @{ Name = 'Test-TransferPath'; Blocks = { Test-TransferPath made -Server rules } }
        @{ Name = 'Set-TransferContent'; Blocks = { 'a', 'b' | Set-TransferContent lines.txt -Server rules } }
        @{ Name = 'Get-TransferContent'; Blocks = { Get-TransferContent lines.txt -Server rules }, {
            Get-TransferContent lines.txt -AsByteStream -Server rules }, {
            Get-TransferContent lines.txt -Raw -AsByteStream -Server rules } }
        @{ Name = 'Get-TransferFileHash'; Blocks = { Get-TransferFileHash lines.txt -Server rules } }
        @{ Name = 'Set-TransferEntry'; Blocks = { Set-TransferEntry lines.txt -Mode 600 -Server rules } }
        @{ Name = 'Move-TransferEntry'; Blocks = { Move-TransferEntry lines.txt made/ -Server rules } }
        @{ Name = 'Remove-TransferEntry'; Blocks = { Remove-TransferEntry made/lines.txt -Server rules } }
        @{ Name = 'Get-TransferHostKey'; Blocks = { Get-TransferHostKey 127.0.0.1 -Port ([uri] $env:TRANSFER_SFTP).Port } }
        @{ Name = 'New-TransferKey'; Blocks = { New-TransferKey rules.key } }
        @{ Name = 'Send-TransferBatch'; Blocks = { Send-TransferBatch got spool -To ann -Passphrase $secret -Server rules }, {
            Send-TransferBatch got spool -To ann -Passphrase $secret -PassThru -Server rules } }
        @{ Name = 'Receive-TransferBatch'; Blocks = { Receive-TransferBatch spool in -As ann -Passphrase $secret -Overwrite Always -Server rules },
            { Send-TransferBatch got spool -To ann -Passphrase $secret -Server rules |
                Out-Null; Receive-TransferBatch spool in -As ann -Passphrase $secret -Overwrite Always -PassThru -Server rules },
            { Receive-TransferBatch -Listen -Destination heard -EndPoint 127.0.0.1:0 |
                ForEach-Object { if ($_.Address) { Send-TransferBatch got -Address $_.Address | Out-Null }; $_ } }
        }
    ) {
        $declared = (Get-Command $Name).OutputType.Type
        $written = $Blocks | ForEach-Object { & $_ } | ForEach-Object { $_.GetType() } | Sort-Object FullName -Unique
        # The bytes of -Raw are one object.
        $written = $written | ForEach-Object { $_ -eq [byte[]] ? [byte] : $_ } | Sort-Object FullName -Unique
        $written.FullName | Should -Be ($declared | Sort-Object FullName -Unique).FullName
        $script:seen += , $Name
    }

    It 'was looked at of every cmdlet' {
        # The embedded server runs no commands: Sshd.Tests.ps1 looks at that one.
        Get-Command -Module Transfer | Where-Object Name -notin ($script:seen + 'Invoke-TransferCommand') | Should -BeNullOrEmpty
    }
}
