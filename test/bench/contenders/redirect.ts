import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import type { LookupFunction } from 'node:net';
import { LOOPBACK } from '../../sandbox/listener.ts';

// How programs that know nothing of our world are led into it: DNS questions go to its server, names of mail hosts are
// looked up there too instead of by the system, and port 25 is the port of its mail server. Nothing else of this
// process is touched. It must happen before a peer dials, not before it is loaded.

const SMTP_PORT = 25;

/** Where the world is that all of them are measured in. */
export interface WorldPorts {
	/** DNS over UDP, for those who ask it. */
	readonly plainDnsPort: number;
	/** Where everybody ends who dials port 25. */
	readonly smtpPort: number;
}

/** As `getaddrinfo` would: one question for the address, with its delay. */
const lookUp: LookupFunction = (hostname, options, done) => {
	dns.resolve4(hostname, (error, addresses) => {
		const [address = ''] = addresses ?? [];
		if (error !== null) done(error, '');
		else if (options.all === true) done(null, [{ address, family: 4 }]);
		else done(null, address, 4);
	});
};

/** Redirects DNS and port 25 of this whole process. */
export function leadIntoWorld({ plainDnsPort, smtpPort }: WorldPorts): void {
	dns.setServers([`${LOOPBACK}:${plainDnsPort}`]);
	// It makes new functions, which whoever imports them by name should get.
	syncBuiltinESMExports();
	// oxlint-disable-next-line typescript/unbound-method -- called with its socket below
	const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;
	Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
		// `net.connect` hands over its arguments as a list that begins with the options.
		const options: unknown = Array.isArray(args[0]) ? args[0][0] : args[0];
		if (isPort25(options)) Object.assign(options, { port: smtpPort, lookup: lookUp });
		return connect.apply(this, args);
	};
}

function isPort25(options: unknown): options is { port: number } {
	return typeof options === 'object' && options !== null && 'port' in options && options.port === SMTP_PORT;
}
