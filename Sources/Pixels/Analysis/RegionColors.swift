/// The colours that are read from a region of one picture.
public struct RegionColors: Sendable {
    /// The sums from which the mean is taken.
    public var sums: PictureSums
    /// The sums of light: those of every pixel if these are averaged, otherwise those of the grid from which statistics
    /// are taken, because adding up the light of every pixel takes many times as long as adding up code values.
    public var light: PictureSums
    /// The distribution of the colours; nil unless it was asked for.
    public var statistics: RegionStatistics?
}
