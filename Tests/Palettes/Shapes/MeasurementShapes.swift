/// Measurements by CGATS.17 as the programs of instruments write them, which are read.
extension FileShape {
    /// Returns a table with two rows of Lab.
    private static func table(_ header: String, sets: String = "2") -> String {
        "CGATS.17\nORIGINATOR \"x\"\n\(header)\nNUMBER_OF_FIELDS 4\nBEGIN_DATA_FORMAT\nSAMPLE_ID LAB_L LAB_A LAB_B\n"
            + "END_DATA_FORMAT\nNUMBER_OF_SETS \(sets)\nBEGIN_DATA\nA1 50.00 10.00 -20.00\nA2 60.5 -5 5\nEND_DATA\n"
    }

    private static let read = Expectation.lab(["A1 50.0 10.0 -20.0", "A2 60.5 -5.0 5.0"])

    static let measurements: [FileShape] = [
        .init(
            "X-Rite: the light declared by KEYWORD before its value",
            table(
                "KEYWORD\t\"ILLUMINATION_NAME\"\nILLUMINATION_NAME\t\"D50\"\nKEYWORD\t\"OBSERVER_ANGLE\"\nOBSERVER_ANGLE\t\"2\""
            ), read),
        .init("KEYWORD without quotation marks", table("KEYWORD ILLUMINATION_NAME\nILLUMINATION_NAME D50"), read),
        .init(
            "KEYWORD and no value",
            table("KEYWORD \"WEIGHTING_FUNCTION\"\nKEYWORD \"OBSERVER_ANGLE\"\nKEYWORD \"DEVICE_CLASS\""), read),
        .init(
            "weighting functions",
            table("WEIGHTING_FUNCTION \"ILLUMINANT, D50\"\nWEIGHTING_FUNCTION \"OBSERVER, 2 degree\""), read),
        .init(
            "an observer with other numbers", table("WEIGHTING_FUNCTION \"OBSERVER, CIE 1931, 2 degree, 10 nm\""), read),
        .init("an observer by its year", table("OBSERVER \"CIE 1931\""), read),
        .init("an angle with its sign", table("OBSERVER_ANGLE \"2°\""), read),
        .init("an angle with decimals and no quotation marks", table("OBSERVER_ANGLE 2.0 degree"), read),
        .init(
            "a light and an observer that are not stated", table("ILLUMINATION_NAME \"\"\nOBSERVER_ANGLE \"unknown\""),
            read),
        .init(
            "the text of a light in a description",
            table("DESCRIPTOR \"ILLUMINATION_NAME D65\"\nDESCRIPTOR \"OBSERVER_ANGLE\""), read),
        .init(
            "ProfileMaker, in Latin-1",
            .latin1(
                "ECI2002\r\nORIGINATOR\t\"x\"\r\nMEASUREMENT_SOURCE\t\"Illumination=D50\tObserverAngle=2°\tWhiteBase=Abs\tFilter=No\"\r\n"
                    + "ILLUMINATION_NAME\t\"D50\"\r\nOBSERVER_ANGLE\t\"2\"\r\nNUMBER_OF_FIELDS 4\r\nBEGIN_DATA_FORMAT\r\n"
                    + "SAMPLE_ID LAB_L LAB_A LAB_B\r\nEND_DATA_FORMAT\r\nNUMBER_OF_SETS 1\r\nBEGIN_DATA\r\n"
                    + "Grün 50.00 10.00 -20.00\r\nEND_DATA\r\n"), .lab(["Grün 50.0 10.0 -20.0"]), guessedLine: 3),
        .init(
            "i1Profiler: tabs, R, G and B beside Lab, and quoted names with spaces",
            "CGATS.17\nORIGINATOR\t\"i1Profiler - X-Rite, Inc.\"\nNUMBER_OF_FIELDS\t8\nBEGIN_DATA_FORMAT\n"
                + "SAMPLE_ID\tSAMPLE_NAME\tRGB_R\tRGB_G\tRGB_B\tLAB_L\tLAB_A\tLAB_B\nEND_DATA_FORMAT\nNUMBER_OF_SETS\t2\n"
                + "BEGIN_DATA\n1\t\"Dark skin\"\t115.00\t82.00\t68.00\t37.99\t13.56\t14.06\n2\t\"\"\t0\t0\t0\t0\t0\t0\nEND_DATA\n",
            .lab(["Dark skin 37.99 13.56 14.06", "#000000 0.0 0.0 0.0"])),
        .init(
            "i1Profiler: a condition of measurement",
            table("MEASUREMENT_SOURCE\t\"MeasurementCondition=M0\tFilter=no\""), read),
        .init(
            "Argyll's .ti3: XYZ, places, and a second table",
            "CTI3   \n\nDESCRIPTOR \"Argyll Calibration Target chart information 3\"\nORIGINATOR \"Argyll target\"\n"
                + "KEYWORD \"DEVICE_CLASS\"\nDEVICE_CLASS \"INPUT\"\nKEYWORD \"COLOR_REP\"\nCOLOR_REP \"XYZ_RGB\"\n\n"
                + "KEYWORD \"SAMPLE_LOC\"\nNUMBER_OF_FIELDS 8\nBEGIN_DATA_FORMAT\n"
                + "SAMPLE_ID SAMPLE_LOC XYZ_X XYZ_Y XYZ_Z RGB_R RGB_G RGB_B \nEND_DATA_FORMAT\n\nNUMBER_OF_SETS 1\nBEGIN_DATA\n"
                + "1 \"GS0\" 96.4296 100.00 82.5105 99.1 98.2 97.3 \nEND_DATA\nCAL    \n\nNUMBER_OF_FIELDS 1\nBEGIN_DATA_FORMAT\n"
                + "RGB_I \nEND_DATA_FORMAT\n\nNUMBER_OF_SETS 0\nBEGIN_DATA\nEND_DATA\n", .lab(["GS0 100.0 0.0 0.0"])),
        .init(
            "the reference of a target for scanners (IT8.7/2)",
            "IT8.7/2\nORIGINATOR \"x\"\nSERIAL \"1\"   # of the chart\nNUMBER_OF_FIELDS 8\nBEGIN_DATA_FORMAT\n"
                + "SAMPLE_ID XYZ_X XYZ_Y XYZ_Z LAB_L LAB_A LAB_B MEAN_DE\nEND_DATA_FORMAT\nNUMBER_OF_SETS 1\nBEGIN_DATA\n"
                + "A1 3.05 2.61 1.71 18.42 10.11 3.71 0.21\nEND_DATA\n", .lab(["A1 18.42 10.11 3.71"])),
        .init("decimal commas", table("").replacing("50.00 10.00 -20.00", with: "50,00 10,00 -20,00"), read),
        .init("UTF-16", .utf16LittleEndian(table("")), read),
        .init("line breaks of old Macintoshes", table("").replacing("\n", with: "\r"), read),
        .init("fields in lower case", table("").replacing("LAB_L LAB_A LAB_B", with: "lab_l lab_a lab_b"), read),
    ]

