# Against OpenSSH's sshd, with real keys and known_hosts: Transfer.ServerTests starts it.
BeforeDiscovery {
    $examples = & $PSScriptRoot/../AllExamples.ps1 | Where-Object { $_.Code -match 'Invoke-TransferCommand|-Jump ' }
}
BeforeAll {
    . $PSScriptRoot/../Common.ps1
    $uri = $env:TRANSFER_SSHD
    $there = $env:TRANSFER_SSHD_FOLDER
    $login = [pscredential]::new('tester', (ConvertTo-SecureString $env:TRANSFER_SSHD_PASSWORD -AsPlainText -Force))
    $secret = ConvertTo-SecureString 'six words at random' -AsPlainText -Force
    $known = $env:TRANSFER_SSHD_KNOWN_HOSTS
    $env:XDG_STATE_HOME = "$local/states"
    Push-Location $local
    New-Item tree/below, tree/empty -ItemType Directory -Force | Out-Null
    1..30 | ForEach-Object { Set-Content "tree/file$_.csv" "content $_" }
    Set-Content -LiteralPath 'tree/below/odd [1] $x ü.txt' odd

    function Connect-Sshd { Connect-TransferServer $uri -IdentityFile $env:TRANSFER_SSHD_KEY -KnownHostsFile $known @args }
}
AfterAll { Pop-Location }

Describe 'The log-in at sshd' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'works with a key, at a host that known_hosts has' {
        $server = Connect-TransferServer $uri -IdentityFile $env:TRANSFER_SSHD_KEY -KnownHostsFile $known
        $server.Software | Should -Match OpenSSH
        (Test-TransferServer).Software | Should -Match OpenSSH
        (Get-TransferServer).Name | Should -Be localhost
    }

    It 'works with an encrypted key and its passphrase, and not with another' {
        Copy-Item $env:TRANSFER_SSHD_KEY locked
        & $env:TRANSFER_SSHD_KEYGEN -q -p -P '' -N 'six words at random' -f locked
        Connect-TransferServer $uri -IdentityFile locked -Passphrase $secret -KnownHostsFile $known | Should -Not -BeNullOrEmpty
        $errors = Get-Errors { Connect-TransferServer $uri -IdentityFile locked -Passphrase $login.Password -KnownHostsFile $known }
        $errors[0].CategoryInfo.Category | Should -Be AuthenticationError
    }

    It 'works with a password' {
        Connect-TransferServer $uri -Credential $login -KnownHostsFile $known -MaxSessions 2 -IdleTimeout 0:0:30 |
            Should -Not -BeNullOrEmpty
    }

    It 'works with what ssh_config says' {
        $before, $env:HOME = $env:HOME, (New-Item home/.ssh -ItemType Directory).Parent.FullName
        try {
            $lines = 'Host partner', ' HostName localhost', " Port $(([uri] $uri).Port)", ' User tester', " IdentityFile $env:TRANSFER_SSHD_KEY"
            Set-Content home/.ssh/config ($lines + " UserKnownHostsFile $known")
            (Connect-TransferServer sftp://partner/ -UseSshConfig).Software | Should -Match OpenSSH
        } finally { $env:HOME = $before }
    }

    It 'is refused at a host that is not known, unless it is accepted, and is remembered then' {
        $own = Join-Path $local known_hosts
        $errors = Get-Errors { Connect-TransferServer $uri -IdentityFile $env:TRANSFER_SSHD_KEY -KnownHostsFile $own }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.HostKey,*'
        $errors[0].Exception.Message | Should -Match 'SHA256:'
        Connect-TransferServer $uri -IdentityFile $env:TRANSFER_SSHD_KEY -KnownHostsFile $own -AcceptNewHostKey |
            Should -Not -BeNullOrEmpty
        Get-Content $own | Should -Not -BeNullOrEmpty
        Connect-TransferServer $uri -IdentityFile $env:TRANSFER_SSHD_KEY -KnownHostsFile $own | Should -Not -BeNullOrEmpty
    }

    It 'is refused where the host has another key than known_hosts says, also where new ones are accepted' {
        $port = ([uri] $uri).Port
        Set-Content other_hosts "[localhost]:$port $(Get-Content "$env:TRANSFER_SSHD_STRANGER.pub")"
        foreach ($accept in $true, $false) {
            $other = @{ IdentityFile = $env:TRANSFER_SSHD_KEY; KnownHostsFile = 'other_hosts' }
            (Get-Errors { Connect-TransferServer $uri @other -AcceptNewHostKey:$accept })[0].CategoryInfo.Category | Should -Be SecurityError
        }
        Get-Content other_hosts | Should -HaveCount 1
    }

    It 'takes the pin of the host key, and no other' {
        $pins = $env:TRANSFER_SSHD_HOST_KEYS -split ';' | ForEach-Object { (& $env:TRANSFER_SSHD_KEYGEN -l -f "$_.pub" |
            Out-String) -replace '(?s).*(SHA256:\S+).*', '$1' }
        Connect-TransferServer $uri -IdentityFile $env:TRANSFER_SSHD_KEY -Pin $pins | Should -Not -BeNullOrEmpty
        $other = (& $env:TRANSFER_SSHD_KEYGEN -l -f "$env:TRANSFER_SSHD_STRANGER.pub" | Out-String) -replace '(?s).*(SHA256:\S+).*', '$1'
        (Get-Errors { Connect-TransferServer $uri -IdentityFile $env:TRANSFER_SSHD_KEY -Pin $other })[0].CategoryInfo.Category |
            Should -Be SecurityError
    }

    It 'is refused with a key that the server does not know' {
        $errors = Get-Errors { Connect-TransferServer $uri -IdentityFile $env:TRANSFER_SSHD_STRANGER -KnownHostsFile $known }
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Auth,*'
        $errors[0].CategoryInfo.Category | Should -Be AuthenticationError
        Get-TransferServer | Should -BeNullOrEmpty
    }
}

