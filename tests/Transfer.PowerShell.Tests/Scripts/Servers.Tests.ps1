BeforeAll { . $PSScriptRoot/Common.ps1 }

Describe 'Connect-TransferServer' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'connects over <_>, and the server is the current one' -ForEach 'Ftp', 'Sftp' {
        $server = & "Connect-$_" -Name one
        $server.Name | Should -Be one
        $server.Uri.UserInfo | Should -Not -Match ':'
        (Get-TransferServer).Name | Should -Be one
        Test-TransferServer -Quiet | Should -BeTrue
        $answer = Test-TransferServer
        $answer.RoundTrip | Should -BeGreaterThan ([timespan]::Zero)
        $answer.Elapsed | Should -BeGreaterOrEqual $answer.RoundTrip
        $answer.Features.ReadsAtOffset | Should -BeTrue
    }

    It 'refuses a wrong password, and does not show it' {
        $wrong = [pscredential]::new('demo', (ConvertTo-SecureString 'wrong-secret' -AsPlainText -Force))
        $errors = Get-Errors { Connect-TransferServer $env:TRANSFER_SFTP -Credential $wrong -Pin $env:TRANSFER_SFTP_PIN }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Auth,*'
        $errors[0].CategoryInfo.Category | Should -Be AuthenticationError
        $errors[0].ErrorDetails.RecommendedAction | Should -Match 'Credential'
        "$errors" | Should -Not -Match 'wrong-secret'
        Get-TransferServer | Should -BeNullOrEmpty
    }

    It 'refuses a host key that is not known, and says how to go on' {
        $known = Join-Path $local known_hosts
        $errors = Get-Errors { Connect-TransferServer $env:TRANSFER_SFTP -Credential $credential -KnownHostsFile $known }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.HostKey,*'
        $errors[0].CategoryInfo.Category | Should -Be SecurityError
        $errors[0].ErrorDetails.RecommendedAction | Should -Match '-AcceptNewHostKey'
    }

    It 'remembers a host key that is new, where it is told to' {
        $known = Join-Path $local known_hosts_new
        Connect-TransferServer $env:TRANSFER_SFTP -Credential $credential -KnownHostsFile $known -AcceptNewHostKey | Disconnect-TransferServer
        Connect-TransferServer $env:TRANSFER_SFTP -Credential $credential -KnownHostsFile $known | Should -Not -BeNullOrEmpty
    }

    It 'refuses a certificate that nobody vouches for' {
        $errors = Get-Errors { Connect-TransferServer $env:TRANSFER_FTP -Credential $credential }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Tls,*'
        $errors[0].CategoryInfo.Category | Should -Be SecurityError
    }

    It 'refuses options that are for another protocol' {
        (Get-Errors { Connect-TransferServer $env:TRANSFER_FTP -AcceptNewHostKey })[0].CategoryInfo.Category | Should -Be InvalidArgument
    }

    It 'refuses a name that is taken, and an address that is none' {
        Connect-Sftp -Name one | Out-Null
        (Get-Errors { Connect-Sftp -Name one })[0].CategoryInfo.Category | Should -Be ResourceExists
        (Get-Errors { Connect-TransferServer folder/file })[0].CategoryInfo.Category | Should -Be InvalidArgument
        (Get-Errors { Connect-TransferServer gopher://host/ })[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.*'
    }
}

Describe 'Several servers' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'names the later ones by number, and the latest is the current one' {
        $first, $second = (Connect-Sftp), (Connect-Ftp)
        $second.Name | Should -Be "$($first.Name)#2"
        New-TransferFolder at-the-second | Out-Null
        Test-TransferPath at-the-second -Server $second | Should -BeTrue
        Test-TransferPath at-the-second -Server $first.Name | Should -BeFalse
    }

    It 'gets servers by pattern, and says where none has a name' {
        Connect-Sftp -Name alpha | Out-Null
        Connect-Ftp -Name beta | Out-Null
        (Get-TransferServer a*).Name | Should -Be alpha
        (Get-Errors { Get-TransferServer gamma })[0].CategoryInfo.Category | Should -Be ObjectNotFound
        Disconnect-TransferServer alpha
        (Get-TransferServer).Name | Should -Be beta
        (Get-Errors { Disconnect-TransferServer alpha })[0].CategoryInfo.Category | Should -Be ObjectNotFound
    }

    It 'does not work at a server that is closed, or at none' {
        $server = Connect-Sftp
        Disconnect-TransferServer $server
        $errors = Get-Errors { Get-TransferEntry -Server $server }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Lost,*'
        "$errors" | Should -Match "The server '127.0.0.1.*' is closed"
        Get-Errors { Get-TransferEntry } | Should -HaveCount 1
        Test-TransferServer -Quiet -Server file:///tmp | Should -BeTrue
    }

    It 'is used from several runspaces at once' {
        $server = Connect-Sftp
        1..4 | ForEach-Object { "$_" | Set-TransferContent "parallel$_.txt" }
        $module = $env:TRANSFER_MODULE
        $read = 1..4 | ForEach-Object -Parallel { Import-Module $using:module; Get-TransferContent "parallel$_.txt" -Server $using:server }
        $read | Sort-Object | Should -Be '1', '2', '3', '4'
    }
}

