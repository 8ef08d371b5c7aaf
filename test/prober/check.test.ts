import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { runCheck } from '../../tools/check-prober.ts';
import { ConfigError } from '../../src/variables.ts';
import { makeCounters } from '../sandbox/counters.ts';
import { openListener } from '../sandbox/listener.ts';
import { startPlainDnsServer } from '../sandbox/dns-server.ts';
import { startMailServer, startSandbox } from '../sandbox/world.ts';
import type { ZoneEntry } from '../sandbox/zone-lookup.ts';

// What the command says on a machine: real sockets, and the sandbox's name and mail servers.

const SEEN_AS = '93.184.216.34';
const REVERSED = '34.216.184.93';
const BLOCK_LISTS = ['zen.spamhaus.org', 'b.barracudacentral.org', 'bl.spamcop.net', 'psbl.surriel.com'];
const GOOD: Readonly<Record<string, ZoneEntry>> = {
	[`${REVERSED}.in-addr.arpa`]: { ptr: ['probe.us.test'] },
	'probe.us.test': { a: [SEEN_AS], txt: [`v=spf1 ip4:${SEEN_AS} -all`] },
	'us.test': { txt: [`v=spf1 ip4:${SEEN_AS} -all`] },
	// Each list answers, and has others on it.
	...Object.fromEntries(BLOCK_LISTS.map((list) => [`2.0.0.127.${list}`, { a: ['127.0.0.2'] }])),
};

const PAGE =
	'<p>We never send mail.</p><a href="/impressum">Impressum</a> <a href="mailto:ada@us.test">write</a>';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((one) => one.close()));
});

async function startSite(html: string, offBySeconds = 0): Promise<string> {
	const server = createServer((_, response) => {
		response.setHeader('date', new Date(Date.now() - offBySeconds * 1000).toUTCString());
		response.end(html);
	});
	const listener = await openListener(server);
	open.push(listener);
	return `http://127.0.0.1:${listener.port}/`;
}

/** What is particular about a machine. */
interface Machine {
	readonly env?: object;
	readonly clock?: string;
	readonly page?: string;
}

const pageOf = async (html: string): Promise<Machine> => ({ page: await startSite(html) });

/** A mail host that lets no stranger in, as T-Online does. */
async function startRefusal(): Promise<Machine> {
	const refuse = '554 IP=93.184.216.34 - (NOWL)\r\n';
	const listener = await openListener(createTcpServer((socket) => socket.end(refuse)));
	open.push(listener);
	return { env: { SMTP_PORT: String(listener.port) } };
}

async function check(
	zone: Readonly<Record<string, ZoneEntry>>,
	{ env = {}, clock, page }: Machine = {},
): Promise<{ code: number; said: string; lineOf: (what: string) => string }> {
	const mailHost = await startMailServer();
	const dns = await startPlainDnsServer(new Map(Object.entries(zone)), makeCounters().dns, 0);
	open.push(mailHost, dns);
	const printed: string[] = [];
	const code = await runCheck(
		[
			...['--mx', '127.0.0.1', '--dns', `127.0.0.1:${dns.port}`, '--seen-as', SEEN_AS],
			...['--clock', clock ?? (await startSite('')), '--page', page ?? (await startSite(PAGE))],
		],
		{
			PROBER_TOKEN: 't'.repeat(32),
			SMTP_PORT: String(mailHost.port),
			HELO_NAME: 'probe.us.test',
			MAIL_FROM: 'verify@us.test',
			...env,
		},
		(text) => printed.push(text),
	);
	const said = printed.join('\n');
	return { code, said, lineOf: (what) => said.split('\n').find((line) => line.includes(what)) ?? '' };
}

