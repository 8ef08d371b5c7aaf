import { networkInterfaces } from 'node:os';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import type { EgressDialer } from '../../src/prober/dial/egress-dialer.ts';
import { dialOver } from '../support/dial-over.ts';
import { makeDialer, oddProxy } from './peers.ts';
import { startTcp } from './servers.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
	list?.some(({ address }) => address === '::1'),
);
/** A name with an address of each family, of which nobody listens at the first. */
vi.mock(import('node:dns/promises'), async (original) => {
	const system = await original();
	const lookup = (name: string, options: object) =>
		name === 'both.test'
			? Promise.resolve([
					{ address: '127.0.9.9', family: 4 },
					{ address: '::1', family: 6 },
				])
			: system.lookup(name, options);
	return { ...system, lookup: lookup as typeof system.lookup };
});

async function serve(
	behaviour: (socket: Socket) => void,
	host?: Parameters<typeof startTcp>[1],
): Promise<number> {
	const server = await startTcp(behaviour, host);
	onTestFinished(() => server.close());
	return server.port;
}

const dialer = (egress: string, smtpPort: number, controls: readonly string[] = []): EgressDialer =>
	makeDialer(egress, { SMTP_PORT: smtpPort, PROBER_CONTROL: [...controls] });

const US = 'probe.mailsonar.test verify@probe.mailsonar.test';

async function summary(dialled: ReturnType<typeof dialOver>): Promise<string> {
	const outcome = await dialled;
	if (outcome.kind === 'no_connection') return `${outcome.why} by ${outcome.egress}`;
	const read = await outcome.connection.read(5_000);
	void outcome.connection.close();
	const said = read.kind === 'bytes' ? Buffer.from(read.bytes).toString().trim() : read.kind;
	const { heloName, mailFrom } = outcome.identity;
	return `${said} by ${outcome.egress} as ${heloName} ${mailFrom}`;
}

describe('a direct way out', () => {
	const at = (address: string): { domain: string; address: string } => ({ domain: 'x.test', address });

	test('leads to the mail server, under the name configured', async () => {
		const port = await serve((socket) => socket.write('220 mx.test\r\n'));
		expect(await summary(dialOver(dialer('direct', port), at('127.0.0.1'), 5_000))).toBe(
			`220 mx.test by direct as ${US}`,
		);
	});

	test('each source address is a way out of its own, and the server sees it', async () => {
		const port = await serve((socket) => socket.write(`220 ${socket.remoteAddress}\r\n`));
		const two = dialer('direct://127.0.0.2?helo=v2.test&from=v@v2.test', port);
		expect(await summary(dialOver(two, at('127.0.0.1'), 5_000))).toBe(
			'220 127.0.0.2 by direct://127.0.0.2 as v2.test v@v2.test',
		);
	});

	test('a source address that this machine has not is our fault, and the next way out takes over', async () => {
		const port = await serve((socket) => socket.write('220 hello\r\n'));
		const broken = dialer('direct://192.0.2.1', port);
		await expect(dialOver(broken, at('127.0.0.1'), 5_000)).rejects.toThrow(ServiceError);
		const two = dialer('direct://192.0.2.1 direct', port);
		expect(await summary(dialOver(two, at('127.0.0.1'), 5_000))).toBe(`220 hello by direct as ${US}`);
	});

	test.skipIf(!hasIpv6)('a host with an IPv6 address alone is reached (skipped without ::1)', async () => {
		const port = await serve((socket) => socket.write('220 six\r\n'), '::1');
		expect(await summary(dialOver(dialer('direct', port), at('::1'), 5_000))).toBe(
			`220 six by direct as ${US}`,
		);
		// A source of the other family can't reach it, which is no fact about the host: the one that can is asked.
		expect(await summary(dialOver(dialer('direct://127.0.0.2', port), at('::1'), 5_000))).toBe(
			'egress_cannot_reach by direct://127.0.0.2',
		);
		const both = dialer('direct://127.0.0.2 direct://[::1]', port);
		expect(await summary(dialOver(both, at('::1'), 5_000))).toBe(`220 six by direct://[::1] as ${US}`);
	});
});