    static let badMeasurements: [FileShape] = [
        .init(
            "D65 declared by KEYWORD before its value",
            table("KEYWORD \"ILLUMINATION_NAME\"\nILLUMINATION_NAME \"D65\""),
            .refused("line 4: its colours are for D65, not for D50 and 2°")),
        .init(
            "another light as a weighting function", table("WEIGHTING_FUNCTION \"ILLUMINANT, F11\""),
            .refused("line 3: its colours are for ILLUMINANT, F11, not for D50 and 2°")),
        .init(
            "another light without quotation marks", table("WEIGHTING_FUNCTION ILLUMINANT, D65"),
            .refused("line 3: its colours are for ILLUMINANT, D65, not for D50 and 2°")),
        .init(
            "the observer of 10°", table("WEIGHTING_FUNCTION \"OBSERVER, CIE 1964, 10 degree\""),
            .refused("line 3: its colours are for OBSERVER, CIE 1964, 10 DEGREE, not for D50 and 2°")),
        .init(
            "an angle of 10 with its sign", table("OBSERVER_ANGLE \"10°\""),
            .refused("line 3: its colours are for 10°, not for D50 and 2°")),
        .init(
            "the observer of 1964", table("OBSERVER \"CIE 1964\""),
            .refused("line 3: its colours are for CIE 1964, not for D50 and 2°")),
        .init(
            "ProfileMaker with D65", table("MEASUREMENT_SOURCE \"Illumination=D65\tObserverAngle=2\""),
            .refused("line 3: its colours are for ILLUMINATION=D65, not for D50 and 2°")),
        .init(
            "ProfileMaker with 10°", table("MEASUREMENT_SOURCE \"Illumination=D50\tObserverAngle=10°\""),
            .refused("line 3: its colours are for OBSERVERANGLE=10°, not for D50 and 2°")),
        .init(
            "a display", table("DEVICE_CLASS \"DISPLAY\""),
            .refused("line 3: its colours are for DISPLAY, not for D50 and 2°")),
        .init(
            "fewer rows than stated", table("", sets: "24"),
            .refused("line 8: NUMBER_OF_SETS is 24, but the table has 2")),
        .init(
            "other fields than stated", table("").replacing("FIELDS 4", with: "FIELDS 5"),
            .refused("line 4: NUMBER_OF_FIELDS is 5, but the table has 4")),
        .init(
            "only R, G and B", table("").replacing("LAB_L LAB_A LAB_B", with: "RGB_R RGB_G RGB_B"),
            .refused("line 5: the table has neither Lab nor XYZ: a field LAB_L or XYZ_X is missing")),
        .init(
            "a name with a space but no quotation marks", table("").replacing("A1 ", with: "A 1 "),
            .refused("line 12: the data are not whole rows of 4 values")),
        .init(
            "a lightness out of range", table("").replacing("60.5", with: "605"),
            .refused("line 11: expected three numbers of a colour in Lab")),
    ]
}
