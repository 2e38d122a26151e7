@testable import Palettes

/// Tables of a spreadsheet, a design program or an editor, which are read.
extension FileShape {
    static let tables: [FileShape] = [
        .init("names and hexadecimal", "name,hex\nSky,#3FA7D6\nInk,#102030\n", .rgb(["Sky #3FA7D6", "Ink #102030"])),
        .init("line breaks of Windows", "name,hex\r\nSky,#3FA7D6\r\n", .rgb(["Sky #3FA7D6"])),
        .init(
            "line breaks of old Macintoshes", "name,hex\rSky,#3FA7D6\rInk,#102030",
            .rgb(["Sky #3FA7D6", "Ink #102030"])),
        .init("no line break at the end", "Sky,#3FA7D6", .rgb(["Sky #3FA7D6"])),
        .init("UTF-8 with a mark", .utf8Mark("Name,Hex\r\nGrün,#00AA00\r\n"), .rgb(["Grün #00AA00"])),
        .init("UTF-8 without a mark", "Name,Hex\nGrün 🌿,#00AA00\n", .rgb(["Grün 🌿 #00AA00"])),
        .init(
            "Unicode text of Excel: UTF-16, little-endian, with tabs",
            .utf16LittleEndian("Name\tR\tG\tB\r\nGrün\t0\t170\t0\r\n"), .rgb(["Grün #00AA00"])),
        .init("UTF-16, big-endian", .utf16BigEndian("Name,Hex\nGrün 🌿,#00AA00\n"), .rgb(["Grün 🌿 #00AA00"])),
        .init(
            "Latin-1, with semicolons", .latin1("Farbe;L*;a*;b*\r\nGrün;50,5;-10,25;+20\r\n"),
            .lab(["Grün 50.5 -10.25 20.0"]), guessedLine: 2),
        .init(
            "Windows-1252: a euro sign, quotation marks and a dash",
            Array("name,hex\nSky,#3FA7D6\n".utf8) + [0x80, 0x20, 0x93, 0x41, 0x94, 0x20, 0x96]
                + Array(",#102030\n".utf8), .rgb(["Sky #3FA7D6", "€ “A” – #102030"]), guessedLine: 3),
        .init("tabs", "name\tred\tgreen\tblue\nSky\t63\t167\t214\n", .rgb(["Sky #3FA7D6"])),
        .init("tabs and decimal commas", "Leaf\t43,5\t-12,25\t22\n", .lab(["Leaf 43.5 -12.25 22.0"])),
        .init("semicolons and decimal commas", "Leaf;43,5;-12,25;22\n", .lab(["Leaf 43.5 -12.25 22.0"])),
        .init("a decimal comma in quotation marks", "Leaf,\"43,5\",\"-12,25\",22\n", .lab(["Leaf 43.5 -12.25 22.0"])),
        .init(
            "all cells in quotation marks", "\"name\",\"hex\"\n\"a \"\"b\"\", c\",\"#3FA7D6\"\n",
            .rgb(["a \"b\", c #3FA7D6"])),
        .init(
            "decimals below R, G and B", "name,R,G,B\nA,80.5,30.2,40.1\nB,60.25,61.5,62\n",
            .rgb(["A #511E28", "B #3C3E3E"])),
        .init("whole numbers below L, a and b", "Name,LAB_L,LAB_A,LAB_B\nA,50,10,20\n", .lab(["A 50.0 10.0 20.0"])),
        .init(
            "plus signs without a header", "A,50,+10,+20\nB,60,+5,+7\n", .lab(["A 50.0 10.0 20.0", "B 60.0 5.0 7.0"])),
        .init("the minus sign of typesetters", "A,50,\u{2212}10,20\n", .lab(["A 50.0 -10.0 20.0"])),
        .init("whole numbers without a header", "A,50,10,20\n", .rgb(["A #320A14"])),
        .init("a header in capitals", "NAME;R;G;B\nSky;63;167;214\n", .rgb(["Sky #3FA7D6"])),
        .init(
            "a header with the colour space", "Id,Name,sRGB R,sRGB G,sRGB B\n7,Sky,63,167,214\n", .rgb(["Sky #3FA7D6"])),
        .init("a header in CIE's words", "Sample,CIE L*,CIE a*,CIE b*\nA,50,10,20\n", .lab(["A 50.0 10.0 20.0"])),
        .init(
            "several models, of which the measured one counts",
            "Code,Colour name,Hex,R,G,B,L*,a*,b*\n7,Sky,#3FA7D6,63,167,214,64.5,-11,-35\n",
            .lab(["Sky 64.5 -11.0 -35.0"])),
        .init("a header with digits", "Name,R (0-255),G (0-255),B (0-255)\nSky,63,167,214\n", .rgb(["Sky #3FA7D6"])),
        .init("a colour that is called Hex", "Hex,#3FA7D6\n", .rgb(["Hex #3FA7D6"])),
        .init("R, G and B without a name", "R,G,B\n63,167,214\n", .rgb(["#3FA7D6 #3FA7D6"])),
        .init("the separator in the first line", "sep=;\r\nname;hex\r\nSky;3FA7D6\r\n", .rgb(["Sky #3FA7D6"])),
        .init(
            "empty rows and cells of a spreadsheet", "name;R;G;B;\n;;;;\nSky;63;167;214;\n\n;;;;\n",
            .rgb(["Sky #3FA7D6"])),
        .init("the colour before the name", "#3FA7D6,Sky\n", .rgb(["Sky #3FA7D6"])),
        .init("a semicolon in a name", "\"Sky; light\",#3FA7D6\n", .rgb(["Sky; light #3FA7D6"])),
        .init("a comma in a name", "Sky, light;63;167;214\n", .rgb(["Sky, light #3FA7D6"])),
        .init("two columns with titles of their own", "Ton;Wert\nHimmel;#3FA7D6\n", .rgb(["Himmel #3FA7D6"])),
        .init(
            "a column of notes", "hex,name,note\n#3FA7D6,Sky,matt\n#102030,Ink,\n",
            .rgb(["Sky #3FA7D6", "Ink #102030"])),
        .init("a list of codes", "#3FA7D6\n#102030\n", .rgb(["#3FA7D6 #3FA7D6", "#102030 #102030"])),
        .init(
            "a list of codes without #, and with blank lines", "3fa7d6\r\n\r\n102030\r\n",
            .rgb(["#3FA7D6 #3FA7D6", "#102030 #102030"])),
        .init("a list of codes with a title and a mark", .utf8Mark("Hex\n#3FA7D6\n"), .rgb(["#3FA7D6 #3FA7D6"])),
        .init(
            "a name with joiners", "name,hex\nآبی\u{200C}ها,#3FA7D6\n👩\u{200D}🎨,#102030\n",
            .rgb(["آبی\u{200C}ها #3FA7D6", "👩\u{200D}🎨 #102030"])),
    ]
}

