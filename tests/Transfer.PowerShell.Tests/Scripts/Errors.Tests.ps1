# What errors say to scripts, and which of them end a command.
BeforeDiscovery {
    $kinds = @(
        @{ Kind = 'NotFound'; Category = 'ObjectNotFound' }
        @{ Kind = 'Exists'; Category = 'ResourceExists' }
        @{ Kind = 'Denied'; Category = 'PermissionDenied' }
        @{ Kind = 'Quota'; Category = 'QuotaExceeded' }
        @{ Kind = 'Partial'; Category = 'ReadError' }
        @{ Kind = 'Auth'; Category = 'AuthenticationError' }
        @{ Kind = 'HostKey'; Category = 'SecurityError' }
        @{ Kind = 'Tls'; Category = 'SecurityError' }
        @{ Kind = 'Timeout'; Category = 'OperationTimeout' }
        @{ Kind = 'Lost'; Category = 'ConnectionError' }
        @{ Kind = 'Protocol'; Category = 'ProtocolError' }
        @{ Kind = 'Integrity'; Category = 'InvalidResult' }
        @{ Kind = 'Unsupported'; Category = 'NotImplemented' }
        @{ Kind = 'Unknown'; Category = 'NotSpecified' }
    )
}
BeforeAll {
    . $PSScriptRoot/Common.ps1
    $there = $env:TRANSFER_SFTP_FOLDER
    $server = Connect-Sftp -Name errors
    $core = [System.Runtime.Loader.AssemblyLoadContext]::All | Where-Object Name -EQ Transfer |
        ForEach-Object Assemblies | Where-Object { $_.GetName().Name -eq 'Transfer.Core' }
    $records = (Get-Command Send-TransferFile).ImplementingType.Assembly.GetType('Transfer.PowerShell.Errors.ErrorRecords').GetMethod('Of')
    Push-Location $local
    Set-Content one.txt one
}
AfterAll {
    Pop-Location
    Get-TransferServer | Disconnect-TransferServer
}

Describe 'An error of kind <Kind>' -ForEach $kinds {
    It 'has its ErrorId, its category, its path as the target, and advice' {
        $value = [enum]::Parse($core.GetType('Transfer.TransferError'), $Kind)
        $exception = [Activator]::CreateInstance($core.GetType('Transfer.TransferException'), @($value, 'It failed.', $null))
        $record = $records.Invoke($null, @($exception, 'in/a.txt', $null))
        $record.FullyQualifiedErrorId | Should -Be "Transfer.$Kind"
        $record.CategoryInfo.Category | Should -Be $Category
        $record.TargetObject | Should -Be 'in/a.txt'
        $record.ErrorDetails.Message | Should -Be 'It failed.'
        $record.ErrorDetails.RecommendedAction | Should -Not -BeNullOrEmpty
    }
}

Describe 'Kinds of errors' {
    It 'are all in the table above' {
        $tested = (Get-Content $PSCommandPath | Select-String "@{ Kind = '(\w+)'").Matches.Groups.Where{ $_.Name -eq '1' }.Value
        $tested | Sort-Object | Should -Be ([enum]::GetNames($core.GetType('Transfer.TransferError')) | Sort-Object)
    }
}

Describe 'A password in a URL' {
    BeforeAll {
        # Refused at once: the certificate is not known.
        $secret = $env:TRANSFER_FTP -replace '^ftpes://([^/@]*@)?', 'ftpes://me:s3cr3t@'
        $shown = $secret -replace ':s3cr3t', ''
    }
    It 'is in no record of <Name>' -ForEach @(
        @{ Name = 'Connect-TransferServer'; Block = { Connect-TransferServer $secret } }
        @{ Name = 'Connect-TransferServer without a scheme'; Block = { Connect-TransferServer 'me:s3cr3t@127.0.0.1/a' } }
        @{ Name = '-Server'; Block = { Get-TransferEntry -Server $secret } }
        @{ Name = '-Server, mistyped'; Block = { Get-TransferEntry -Server 'ftp://me:s3cr3t/x@127.0.0.1/a' } }
        @{ Name = '-Server without a scheme'; Block = { Get-TransferEntry -Server 'me:s3cr3t@127.0.0.1/a' } }
        @{ Name = 'Disconnect-TransferServer'; Block = { Disconnect-TransferServer 'ftp://me:s3cr3t@127.0.0.1/a' } }
        @{ Name = 'Get-TransferServer'; Block = { Get-TransferServer 'ftp://me:s3cr3t@127.0.0.1/a' } }
        @{ Name = 'New-PSDrive'; Block = { New-PSDrive Secret -PSProvider Transfer -Root $secret } }
        @{ Name = 'New-PSDrive without a scheme'; Block = { New-PSDrive Secret -PSProvider Transfer -Root 'me:s3cr3t@127.0.0.1' } }
    ) {
        $errors = Get-Errors $Block
        $errors | Should -Not -BeNullOrEmpty
        foreach ($record in $errors) {
            "$($record.TargetObject)" | Should -Not -Match s3cr3t
            "$($record.TargetObject.OriginalString)" | Should -Not -Match s3cr3t
            "$record $($record.Exception) $($record.CategoryInfo)" | Should -Not -Match s3cr3t
        }
    }
    It 'leaves the rest of the target' {
        $record = (Get-Errors { Connect-TransferServer $secret })[0]
        "$($record.TargetObject)" | Should -Be $shown
    }
}