describe('the check of a machine', () => {
	test('that is well prepared finds nothing wrong', async () => {
		const { code, said, lineOf } = await check(GOOD);
		expect(said).not.toContain('WRONG');
		expect(code).toBe(0);
		for (const what of [
			'source address',
			'PTR = HELO',
			'SPF of us.test',
			'port 25',
			'imprint',
			'clock',
			...BLOCK_LISTS,
		])
			expect(lineOf(what), what).toMatch(/^ +ok /);
		expect(lineOf('port 25')).toContain('220 mx.sandbox.test ESMTP');
	});

	const ptr = (...names: string[]) => ({ [`${REVERSED}.in-addr.arpa`]: { ptr: names } });
	const helo = (entry: ZoneEntry) => ({ 'probe.us.test': entry });
	const spf = (...txt: string[]) => ({ 'us.test': { txt } });
	const on = (list: string, address: string) => ({ [`${REVERSED}.${list}`]: { a: [address] } });
	const [PTR, SPF, HELO_SPF] = ['PTR = HELO', 'SPF of us.test', 'SPF of probe.us.test'];
	const [ZEN, SPAMCOP] = ['zen.spamhaus.org', 'bl.spamcop.net'];
	const everybody = { '1.0.0.127.bl.spamcop.net': { a: ['127.0.0.2'] }, ...on(SPAMCOP, '127.0.0.2') };

	test.each<[string, Readonly<Record<string, ZoneEntry>>, string, RegExp]>([
		['no PTR', ptr(), PTR, /WRONG .*Have the hoster set/],
		['a PTR that leads elsewhere', helo({ a: ['192.0.2.1'] }), PTR, /WRONG .*Add an address record/],
		['an SPF record without it', spf('v=spf1 -all'), SPF, /WRONG .*v=spf1 ip4:93\.184\.216\.34 -all/],
		['a place on a block list', on(SPAMCOP, '127.0.0.2'), SPAMCOP, /WRONG .*have it taken off/],
		['the hoster’s name', ptr('static.hoster.test'), PTR, /WRONG .*static\.hoster\.test/],
		['its network in SPF', spf('other', 'v=spf1 include:x.test ip4:93.184.216.0/24 -all'), SPF, / ok .*pass/],
		[
			'an SPF record that leads elsewhere',
			spf('v=spf1 ip4:93.184.217.0/24 include:x.test -all'),
			SPF,
			/ \? .*include:x\.test is not followed/,
		],
		['two SPF records', spf('v=spf1 +all', 'v=spf1 -all'), SPF, /WRONG .*more than one record/],
		['no SPF record', spf(), SPF, / mind .*none/],
		['a HELO name without an SPF record', helo({ a: [SEEN_AS] }), HELO_SPF, / mind .*none/],
		['a list that does not answer its resolver', on(ZEN, '127.255.255.254'), ZEN, / \? /],
		// RFC 5782 §5
		['a closed list that knows nobody', { '2.0.0.127.bl.spamcop.net': {} }, SPAMCOP, / \? .*test entries/],
		['a list that has everybody on it', everybody, SPAMCOP, / \? .*test entries/],
		['silent name servers', { 'us.test': { fault: 'servfail' } }, SPF, / \? /],
	])('with %s says so, and what to do', async (_, changes, what, line) => {
		const { code, lineOf } = await check({ ...GOOD, ...changes });
		expect(lineOf(what)).toMatch(line);
		expect(code).toBe(lineOf(what).includes('WRONG') ? 1 : 0);
	});

	const noProxy = { SMTP_EGRESS: 'socks5://127.0.0.1:1' };
	const noContact = '<a href="/imprint">Imprint</a>';
	test.each<[string, () => Machine | Promise<Machine>, string, RegExp]>([
		[
			'whose port 25 is closed',
			() => ({ env: { SMTP_PORT: '1' } }),
			'port 25',
			/WRONG .*127\.0\.0\.1: refused/,
		],
		['whose proxy is away', () => ({ env: noProxy }), 'port 25', /WRONG .*No outgoing connection/],
		['that is turned away', startRefusal, 'port 25', /WRONG .*554 IP=.*NOWL.*ask its postmaster/],
		[
			'whose clock is off',
			() => startSite('', 600).then((clock) => ({ clock })),
			'clock',
			/WRONG .*(?:599|600|601)\.\d s off/,
		],
		[
			'without a page',
			() => ({ page: 'http://127.0.0.1:1/' }),
			'imprint',
			/ mind .*does not answer.*T-Online/,
		],
		[
			'whose page has no imprint',
			() => pageOf('<p>Nginx works.</p>'),
			'imprint',
			/ mind .*no imprint and no contact/,
		],
		['whose imprint has no contact', () => pageOf(noContact), 'imprint', / mind .*no contact/],
	])('%s says so, and the rest all the same', async (_, prepare, what, line) => {
		const { code, lineOf } = await check(GOOD, await prepare());
		expect([code, lineOf(what)]).toEqual([what === 'imprint' ? 0 : 1, expect.stringMatching(line)]);
		for (const other of ['clock', 'imprint']) if (other !== what) expect(lineOf(other)).toMatch(/^ +ok /);
	});

	test('looks at each of its ways out, with the identity of each', async () => {
		const sandbox = await startSandbox();
		open.push(sandbox);
		const { code, said, lineOf } = await check(
			{ ...GOOD, 'other.test': {} },
			{
				env: {
					SMTP_EGRESS: `direct, direct://127.0.0.1?helo=two.us.test&from=x@other.test, ${sandbox.socksUrl}`,
				},
			},
		);
		expect(code).toBe(1);
		expect(said).toMatch(/^direct, 127\.0\.0\.1$/m);
		expect(said).toMatch(/^direct:\/\/127\.0\.0\.1$/m);
		expect(said).toContain('set HELO_NAME to the PTR');
		expect(lineOf('SPF of other.test')).toMatch(/^ +mind .*none/);
		// The proxy's own: nobody but who runs it can say.
		expect(said).toContain('Ask the operator of the proxy');
		const { password } = new URL(sandbox.socksUrl);
		expect(said).not.toContain(password);
	});
});

test.each([[['--what']], [['--seen-as', 'here']], [['--mx']]])(
	'words that are not understood (%s) end with the usage',
	async (words) => {
		const printed: string[] = [];
		expect(await runCheck(words, {}, (text) => printed.push(text))).toBe(2);
		expect(printed.join('\n')).toContain('Usage:');
	},
);

test('an environment in which the prober would not start is not looked at', async () => {
	await expect(runCheck([], { PROBER_TOKEN: 'short' }, () => {})).rejects.toThrow(ConfigError);
});