Describe 'Cmdlets at sshd' {
    BeforeAll { $server = Connect-Sshd -Name sshd }
    AfterAll { Get-TransferServer | Disconnect-TransferServer }

    It 'send and receive what pipelines give them' {
        $sent = Get-ChildItem tree/*.csv | Send-TransferFile -Destination in/
        $sent.Files | Should -Be 30
        $sent.Failed | Should -Be 0
        Get-Content "$there/in/file7.csv" | Should -Be 'content 7'
        (Get-TransferEntry in -Filter *.csv | Receive-TransferFile -Destination ./back/).Files | Should -Be 30
        Get-Content back/file7.csv | Should -Be 'content 7'
        $errors = Get-Errors { Get-ChildItem tree/file1.csv, tree/file2.csv | Send-TransferFile -Destination in/ }
        $errors | Should -HaveCount 2
        $errors.CategoryInfo.Category | Sort-Object -Unique | Should -Be ResourceExists
    }

    It 'send and receive folders with all that is in them' {
        (Send-TransferFile tree up/).Files | Should -Be 31
        Test-Path "$there/up/tree/empty" | Should -BeTrue
        Test-Path -LiteralPath "$there/up/tree/below/odd [1] `$x ü.txt" | Should -BeTrue
        (Receive-TransferFile up/tree -Destination ./down/).Files | Should -Be 31
        Get-Content -LiteralPath 'down/tree/below/odd [1] $x ü.txt' | Should -Be odd
    }

    It 'make folders alike' {
        (Sync-TransferFolder tree mirror -Direction Up).Files | Should -Be 31
        (Sync-TransferFolder tree mirror -Direction Up).Files | Should -Be 0
        Set-Content "$there/mirror/extra.txt" extra
        (Compare-TransferFolder tree mirror | Where-Object Action -eq Delete).Path | Should -Be extra.txt
        (Sync-TransferFolder tree mirror -Direction Up -Delete -Confirm:$false).Deleted | Should -Be 1
        (Sync-TransferFolder mirrored mirror -Direction Down -Compare Hash).Files | Should -Be 31
    }

    It 'follow a folder' {
        $fetched = Watch-TransferFolder watched mirror -Direction Down -Settle 0 | Select-Object -First 31
        $fetched.Path | Sort-Object -Unique | Should -HaveCount 31
    }

    It 'copy within it' {
        (Copy-TransferFile mirror/*.csv copied/).Files | Should -Be 30
        Get-Content "$there/copied/file7.csv" | Should -Be 'content 7'
    }

    It 'make, list, find, set, move and delete' {
        New-TransferFolder work/a | Out-Null
        'x' | Set-TransferContent work/x.txt
        Get-TransferContent work/x.txt | Should -Be x
        Test-TransferPath work/x.txt -PathType Leaf | Should -BeTrue
        $time = [datetimeoffset] '2020-02-03T04:05:06Z'
        Set-TransferEntry work/x.txt -LastWriteTime $time -Mode 640
        $entry = Get-TransferEntry work/x.txt
        $entry.Modified | Should -Be $time
        [int] $entry.Mode | Should -Be 416
        Move-TransferEntry work/x.txt work/a/
        (Get-Errors { Remove-TransferEntry work })[0].CategoryInfo.Category | Should -Be PermissionDenied
        (Get-Errors { Get-TransferEntry work/x.txt })[0].CategoryInfo.Category | Should -Be ObjectNotFound
        Remove-TransferEntry work -Recurse -Confirm:$false
        Test-Path "$there/work" | Should -BeFalse
    }

    It 'hash as Get-FileHash does' {
        Send-TransferFile tree/file1.csv hashed.csv | Out-Null
        (Get-TransferFileHash hashed.csv).Hash | Should -Be (Get-FileHash tree/file1.csv).Hash
    }

    It 'read the keys of the host, and run its commands' {
        (Get-TransferHostKey localhost -Port ([uri] $uri).Port).Type | Should -Contain ssh-ed25519
        $said = Invoke-TransferCommand 'printf "one\ntwo\n"'
        $said | Should -Be one, two
        $said | ForEach-Object { $_.GetType().FullName } | Sort-Object -Unique |
            Should -Be (Get-Command Invoke-TransferCommand).OutputType.Name
    }

    It 'say what the server does not let them do' {
        (Get-Errors { 'x' | Set-TransferContent /etc/transfer-test })[0].CategoryInfo.Category | Should -Be PermissionDenied
        (Get-Errors { Send-TransferFile tree/file1.csv /etc/ })[0].CategoryInfo.Category | Should -Be PermissionDenied
    }

    It 'leave batches and fetch them' {
        (Send-TransferBatch tree spool -To ann -Passphrase $secret).Files | Should -Be 31
        (Receive-TransferBatch spool fetched -As ann -Passphrase $secret).Files | Should -Be 31
        Get-Content fetched/file7.csv | Should -Be 'content 7'
        Get-ChildItem "$there/spool" -Recurse -File | Should -BeNullOrEmpty
    }
}

Describe 'A drive at sshd' {
    AfterEach { Get-PSDrive -PSProvider Transfer | Remove-PSDrive }

    It 'works with <Name>' -ForEach @(
        @{ Name = 'a key and known_hosts'; How = { @{ IdentityFile = $env:TRANSFER_SSHD_KEY; KnownHostsFile = $known } } }
        @{ Name = 'an encrypted key and its passphrase'; How = {
            Copy-Item $env:TRANSFER_SSHD_KEY drive_key
            $null = & $env:TRANSFER_SSHD_KEYGEN -q -p -P '' -N 'six words at random' -f drive_key
            @{
                IdentityFile = 'drive_key'; Passphrase = $secret; KnownHostsFile = $known
                MaxSessions = 2; IdleTimeout = [timespan] '0:0:30'
            } } }
        @{ Name = 'a password'; How = { @{ Credential = $login; KnownHostsFile = $known } } }
        @{ Name = 'a jump host'; How = {
            @{ IdentityFile = $env:TRANSFER_SSHD_KEY; KnownHostsFile = $known; Jump = "tester@localhost:$(([uri] $uri).Port)" } } }
        @{ Name = 'a proxy'; How = { @{ IdentityFile = $env:TRANSFER_SSHD_KEY; KnownHostsFile = $known; Proxy = $env:TRANSFER_PROXY } } }
        @{ Name = 'a server that is connected'; How = { @{ Server = Connect-Sshd -Name forDrive } } }
    ) {
        $parameters = & $How
        $root = $parameters.Server ? '' : $uri
        New-PSDrive there -PSProvider Transfer -Root $root @parameters | Out-Null
        Set-Content there:/drive.txt content
        Get-Content "$there/drive.txt" | Should -Be content
        New-Item there:/driven -ItemType Directory | Out-Null
        Move-Item there:/drive.txt there:/driven/
        (Get-ChildItem there:/driven).Name | Should -Be drive.txt
        Copy-Item there:/driven/drive.txt there:/driven/copy.txt
        Rename-Item there:/driven/copy.txt renamed.txt
        Get-Content there:/driven/renamed.txt | Should -Be content
        Remove-Item there:/driven -Recurse
        Test-Path there:/driven | Should -BeFalse
        Get-TransferServer | Where-Object Name -EQ forDrive | Disconnect-TransferServer
    }

    It 'works with what ssh_config says' {
        $before, $env:HOME = $env:HOME, (New-Item drive-home/.ssh -ItemType Directory).Parent.FullName
        try {
            $lines = 'Host partner', ' HostName localhost', " Port $(([uri] $uri).Port)", ' User tester'
            Set-Content drive-home/.ssh/config ($lines + " IdentityFile $env:TRANSFER_SSHD_KEY" + " UserKnownHostsFile $known")
            New-PSDrive there -PSProvider Transfer -Root sftp://partner/ -UseSshConfig | Out-Null
            Test-Path there:/ | Should -BeTrue
        } finally { $env:HOME = $before }
    }
}

Describe 'Commands at sshd' {
    BeforeAll { $server = Connect-Sshd -Name commands }
    AfterAll { Get-TransferServer | Disconnect-TransferServer }

    It 'write their output by line, and leave their status' {
        $lines = Invoke-TransferCommand 'printf "one\ntwo three\r\n\nlast"'
        $lines | Should -Be 'one', 'two three', '', 'last'
        $LASTEXITCODE | Should -Be 0
        Invoke-TransferCommand true | Should -BeNullOrEmpty
        Invoke-TransferCommand 'printf "gr\374n"' -Encoding latin1 | Should -Be grün
        (Invoke-TransferCommand 'seq 100000').Count | Should -Be 100000
    }

    It 'say on the error stream what they say there, and fail by their status' {
        $warnings = $null
        Invoke-TransferCommand 'echo one; echo beware >&2' -WarningVariable warnings -WarningAction SilentlyContinue | Should -Be one
        "$warnings" | Should -Be beware
        $errors = Get-Errors { Invoke-TransferCommand 'echo "no such thing" >&2; exit 3' }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.Unknown,*'
        $errors[0].TargetObject | Should -BeLike '*exit 3'
        $errors[0].Exception.ServerCode | Should -Be 3
        $errors[0].Exception.Message | Should -Match 'status 3: no such thing'
        $LASTEXITCODE | Should -Be 3
    }

    It 'end where no more of them is wanted' {
        $process = Invoke-TransferCommand 'echo $$; while true; do sleep 600; done' | Select-Object -First 1
        Wait-Until { -not (Get-Process -Id $process -ErrorAction Ignore) }
        Invoke-TransferCommand 'echo one' | Should -Be one
    }

    It 'end where they are stopped' {
        $beside = Start-Beside { param($server) Invoke-TransferCommand 'echo $$; while true; do sleep 600; done' -Server $server } $server
        Wait-Until { $beside.Output.Count -gt 0 -or $beside.Running.IsCompleted }
        $process = $beside.Output[0]
        $beside.Shell.Stop()
        Wait-Until { -not (Get-Process -Id $process -ErrorAction Ignore) }
        $beside.Shell.Dispose()
    }
}

Describe 'Ways to sshd' {
    AfterEach { Get-TransferServer | Disconnect-TransferServer }

    It 'lead through a jump host, which is here the same one' {
        $jump = "tester@localhost:$(([uri] $uri).Port)"
        Connect-Sshd -Jump $jump | Out-Null
        'x' | Set-TransferContent jumped.txt
        Get-Content "$there/jumped.txt" | Should -Be x
    }

    It 'need no log-in for the keys of a host' {
        $address = [uri] $uri
        $keys = Get-TransferHostKey $address.Host -Port $address.Port
        $keys.Count | Should -Be ($env:TRANSFER_SSHD_HOST_KEYS -split ';').Count
        $fingerprints = $env:TRANSFER_SSHD_HOST_KEYS -split ';' | ForEach-Object {
            (& $env:TRANSFER_SSHD_KEYGEN -l -f "$_.pub" | Out-String) -replace '(?s).*(SHA256:\S+).*', '$1'
        }
        $keys.Fingerprint | Sort-Object | Should -Be ($fingerprints | Sort-Object)
        $keys | Connect-TransferServer $uri -IdentityFile $env:TRANSFER_SSHD_KEY | Should -Not -BeNullOrEmpty
    }

    It 'lead through a SOCKS proxy' {
        $port = ([uri] $env:TRANSFER_PROXY).Port
        $server = Connect-Sshd -Proxy $env:TRANSFER_PROXY
        [System.Net.NetworkInformation.IPGlobalProperties]::GetIPGlobalProperties().GetActiveTcpConnections() |
            Where-Object { $_.State -eq 'Established' -and $_.RemoteEndPoint.Port -eq $port } | Should -Not -BeNullOrEmpty
        (Get-ChildItem tree/*.csv | Send-TransferFile -Destination proxied/).Files | Should -Be 30
        Get-Content "$there/proxied/file7.csv" | Should -Be 'content 7'
        $address = [uri] $uri
        $keys = Get-TransferHostKey $address.Host -Port $address.Port -Proxy $env:TRANSFER_PROXY
        $keys.Count | Should -Be ($env:TRANSFER_SSHD_HOST_KEYS -split ';').Count
    }
}

Describe 'Options of jobs at sshd' {
    BeforeAll { $server = Connect-Sshd -Name options }
    AfterAll { Get-TransferServer | Disconnect-TransferServer }

    It '-Resume goes on where a command was broken off: <Name>' -ForEach @(
        @{ Name = 'Send-'; Stands = 'resumed/tree/file7.csv'; Command = { Send-TransferFile tree resumed/ -Resume } }
        @{ Name = 'Receive-'; Stands = './resumed/tree/file7.csv'; Command = { Receive-TransferFile resumed/tree ./resumed/ -Resume } }
        @{ Name = 'Copy-'; Stands = 'recopied/tree/file7.csv'; Command = { Copy-TransferFile resumed/tree recopied/ -Resume } }
    ) {
        # One file cannot be moved, since another has its name.
        $path = $Stands[0] -eq '.' ? $Stands : "$there/$Stands"
        if ($path -eq $Stands) { New-Item $path -ItemType File -Value other -Force | Out-Null }
        else {
            # The server's user makes the folder, and not that of the test.
            New-TransferFolder (Split-Path $Stands) | Out-Null
            'other' | Set-TransferContent $Stands
        }
        (Get-Errors $Command)[0].CategoryInfo.Category | Should -Be ResourceExists
        Remove-Item $path -Force
        $again = & $Command
        $again.Failed, $again.Files | Should -Be 0, 1
        Get-Content $path | Should -Be 'content 7'
    }

    It '-Links leaves links out, follows them, or makes them' {
        New-Item linked/below -ItemType Directory | Out-Null
        Set-Content linked/below/file.txt content
        New-Item linked/link.txt -ItemType SymbolicLink -Target below/file.txt | Out-Null
        (Send-TransferFile linked left/).Files | Should -Be 1
        (Send-TransferFile linked followed/ -Links Follow).Files | Should -Be 2
        (Get-Item "$there/followed/linked/link.txt").LinkType | Should -BeNullOrEmpty
        Send-TransferFile linked made/ -Links Copy | Out-Null
        (Get-Item "$there/made/linked/link.txt").LinkTarget | Should -Be below/file.txt
        Receive-TransferFile made/linked ./unlinked/ -Links Copy | Out-Null
        (Get-Item unlinked/linked/link.txt).LinkTarget | Should -Be below/file.txt
        Copy-TransferFile made/linked relinked/ -Links Copy | Out-Null
        (Get-Item "$there/relinked/linked/link.txt").LinkTarget | Should -Be below/file.txt
    }
}

Describe '<Page>, example <Number>' -ForEach $examples {
    BeforeAll {
        # A user's home here, and at the server the folder in which commands run.
        $before, $homeBefore = $env:HOME, (Get-PSProvider FileSystem).Home
        $env:HOME = (Get-PSProvider FileSystem).Home = (New-Item user/.ssh -ItemType Directory -Force).Parent.FullName
        Copy-Item $env:TRANSFER_SSHD_KEY user/.ssh/id_ed25519
        Copy-Item $known user/.ssh/known_hosts
        $server = Connect-Sshd
        $work = Invoke-TransferCommand 'mkdir -p www; pwd'
        Disconnect-TransferServer $server
        Set-Content "$work/journal" (1..20)
        tar -czf site.tar.gz tree
        Copy-Item site.tar.gz $work
        $atHome = [uri]::new([uri] $uri, "$work/")
        Connect-TransferServer $atHome -IdentityFile $env:TRANSFER_SSHD_KEY -KnownHostsFile $known | Out-Null
    }
    AfterAll {
        Get-TransferServer | Disconnect-TransferServer
        $env:HOME, (Get-PSProvider FileSystem).Home = $before, $homeBefore
    }

    It 'runs' {
        $code = $Code -replace 'sync@\w+\.example\.com', "tester@localhost:$(([uri] $uri).Port)" -replace '/srv/www', "$work/www" -replace
            '/srv', $work -replace 'journalctl -f', "tail -n 20 -f $work/journal"
        $said = & ([scriptblock]::Create($code))
        switch -Regex ($code) {
            '-Jump' { $said.Software | Should -Match OpenSSH }
            'df -h' { $said | Should -HaveCount 2 }
            '-First' { $said | Should -Be (1..10) }
            'tar -C' { Get-Content "$work/www/tree/file7.csv" | Should -Be 'content 7' }
            "'tar -x" { Get-Content "$work/tree/file7.csv" | Should -Be 'content 7' }
            default { throw "There is no check of $code" }
        }
    }
}