Describe 'Advice' {
    It 'names a parameter of the command: <Name>' -ForEach @(
        @{ Name = 'Send-TransferFile'; Advice = '-Overwrite'; Block = { Send-TransferFile one.txt there.txt } }
        @{ Name = 'Receive-TransferFile'; Advice = '-Overwrite'; Block = { Receive-TransferFile there.txt one.txt } }
        @{ Name = 'Copy-TransferFile'; Advice = '-Overwrite'; Block = { Copy-TransferFile there.txt other.txt } }
        @{ Name = 'Move-TransferEntry'; Advice = '-Force'; Block = { Move-TransferEntry there.txt other.txt } }
        @{ Name = 'New-TransferKey'; Advice = 'another name'; Block = { New-TransferKey one.txt } }
        @{ Name = 'Connect-TransferServer'; Advice = 'another -Name'; Block = { Connect-Sftp -Name errors } }
        @{ Name = 'Send-TransferFile of several'; Advice = 'End -Destination with /'; Block = {
            Send-TransferFile one.txt, one.txt new.txt -Overwrite Always } }
        @{ Name = 'Receive-TransferFile of several'; Advice = 'End -Destination with /'; Block = {
            Receive-TransferFile there.txt, other.txt new.txt -Overwrite Always } }
        @{ Name = 'Remove-TransferEntry of a folder'; Advice = 'Give -Recurse'; Block = { Remove-TransferEntry folder } }
        @{ Name = 'a URI with an unknown key'; Advice = 'Connect-TransferServer -Pin'; Block = {
            Get-TransferEntry -Server $env:TRANSFER_FTP -Credential $credential } }
        @{ Name = 'a path that is not there'; Advice = 'Get-TransferEntry'; Block = { Get-TransferEntry none } }
    ) {
        $null = New-Item "$there/folder" -ItemType Directory -Force
        'there', 'other' | ForEach-Object { Set-Content "$there/$_.txt" $_ }
        $errors = Get-Errors $Block
        $errors | Should -HaveCount 1
        $errors[0].ErrorDetails.RecommendedAction | Should -Match $Advice
        # A parameter that is named is one of the command's, or of the other one that the advice names.
        $line = $errors[0].ErrorDetails.RecommendedAction
        $named = [regex]::Matches($line, '\w+-Transfer\w+') | ForEach-Object { Get-Command $_.Value }
        $commands = @($errors[0].InvocationInfo.MyCommand) + @($named)
        foreach ($given in [regex]::Matches($line, '(?<= )-[A-Z]\w+').Value) {
            $commands.Parameters.Keys | Should -Contain $given.TrimStart('-')
        }
    }
}

Describe 'Items of a pipeline that fail as a whole' {
    BeforeAll {
        1..3 | ForEach-Object {
            $null = New-Item "$there/whole/$_" -ItemType Directory -Force
            Set-Content "$there/whole/$_/$_.txt" $_
        }
    }

    It 'are an error each, and the others are done: folders that are gone' {
        $folders = Get-TransferEntry whole
        Remove-Item "$there/whole/2" -Recurse
        $errors = Get-Errors { $script:result = $folders | Receive-TransferFile -Destination ./whole/ }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.NotFound,*'
        $errors[0].TargetObject | Should -Be /whole/2
        $script:result.Files, $script:result.Failed | Should -Be 2, 1
        Get-Content whole/1/1.txt, whole/3/3.txt | Should -Be 1, 3
    }

    It 'are an error each, and the others are done: files that exist at the other end' {
        $null = New-Item "$there/whole/again" -ItemType Directory
        Set-Content "$there/whole/again/1.txt" there
        'a', 'b' | ForEach-Object { Set-Content "$there/$_.txt" $_ }
        Set-Content "$there/whole/again/a.txt" old
        $errors = Get-Errors { $script:result = 'a.txt', 'b.txt' | Copy-TransferFile -Destination whole/again/ }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Exists,*'
        $script:result.Files, $script:result.Failed | Should -Be 1, 1
        Get-Content "$there/whole/again/a.txt", "$there/whole/again/b.txt" | Should -Be old, b
    }
}

Describe 'A server that cannot be used' {
    BeforeAll {
        $closed = Connect-Sftp -Name closed
        Disconnect-TransferServer $closed
        $listener = [System.Net.Sockets.TcpListener]::new([ipaddress]::Loopback, 0)
        $listener.Start()
        $free = "ftp://127.0.0.1:$($listener.LocalEndpoint.Port)"
        $listener.Stop()
    }

    It 'is False by Test-TransferServer -Quiet, and an error without: <Name>' -ForEach @(
        @{ Name = 'closed'; Block = { $closed }; Id = 'Lost' }
        @{ Name = 'not there'; Block = { $free }; Id = 'Lost' }
        @{ Name = 'not trusted'; Block = { $env:TRANSFER_FTP }; Id = 'Tls' }
        @{ Name = 'no name'; Block = { 'nobody' }; Id = 'ArgumentException' }
    ) {
        $given = & $Block
        Get-Errors { Test-TransferServer -Server $given -Quiet } | Should -BeNullOrEmpty
        Test-TransferServer -Server $given -Quiet | Should -BeExactly $false
        $errors = Get-Errors { Test-TransferServer -Server $given }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike "Transfer.$Id,*"
    }

    It 'is False where there is none' {
        $beside = Start-Beside { Test-TransferServer -Quiet }
        Wait-Until { $beside.Running.IsCompleted }
        $beside.Output | Should -BeExactly $false
        $beside.Shell.Streams.Error | Should -BeNullOrEmpty
    }
}