Describe 'Remove-Module' {
    BeforeAll {
        # Connects in a runspace of its own, and says so.
        function Start-Owner([string] $name, [scriptblock] $then) {
            $beside = Start-Beside {
                param($uri, $credential, $pin, $name, $then)
                Connect-TransferServer $uri -Credential $credential -Pin $pin -Name $name
                & ([scriptblock]::Create($then))
            } $env:TRANSFER_SFTP $credential $env:TRANSFER_SFTP_PIN $name "$then"
            Wait-Until { $beside.Running.IsCompleted }
            $beside
        }
    }
    BeforeEach { $ours = Connect-Sftp -Name ours }
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'closes the servers that the runspace has connected, and not those of others' {
        $kept = Start-Owner kept {}
        $gone = Start-Owner gone { Get-TransferEntry -Server ours | Out-Null; Remove-Module Transfer }
        $gone.Output[0].IsClosed | Should -BeTrue
        $kept.Output[0].IsClosed | Should -BeFalse
        (Get-TransferServer).Name | Should -Be kept, ours
        Test-TransferServer -Quiet -Server ours | Should -BeTrue
    }

    It 'closes the servers of runspaces that have ended' {
        $left = Start-Owner left {}
        $left.Shell.Runspace.Dispose()
        (Get-TransferServer).Name | Should -Be left, ours
        $beside = Start-Beside { Remove-Module Transfer }
        Wait-Until { $beside.Running.IsCompleted }
        (Get-TransferServer).Name | Should -Be ours
        $left.Output[0].IsClosed | Should -BeTrue
    }

    It 'in parallel runspaces leaves the server that they share to the runspace that has connected it' {
        'shared' | Set-TransferContent shared.txt
        $module = $env:TRANSFER_MODULE
        $read = 1..4 | ForEach-Object -Parallel {
            Import-Module $using:module
            Get-TransferContent shared.txt -Server $using:ours
            Remove-Module Transfer
        }
        $read | Should -Be shared, shared, shared, shared
        $ours.IsClosed | Should -BeFalse
        Get-TransferContent shared.txt | Should -Be shared
    }
}

