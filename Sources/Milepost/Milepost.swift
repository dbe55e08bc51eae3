import CMilepost
public func milepostPlaceholder() {}