describe('a way out by which nobody is reached', () => {
	const CONTROL = '127.0.1.1';
	/** Hosts at which nobody listens: a connection is refused. */
	const dead = (count: number): string[] => Array.from({ length: count }, (_, n) => `127.0.2.${n + 1}`);
	const dialAll = async (by: EgressDialer, addresses: readonly string[]): Promise<string[]> => {
		const said: string[] = [];
		for (const address of addresses)
			said.push(
				await summary(dialOver(by, { domain: 'x.test', address }, 5_000)).catch((error: unknown) =>
					error instanceof ServiceError ? error.code : 'a bug',
				),
			);
		return said;
	};
	const theirs = (count: number): string[] => Array.from({ length: count }, () => 'refused by direct');
	const ours = (count: number): string[] => Array.from({ length: count }, () => 'upstream_unavailable');

	test('is out where the control is not reached either: the sixth failure is ours, and all that follow', async () => {
		const gone = await startTcp(() => {});
		await gone.close();
		const { port } = gone;
		expect(await dialAll(dialer('direct', port, [CONTROL]), dead(8))).toEqual([...theirs(5), ...ours(3)]);
	});

	test('is in order where a control is reached: a list of dead hosts costs it one connection in ten seconds', async () => {
		let controlled = 0;
		const port = await serve((socket) => {
			controlled += 1;
			socket.end();
		}, CONTROL);
		const by = dialer('direct', port, ['127.0.1.2', CONTROL]);
		expect(await dialAll(by, dead(40))).toEqual(theirs(40));
		expect(controlled).toBe(1);
		// Nor does it with a host that lives among them: here the control itself, dialled three times.
		await dialAll(by, [...dead(6), CONTROL, ...dead(6), CONTROL, ...dead(6), CONTROL, ...dead(6)]);
		expect(controlled).toBe(1 + 3);
	});

	test('is in order where one of a few hosts is asked again and again: that is one dead host', async () => {
		const port = await serve(() => {}, '127.0.3.1');
		expect(await dialAll(dialer('direct', port, [CONTROL]), [...dead(5), ...dead(5)])).toEqual(theirs(10));
	});

	test('leads somewhere as soon as a host is reached, whatever the control showed', async () => {
		const port = await serve((socket) => socket.write('220 hello\r\n'), '127.0.3.1');
		const by = dialer('direct', port, [CONTROL]);
		const said = await dialAll(by, [...dead(7), '127.0.3.1', ...dead(5)]);
		expect(said.slice(5)).toEqual([...ours(2), `220 hello by direct as ${US}`, ...theirs(5)]);
	});

	test('is left for the next one', async () => {
		const port = await serve((socket) => socket.write('220 hello\r\n'), '127.0.3.1');
		// It takes every question, and reaches nobody: the address's last number is its code (RFC 1928 §6: general failure).
		const proxy = oddProxy('answersByAddress');
		const by = dialer(`${proxy} direct`, port, ['127.0.3.1']);
		expect(await dialAll(by, ['127.0.3.1'])).toEqual([`220 hello by direct as ${US}`]);
		const alone = dialer(proxy, port, ['127.0.3.1']);
		// A proxy that can't say why is doubted at once.
		expect(await dialAll(alone, ['127.0.3.1'])).toEqual(['upstream_unavailable']);
	});

	test.skipIf(!hasIpv6)(
		'is in order where the control is reached by IPv6 alone (skipped without ::1)',
		async () => {
			const port = await serve((socket) => socket.end(), '::1');
			expect(await dialAll(dialer('direct', port, ['both.test']), dead(7))).toEqual(theirs(7));
		},
	);

	test('is not blamed where the system cannot tell where the control is', async () => {
		const port = await serve(() => {}, '127.0.3.1');
		expect(await dialAll(dialer('direct', port, ['control.invalid']), dead(7))).toEqual(theirs(7));
	});
});
