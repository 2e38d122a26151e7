import Foundation

extension Reading { func json() -> Data { (try? JSONEncoder().encode(self)) ?? Data() } }