Describe 'Several runspaces at one server, over <_>' -ForEach 'Ftp', 'Sftp' {
    BeforeAll {
        $server = & "Connect-$_" -Name common
        $there = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value
    }
    AfterAll { Get-TransferServer | Disconnect-TransferServer }

    It 'run a job each' {
        1..25 | ForEach-Object { [System.IO.File]::WriteAllText("$local/each-$($server.Uri.Scheme)-$_.txt", "$_") }
        $sending = 1..4 | ForEach-Object {
            $block = { param($server, $from, $to) Get-ChildItem $from | Send-TransferFile -Destination $to -Server $server }
            Start-Beside $block $server "$local/each-$($server.Uri.Scheme)-*.txt" "each/$_/"
        }
        Wait-Until { $sending.Running.IsCompleted -notcontains $false }
        $sending.Shell.Streams.Error | Should -BeNullOrEmpty
        $sending.Output.Files | Should -Be 25, 25, 25, 25
        Get-ChildItem "$there/each" -Recurse -File | Should -HaveCount 100
        Get-Content "$there/each/4/each-$($server.Uri.Scheme)-25.txt" | Should -Be 25
    }

    It 'have a current server each' {
        $beside = Start-Beside {
            param($uri, $credential, $pin)
            Get-TransferServer common | Out-Null
            try { Get-TransferEntry } catch { $_.FullyQualifiedErrorId }
            Connect-TransferServer $uri -Credential $credential -Pin $pin -Name other | Out-Null
            (Test-TransferServer).Uri
        } $env:TRANSFER_SFTP $credential $env:TRANSFER_SFTP_PIN
        Wait-Until { $beside.Running.IsCompleted }
        # A server of another runspace is not the current one.
        $beside.Output[0] | Should -BeLike 'Transfer.InvalidOperationException,*'
        $beside.Output[1] | Should -Be (Get-TransferServer other).Uri
        (Test-TransferServer).Uri | Should -Be $server.Uri -Because 'the server that another runspace has connected is not ours'
    }
}

Describe 'Streams' {
    BeforeAll {
        $server = Connect-Sftp -Name streams
        $folder = (New-Item "$local/streams/below" -ItemType Directory).Parent.FullName
        Set-Content "$folder/one.txt" one -NoNewline
        function Get-Said([scriptblock] $block, [type] $type) { & $block *>&1 | Where-Object { $_ -is $type } | ForEach-Object { "$_" } }
    }
    AfterAll { Get-TransferServer | Disconnect-TransferServer }

    It 'have nothing but output without a switch' {
        $said = @(Send-TransferFile $folder quiet/ *>&1)
        $said | Should -HaveCount 1
        $said[0].Files | Should -Be 1
    }

    It 'have the end of a job with -Verbose, and what goes on at a connection with -Debug' {
        Get-Said { Send-TransferFile $folder verbose/ -Verbose } ([System.Management.Automation.VerboseRecord]) |
            Where-Object { $_ -match ': 1 files, 3 bytes, 0 skipped, 0 failed' } | Should -HaveCount 1
        Get-Said { Send-TransferFile $folder verbose/ -Verbose -Overwrite Always } ([System.Management.Automation.DebugRecord]) |
            Should -BeNullOrEmpty
        Get-Said { Connect-Sftp -Name debugged -Debug } ([System.Management.Automation.DebugRecord]) | Should -Not -BeNullOrEmpty
    }

    It 'have a failure as an error, and not as a warning too: <_>' -ForEach @(
        { New-TransferFolder a-file/below }, { Get-TransferEntry a-file/* }, { Move-TransferEntry a-file a-file/b },
        { Receive-TransferFile not-there $folder }) {
        Set-TransferContent a-file x
        $ErrorActionPreference = 'Continue'
        $said = @(& $_ *>&1 | Where-Object { $_ -is [System.Management.Automation.ErrorRecord] -or $_ -is [System.Management.Automation.WarningRecord] })
        $said | Should -HaveCount 1
        $said[0] | Should -BeOfType ([System.Management.Automation.ErrorRecord])
    }

    It 'have what is left out as a warning, and not as an error' {
        $null = New-Item "$folder/below/back" -ItemType SymbolicLink -Target ..
        $said = Get-Said { Send-TransferFile $folder warned/ -Links Follow } ([System.Management.Automation.WarningRecord])
        $said | Should -HaveCount 1
        $said | Should -Match 'below/back leads back to a folder'
    }
}

Describe 'Libraries of the module' {
    It 'have a load context of their own' {
        $assemblies = [System.Runtime.Loader.AssemblyLoadContext]::All | Where-Object Name -eq Transfer | ForEach-Object { $_.Assemblies.GetName().Name }
        $assemblies | Should -Contain Transfer.Core
        [System.Runtime.Loader.AssemblyLoadContext]::Default.Assemblies.GetName().Name | Should -Not -Contain Transfer.Core
    }
}
