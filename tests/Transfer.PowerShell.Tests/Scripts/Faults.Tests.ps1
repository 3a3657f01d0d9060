# What people do, and what went wrong with it.
BeforeDiscovery { $protocols = 'Ftp', 'Sftp' }
BeforeAll {
    . $PSScriptRoot/Common.ps1
    $names = '[a]', 'b[1-3].txt', 'c $x $(d).txt', 'e`f.txt', "g'h.txt", 'i "j".txt', ' k .txt', 'ü ß 語 😀.txt', '-l.txt',
        '#m;n&o.txt', '%20.txt', '{p}.txt', '~q.txt', '@r,s.txt'
}

Describe 'Names over <_>' -ForEach $protocols {
    BeforeAll {
        $server = & "Connect-$_" -Name $_
        $there = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value
        Push-Location -LiteralPath (New-Item "$local/[names] $_" -ItemType Directory)
        $null = New-Item given -ItemType Directory
        $names | ForEach-Object { [System.IO.File]::WriteAllText("$PWD/given/$_", "in $_") }
    }
    AfterAll {
        Pop-Location
        Disconnect-TransferServer $server
    }

    It 'are what they are, from pipelines and back' {
        (Get-ChildItem -LiteralPath given | Send-TransferFile -Destination 'odd [x] $y/').Files | Should -Be $names.Count
        (Get-TransferEntry -LiteralPath 'odd [x] $y').Name | Sort-Object | Should -Be ($names | Sort-Object)
        (Get-TransferEntry -LiteralPath 'odd [x] $y' | Receive-TransferFile -Destination './back [1]/').Files | Should -Be $names.Count
        foreach ($name in $names) { Get-Content -LiteralPath "back [1]/$name" -Raw | Should -Be "in $name" }
    }

    It 'are taken literally by every cmdlet' {
        New-TransferFolder literal | Out-Null
        foreach ($name in $names) {
            Send-TransferFile -LiteralPath "given/$name" -Destination "literal/$name" | Out-Null
            Test-TransferPath -LiteralPath "literal/$name" | Should -BeTrue
            (Get-TransferEntry -LiteralPath "literal/$name").Name | Should -Be $name
            Get-TransferContent -LiteralPath "literal/$name" -Raw | Should -Be "in $name"
            (Get-TransferFileHash -LiteralPath "literal/$name").Hash | Should -Be (Get-FileHash -LiteralPath "given/$name").Hash
            Set-TransferEntry -LiteralPath "literal/$name" -LastWriteTime '2020-02-03T04:05:06Z'
            Copy-TransferFile -LiteralPath "literal/$name" -Destination copied/ | Out-Null
            Test-TransferPath -LiteralPath "copied/$name" | Should -BeTrue
            Move-TransferEntry -LiteralPath "literal/$name" -Destination "literal/moved $name"
            Receive-TransferFile -LiteralPath "literal/moved $name" -Destination "./got-$name" | Out-Null
            Get-Content -LiteralPath "got-$name" -Raw | Should -Be "in $name"
            Remove-TransferEntry -LiteralPath "literal/moved $name"
        }
        Get-TransferEntry literal | Should -BeNullOrEmpty
        # By wildcards, with the characters of wildcards escaped.
        foreach ($name in $names) { (Get-TransferEntry "copied/$([wildcardpattern]::Escape($name))").Name | Should -Be $name }
    }

    It 'are copied, moved and deleted from a pipeline of entries' {
        (Get-TransferEntry copied | Copy-TransferFile -Destination again/).Files | Should -Be $names.Count
        New-TransferFolder moved | Out-Null
        Get-TransferEntry again | Move-TransferEntry -Destination moved/
        (Get-TransferEntry moved).Name | Sort-Object | Should -Be ($names | Sort-Object)
        Get-TransferEntry moved | Remove-TransferEntry
        Get-TransferEntry moved | Should -BeNullOrEmpty
        Get-TransferEntry copied | Get-TransferFileHash | Should -HaveCount $names.Count
        Get-TransferEntry copied | Get-TransferContent -Raw | Should -HaveCount $names.Count
        Get-TransferEntry copied | Test-TransferPath -PathType Leaf | Sort-Object -Unique | Should -Be $true
        Get-TransferEntry copied | Set-TransferEntry -LastWriteTime '2020-02-03T04:05:06Z'
        (Get-TransferEntry copied).Modified.Year | Sort-Object -Unique | Should -Be 2020
    }

    It 'start from the current location, and from that of the file system only' {
        Push-Location given
        Send-TransferFile -LiteralPath '[a]' -Destination here/ | Out-Null
        Test-TransferPath -LiteralPath 'here/[a]' | Should -BeTrue
        Receive-TransferFile -LiteralPath 'here/[a]' -Destination back | Out-Null
        Test-Path back | Should -BeTrue
        Pop-Location
        Push-Location Env:
        try {
            foreach ($block in { Receive-TransferFile -LiteralPath 'here/[a]' }, { Send-TransferFile PATH }, {
                Send-TransferFile -LiteralPath PATH }, { Sync-TransferFolder . here -Direction Down }, { Compare-TransferFolder . here },
                { New-TransferKey my.key }) {
                $errors = Get-Errors $block
                $errors | Should -HaveCount 1 -Because "$block"
                $errors[0].Exception.Message | Should -Match 'provider Environment'
            }
        } finally { Pop-Location }
    }

    It 'that none has are no error where they are looked for by pattern' {
        Test-TransferPath none/*.txt | Should -BeFalse
        Get-TransferEntry none/*.txt | Should -BeNullOrEmpty
        Test-TransferPath -LiteralPath none/x.txt | Should -BeFalse
        $errors = Get-Errors { Get-TransferEntry none }
        $errors | Should -HaveCount 1
    }
}

Describe 'Amounts over <_>' -ForEach $protocols {
    BeforeAll {
        $server = & "Connect-$_" -Name $_
        $there = (Get-Item "env:TRANSFER_$($_.ToUpperInvariant())_FOLDER").Value
        Push-Location (New-Item "$local/amounts-$_" -ItemType Directory)
    }
    AfterAll {
        Pop-Location
        Disconnect-TransferServer $server
    }

    It 'of empty folders are moved as they are' {
        New-Item hollow/a/b/c, hollow/d -ItemType Directory | Out-Null
        $sent = Send-TransferFile hollow up/
        $sent.Files | Should -Be 0
        $sent.Failed | Should -Be 0
        Test-Path "$there/up/hollow/a/b/c" | Should -BeTrue
        Receive-TransferFile up/hollow ./down/ | Out-Null
        Test-Path down/hollow/a/b/c | Should -BeTrue
        Get-TransferEntry up/hollow/d | Should -BeNullOrEmpty
        Set-Content empty.txt -Value $null
        (Send-TransferFile empty.txt up/).Files | Should -Be 1
        Get-TransferContent up/empty.txt | Should -BeNullOrEmpty
    }

    It 'of many folders in a pipeline are moved, a job each' {
        1..150 | ForEach-Object { $null = New-Item "folders/$_" -ItemType Directory;
            [System.IO.File]::WriteAllText("$PWD/folders/$_/in.txt", "$_") }
        $sent = Get-ChildItem folders | Send-TransferFile -Destination folders/
        $sent.Files | Should -Be 150
        Get-Content "$there/folders/77/in.txt" | Should -Be 77
    }

    It 'of thousands of files are sent, listed, fetched and deleted from pipelines' {
        $null = New-Item thousands -ItemType Directory
        1..2500 | ForEach-Object { [System.IO.File]::WriteAllText("$PWD/thousands/$_.txt", "content $_") }
        (Get-ChildItem thousands | Send-TransferFile -Destination thousands/ -PassThru | Where-Object { -not $_.Error }) |
            Should -HaveCount 2500
        Get-TransferEntry thousands | Should -HaveCount 2500
        (Get-TransferEntry thousands | Receive-TransferFile -Destination ./fetched/).Files | Should -Be 2500
        Get-Content fetched/1234.txt | Should -Be 'content 1234'
        Get-TransferEntry thousands | Remove-TransferEntry
        Get-TransferEntry thousands | Should -BeNullOrEmpty
    }

    It 'of files that are gone are an error each, and the others are deleted' {
        New-TransferFolder gone | Out-Null
        'one', 'two', 'three' | ForEach-Object { $_ | Set-TransferContent "gone/$_.txt" }
        $entries = Get-TransferEntry gone
        Remove-Item "$there/gone/two.txt"
        $errors = Get-Errors { $entries | Remove-TransferEntry }
        $errors | Should -HaveCount 1
        $errors[0].FullyQualifiedErrorId | Should -BeLike 'Transfer.NotFound,*'
        $errors[0].TargetObject | Should -Match 'two.txt'
        Get-TransferEntry gone | Should -BeNullOrEmpty
        $errors = Get-Errors { $entries | Receive-TransferFile -Destination ./gone/ }
        $errors | Should -HaveCount 3
        $errors.CategoryInfo.Category | Sort-Object -Unique | Should -Be ObjectNotFound
    }
}