/// Tables that contradict themselves, or that say too little.
extension FileShape {
    private static let unknownHeader = "line 1: no columns are called R, G and B, or L, a and b, side by side, or hex"

    private static let unknownFormat =
        "it is neither a GIMP palette, Adobe Swatch Exchange, Adobe Color, CxF3, nor CGATS.17 or comma-separated values"

    static let badTables: [FileShape] = [
        .init(
            "R above 255", "name,R,G,B\nA,1,2,3\nB,256,0,0\n",
            .refused("line 3: expected R, G and B of 0...255, as line 1 names the columns")),
        .init(
            "Lab below R, G and B", "name;R;G;B\nA;50,5;-10;3\n",
            .refused("line 2: expected R, G and B of 0...255, as line 1 names the columns")),
        .init(
            "R, G and B below L, a and b", "name,L,a,b\nA,255,10,20\n",
            .refused("line 2: expected L* of 0...110, and a* and b* of -200...200, as line 1 names the columns")),
        .init(
            "numbers below a title of codes", "name,hex\nA,255\n",
            .refused("line 2: expected a colour such as #3FA7D6, as line 1 names the columns")),
        .init(
            "a code with alpha", "name,hex\nA,#3FA7D680\n",
            .refused("line 2: expected a colour such as #3FA7D6, as line 1 names the columns")),
        .init(
            "shares of 1", "name,R,G,B\nA,0.5,0.25,1\nB,0,0,0\n",
            .refused("line 1: all numbers of R, G and B are within 0...1; multiply them by 255")),
        .init("X, Y and Z", "name,X,Y,Z\nA,20,21,22\n", .refused(unknownHeader)),
        .init("hue, saturation and lightness", "name;H;S;L\nA;200;50;60\n", .refused(unknownHeader)),
        .init("inks", "name,C,M,Y,K\nA,10,20,30,0\n", .refused(unknownHeader)),
        .init(
            "a row that is too short", "name,R,G,B\nA,1,2\n", .refused("line 2: expected 4 cells, as in line 1, not 3")),
        .init(
            "a decimal comma between commas", "name,L,a,b\nA,50,5,10,20\n",
            .refused("line 2: expected 4 cells, as in line 1, not 5")),
        .init(
            "L, a and b for two lights", "name,L,a,b,L,a,b\nA,50,1,2,51,1,2\n",
            .refused("line 1: two columns are called L")),
        .init(
            "Latin-1 below the mark of UTF-8", [0xEF, 0xBB, 0xBF] + .latin1("name,hex\nGrün,#00AA00\n"),
            .refused("line 2: the file begins as UTF-8, but this line is in another encoding")),
        .init(
            "UTF-16 with half a unit", .utf16LittleEndian("A,#00AA00") + [0x0A],
            .refused("it begins as UTF-16, but not all of it is; save it as UTF-8")),
        .init(
            "UTF-16 with half a pair", .utf16BigEndian("A,#00AA00") + [0xD8, 0x00],
            .refused("it begins as UTF-16, but not all of it is; save it as UTF-8")),
        .init(
            "UTF-16 without a mark", Array([UInt8].utf16LittleEndian("A,#00AA00").dropFirst(2)), .refused(unknownFormat)
        ),
        .init(
            "Shift JIS", Array("name,hex\n".utf8) + [0x90, 0xC2, 0x81, 0x45] + Array(",#0000FF\n".utf8),
            .refused("line 2: the byte 0x90 is neither UTF-8 nor Windows-1252; save the file as UTF-8")),
        .init(
            "a quotation mark for inches", "name,hex\nA 5\",#3FA7D6\n",
            .refused("line 2: a quotation mark is out of place")),
        .init(
            "words for colours", "name,hex\nA,red\n",
            .refused("line 2: expected a colour such as #3FA7D6, as line 1 names the columns")),
    ]
}
