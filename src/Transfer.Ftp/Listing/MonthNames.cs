using System.Text;

namespace Transfer.Ftp.Listing;

/// <summary>
/// Month names as <c>ls</c> prints them in the languages of the world's servers. Names that two languages use for different months
/// are left out of the rarer one (Finnish <c>mar</c> for November).
/// </summary>
internal static class MonthNames
{
    private static readonly string[] Names =
    [
        /* 1 */ "jan january januar janv janvier ene enero gen gennaio janeiro januari jän "
            + "jänner tammi tam sty led янв января 1월 ian jaan oca січ ιαν",
        /* 2 */ "feb february februar fév févr février febrero febbraio fev fevereiro februari helmi "
            + "hel lut úno фев февр февраля 2월 febr veebr şub лют φεβ",
        /* 3 */ "mar march mär mrz märz mars marzo março mrt maart maa marts "
            + "maalis maaliskuu bře мар мрт март марта 3월 márc març märts бер μαρ",
        /* 4 */ "apr april avr avril abr abril aprile huhti huh kwi dub апр апреля 4월 ápr nis кві απρ",
        /* 5 */ "may mai mayo mag maggio maio mei maj touko tou kvě май мая 5월 máj maig maí тра μαΐ",
        /* 6 */ "jun june juni juin junio giu giugno junho kesä kes cze čen čer čvn июн июня 6월 jún iun juny juuni haz чер ιουν",
        /* 7 */ "jul july juli juil jui juillet julio lug luglio julho heinä hei lip čec čvc июл июля 7월 júl iul juuli tem лип ιουλ",
        /* 8 */ "aug august aoû août aout ago agosto augustus augusti elo sie srp авг августа 8월 aou ag avg ágú agt ağu сер αυγ",
        /* 9 */ "sep sept september septembre septiembre set settembre setembro syys syy wrz zář сен сент сентября 9월 szept eyl вер σεπ",
        /* 10 */ "oct october okt oktober octobre octubre ott ottobre out outubro loka lok paź říj окт октября 10월 eki жов οκτ",
        /* 11 */ "nov november novembre noviembre novembro marras lis ноя нояб ноября 11월 nóv kas лис νοε",
        /* 12 */ "dec december dez dezember déc décembre dic diciembre dicembre dezembro des "
            + "desember joulu jou gru pro дек декабря 12월 dets ara гру δεκ",
    ];

    private static readonly Dictionary<string, int>.AlternateLookup<ReadOnlySpan<char>> ByName =
        Build().GetAlternateLookup<ReadOnlySpan<char>>();

    /// <summary>Finds a month's number by the name, with or without a dot, or in the form <c>12月</c>.</summary>
    public static bool TryParse(ReadOnlySpan<char> field, out int month)
    {
        while (field.Length > 1 && field[^1] is '.' or ',') field = field[..^1];
        var number = ListDate.TrimSign(field);
        if (number.Length < field.Length) return ListNumber.TryParseSmall(number, out month) && month is >= 1 and <= 12;
        return ByName.TryGetValue(field, out month);
    }

    private static Dictionary<string, int> Build()
    {
        var months = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase);
        for (var i = 0; i < Names.Length; i++)
        {
            foreach (var name in Names[i].Split(' '))
            {
                months.Add(name, i + 1);
                if (Ascii.IsValid(name)) continue;
                // A Latin-1 server read as UTF-8 (see NameEncoding), and a UTF-8 server read as Latin-1.
                var latin1 = Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(name));
                months.TryAdd(latin1, i + 1);
                if (!name.AsSpan().ContainsAnyExceptInRange('\0', '\u00FF'))
                    months.TryAdd(NameEncoding.LosslessUtf8.GetString(Encoding.Latin1.GetBytes(name)), i + 1);
            }
        }

        return months;
    }
}
