/// The command line of fleet-engine-emulator.
public struct Arguments: Sendable, Equatable {
    public struct Misuse: Error {
        public var reason: String
    }

    public enum Task: Sendable { case run, help, version }

    public var task = Task.run
    public var options = EmulatorOptions()
    /// Gets the port's number once it is open.
    public var portFile: String?
    public var isQuiet = false
    /// Whether to end when standard input does.
    public var watchesInput = false

    public init(_ arguments: [String]) throws(Misuse) {
        var rest = arguments[...]
        var tls = TLSOptions(folder: "")
        while let option = rest.popFirst() {
            switch option {
            case "--port": options.port = try Self.number(option, &rest, 0...65_535)
            case "--port-file": portFile = try Self.value(option, &rest)
            case "--provider": options.provider = try Self.id(option, &rest)
            case "--vehicle": options.vehicles.append(try Self.id(option, &rest))
            case "--delivery-vehicle": options.deliveryVehicles.append(try Self.id(option, &rest))
            case "--auto-create": options.autoCreate = true
            case "--token-life": options.tokenLife = try Self.number(option, &rest, 1...Tokens.longestLife)
            case "--requests-per-minute": options.limits.requestsPerMinute = try Self.number(option, &rest, 0...1_000_000_000)
            case "--resource-requests-per-minute":
                options.limits.resourceRequestsPerMinute = try Self.number(option, &rest, 0...1_000_000_000)
            case "--tls": tls.folder = try Self.value(option, &rest)
            case "--tls-port": tls.port = try Self.number(option, &rest, 0...65_535)
            case "--require-client-certificate": tls.requiresClientCertificate = true
            case "--certificate-flaw":
                let value = try Self.value(option, &rest)
                guard let flaw = TLSOptions.Flaw(rawValue: value) else {
                    throw Misuse(reason: "\(option) \"\(value)\": neither expired nor wrong-name")
                }
                tls.flaw = flaw
            case "--history": options.historyPerPath = try Self.number(option, &rest, 0...50_000)
            case "--stdin": watchesInput = true
            case "--quiet": isQuiet = true
            case "--help", "-h": task = .help
            case "--version": task = .version
            default: throw Misuse(reason: "unknown option \(option)")
            }
        }
        if !tls.folder.isEmpty {
            options.tls = tls
        } else if tls != TLSOptions(folder: "") {
            throw Misuse(reason: "the options for TLS need --tls")
        }
    }

    private static func value(_ option: String, _ rest: inout ArraySlice<String>) throws(Misuse) -> String {
        guard let value = rest.popFirst() else { throw Misuse(reason: "\(option) needs a value") }
        return value
    }

    private static func id(_ option: String, _ rest: inout ArraySlice<String>) throws(Misuse) -> String {
        let value = try value(option, &rest)
        if let problem = ResourceKey.problem(with: value) { throw Misuse(reason: "\(option) \"\(value)\": \(problem)") }
        return value
    }

    private static func number<Number: FixedWidthInteger & Sendable>(
        _ option: String, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Number>
    ) throws(Misuse) -> Number {
        let value = try value(option, &rest)
        guard let number = Number(value), range.contains(number) else {
            throw Misuse(reason: "\(option) \"\(value)\": not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    public static let version = "fleet-engine-emulator 0.1.0"

    public static let help = """
        Usage: fleet-engine-emulator [OPTION]...
        A strict stand-in for Google Fleet Engine on 127.0.0.1, for demonstrations and tests.

          --port N               listen there; 0, the default, takes a free port
          --port-file FILE       write the port's number to FILE once it is open
          --provider ID          the only provider it knows; default demo-provider
          --vehicle ID           create this on-demand vehicle at start; may be repeated
          --delivery-vehicle ID  create this delivery vehicle at start; may be repeated
          --auto-create          create other vehicles when they are first asked for
          --token-life S         seconds for which its tokens are good, 1 to 3600, the default
          --requests-per-minute N, --resource-requests-per-minute N
                                 refuse more of the whole, or of one vehicle, with RESOURCE_EXHAUSTED
          --tls DIR              listen with TLS, too: "tls https://127.0.0.1:PORT" is the second line; a CA, a certificate for the server
                                 and one for a client are made in DIR (ca.pem, client.pem, client-key.pem)
          --tls-port N           there; 0, the default, takes a free port
          --require-client-certificate
                                 with TLS, talk only to those who have a certificate of that CA
          --certificate-flaw F   the server's certificate is expired or has the wrong-name
          --history N            keep the newest N requests of each path and count the rest; 0 keeps none
          --stdin                end when standard input does
          --quiet                no line a request on standard error
          --help, --version

        The first line on standard output is "listening http://127.0.0.1:PORT". It runs until SIGTERM or SIGINT and exits 0;
        1: it could not start; 2: wrong usage.

        \(Emulator.endpoints)
        """
}
