package import Untrusted

/// A rectangle of the picture in fractions of its width and height, so that it means the same at every size.
public struct Region: Equatable, Sendable {
    /// The left edge, 0...1.
    public var x: Double
    /// The top edge, 0...1.
    public var y: Double
    /// The width, above 0 and at most 1 - `x`.
    public var width: Double
    /// The height, above 0 and at most 1 - `y`.
    public var height: Double

    /// The whole picture.
    public static let full = Region(x: 0, y: 0, width: 1, height: 1)

    /// Creates a region from the given values, unchecked.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Returns the pixels that the region covers in a picture of a given size. Edges are rounded to the nearest pixel;
    /// the result has at least one pixel and lies inside the picture.
    public func pixels(width pictureWidth: Int, height pictureHeight: Int) -> PixelRect {
        let (left, right) = Self.span(from: x, length: width, in: pictureWidth)
        let (top, bottom) = Self.span(from: y, length: height, in: pictureHeight)
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func span(from start: Double, length: Double, in size: Int) -> (Int, Int) {
        let size = max(size, 1)
        let first = min(max(edge(start, size), 0), size - 1)
        let last = min(max(edge(start + length, size), first + 1), size)
        return (first, last)
    }

    private static func edge(_ fraction: Double, _ size: Int) -> Int {
        // Fractions come from people: a number that is not finite counts as the left or top edge.
        guard fraction.isFinite else { return 0 }
        return Int((min(max(fraction, 0), 1) * Double(size)).rounded())
    }
}

/// The shape of an area.
public enum Shape: String, CaseIterable, Sendable {
    /// The whole region.
    case rectangle
    /// The ellipse that is inscribed in the region.
    case ellipse
}

/// A part of the picture that is measured.
public struct Area: Equatable, Sendable {
    /// The rectangle that contains it.
    public var region: Region
    /// The pixels of the rectangle that belong to it.
    public var shape: Shape

    /// Creates an area, which is the whole region unless it has another shape.
    public init(_ region: Region, shape: Shape = .rectangle) { (self.region, self.shape) = (region, shape) }
}

/// A rectangle in whole pixels.
public struct PixelRect: Equatable, Sendable {
    /// The left edge, in pixels.
    public var x: Int
    /// The top edge, in pixels.
    public var y: Int
    /// The width, in pixels.
    public var width: Int
    /// The height, in pixels.
    public var height: Int
}

/// A named region that is measured beside the region of the reading.
package struct Probe: Equatable, Sendable {
    /// The maximum number of probes: the wells of a plate.
    package static let maxCount = 96

    package let name: Name
    /// The part of the picture as people see it: rotated and mirrored.
    package let region: Region
    /// The pixels of the region that are measured.
    package let shape: Shape
    /// Whether the probe is on a patch that stays in view, so that its changes are those of the light.
    package let isReference: Bool
    /// Whether the probe is on a light, which is read from every frame.
    package let isLight: Bool
    /// The names of the targets that its colour is compared with; nil for all.
    package var targets: [Name]?

    package init(
        name: Name, region: Region, shape: Shape = .rectangle, isReference: Bool = false, isLight: Bool = false,
        targets: [Name]? = nil
    ) {
        (self.name, self.region, self.shape) = (name, region, shape)
        (self.isReference, self.isLight, self.targets) = (isReference, isLight, targets)
    }

    package var area: Area { Area(region, shape: shape) }

    /// The probe after a target has got another name, perhaps that of one that it replaces.
    package func renamingTarget(_ old: Name, to new: Name) -> Probe {
        guard let targets, targets.contains(old) else { return self }
        var probe = self
        probe.targets = targets.filter { $0 != new || old == new }.map { $0 == old ? new : $0 }
        return probe
    }
}
