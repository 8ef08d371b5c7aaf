import { describe, expect, test } from 'vitest';
import {
	canonicalEmail,
	displayNameOf,
	findMailOperator,
	operatorWords,
	OPERATORS,
	speaksForOf,
	wordOf,
} from '../../../src/core/mail-operators/operators.ts';
import { GATEWAYS } from '../../../src/core/mail-operators/gateways.ts';
import { HOSTING } from '../../../src/core/mail-operators/hosting.ts';
import { INTERNET_PROVIDERS } from '../../../src/core/mail-operators/internet-providers.ts';
import { MAILBOX_HOSTS } from '../../../src/core/mail-operators/mailbox-hosts.ts';
import type { OperatorRow } from '../../../src/core/mail-operators/operator-row.ts';
import { operatorRows } from '../../../tools/docs/inserts.ts';
import { hasHabit } from '../../../src/core/smtp/classify-reply.ts';
import { addressOf } from '../../support/unit/mail-servers.ts';
import type { OperatorName } from '../../../src/core/mail-operators/operators.ts';

const operators = Object.keys(OPERATORS) as OperatorName[];

const linesOf = (text: string): string[][] =>
	text
		.trim()
		.split('\n')
		.map((line) => line.trim().split(' '));

test('a host of nobody that we know has no operator, whatever its name resembles', () => {
	const names =
		`evilmimecast.com mimecast.com.evil.example notgoogle.com google.co com  . mail.acme.com ec2-192-0-2-1.compute.amazonaws.com x.inbound-smtp.evil.example constructor`.split(
			' ',
		);
	for (const host of [...names, '', '.']) expect(findMailOperator([host]), host).toBeNull();
});

// A customer who rents a line or a machine there could otherwise pass for the operator.
const OF_CUSTOMERS = `
	lfbn-idf1-1-2-3.w90-1.abo.wanadoo.fr arennes-1-2.mobile.abo.orange.fr c-73-1-2-3.hsd1.ca.comcast.net
	192-0-2-1.static.business.comcast.net mail.hd.free.fr acme.free.fr 1.2.3.92.rev.sfr.fr ppp-1-2.libero.it
	p5b1a2b3c.dip0.t-online.de ac8b0102.ipt.aol.com shop.store.yahoo.com ybb.yahoo.co.jp vm1.mcs.mail.ru
	dhcp-1-2.yandex.net i-1.ecs.aliyun.com 80-1-2-3.static.a1.net 1-2-3.adsl.aon.at h-192-0-2-1.na.cust.telia.com
	1-2-3.cable.telia.ee cpe-192-0-2-1.lnse3.telstra.net 1-2-3.dsl.static.simnet.is dyn.ewe.ewetel.de
	192-0-2-1.cable.cablelink.at h1.kabelplus.at ip-192-0-2-1.ip.secureserver.net
	p3plcpnl0001.prod.phx3.secureserver.net ns3012345.ip-192-0-2.ovh.net vps-1a2b3c.vps.ovh.net
	vps-1a2b3c.vps.ovh.ca cluster001.hosting.ovh.net static.1.2.0.192.clients.your-server.de
	dedi1234.your-server.de host1-2-0-192.serverdedicati.aruba.it ov-1a2b3c.infomaniak.ch srv1234.hostinger.com
	server123.web-hosting.com ps12345.dreamhost.com xvm-1-2.gandi.net sl123.web.hostpoint.ch s123.loopia.se
	hosting123.a2f12.netcup.net vds-1234.timeweb.ru acme.beget.com acme.reg.ru v133-18-1-2.vir.kagoya.net
	cpro12345.locaweb.com.br acme.jimdo.com acme.one.com acme.kundenserver.de h1234567.rzone.de
	sandbox1.mailgun.org o1.ptr.acme.sendgrid.net ec2-192-0-2-1.eu-west-1.compute.amazonaws.com
	acme.registrar-servers.com acme.mailhop.org
`;

test('a name that a subscriber or customer gets is not one of the operator’s mail servers', () => {
	const names = OF_CUSTOMERS.trim().split(/\s+/);
	expect(names.filter((host) => findMailOperator([host]) !== null)).toEqual([]);
});

// Which gateway and provider each row names, and what its route proves: test/golden.
test('while these of its names are', () => {
	const wrong = linesOf(`
		google aspmx.l.google.com ALT1.ASPMX.L.GOOGLE.COM. gmail-smtp-in.l.google.com
		microsoft365 acme-com.mail.protection.outlook.com acme-com.p-v1.mx.microsoft
		mimecast_eu eu-smtp-inbound-1.mimecast.com
		amazon_ses inbound-smtp.eu-west-1.amazonaws.com
		trendmicro acme.in.tmes-anz.trendmicro.com
		orange smtp-in2.orange.fr
		comcast mx1.comcast.net mx2h1.comcast.net mx1.mxge.comcast.net
		au lsean.ezweb.ne.jp msmx.au.com
		telekom mx03.t-online.de smtp-01.tld.t-online.de
		yahoo mta5.am0.yahoodns.net mailin-01.mx.aol.com mx-aol.mail.gm0.yahoodns.net
		godaddy smtp.secureserver.net mailstore1.europe.secureserver.net
		free mx1.free.fr
		libero smtp-in.libero.it
		alibaba mx1.qiye.aliyun.com
		yandex mx.yandex.net
		a1 mx1.a1.net
		ovh mx1.mail.ovh.net
		hetzner www346.your-server.de
		aruba mx.aruba.it
		infomaniak mta-gw.infomaniak.ch
		namecheap smx1.web-hosting.com
		ionos mx01.kundenserver.de
		strato smtpin.rzone.de
		kagoya dmail.kagoya.net
	`).flatMap(([operator, ...hosts]) =>
		hosts.filter((host) => findMailOperator([host])?.operator !== operator),
	);
	expect(wrong).toEqual([]);
});

test('an operator with mailboxes at its own domains only is judged by itself behind another host', () => {
	const mixed = findMailOperator(['mail.acme.example', 'mx1.comcast.net']);
	expect([mixed?.operator, mixed?.ownDomainsOnly]).toEqual(['comcast', undefined]);
});

test('Outlook takes one recipient at a time, and SpamExperts gets more time for each, unlike others', () => {
	const behaviour = (host: string) => {
		const { perTransaction, slowestReplyMs } = findMailOperator([host]) ?? {};
		return [perTransaction, slowestReplyMs];
	};
	expect(behaviour('hotmail-com.olc.protection.outlook.com')).toEqual([1, undefined]);
	expect(behaviour('acme-com.mail.protection.outlook.com')).toEqual([undefined, undefined]);
	expect(behaviour('mx.antispamcloud.com')).toEqual([undefined, 45_000]);
});

// What that makes of their replies: docomo in test/golden.
test('au refuses a filtered stranger in the words for a missing mailbox as docomo does, and others do not', () => {
	const calls = operators.filter((name) => hasHabit(name, 'calls_filtered_unknown'));
	expect(calls.toSorted()).toEqual(['au', 'docomo']);
});

const PROOFPOINT = 'mxa-0050be01.gslb.pphosted.com';
const MICROSOFT = 'acme-com.mail.protection.outlook.com';

test.each([
	[
		'a gateway before a known provider names both, and behaves like the gateway',
		[PROOFPOINT, MICROSOFT],
		'proofpoint microsoft proofpoint seg',
	],
	[
		'a provider that prefers its own host behaves like itself',
		['smtp.google.com', PROOFPOINT],
		'google google proofpoint validating',
	],
	[
		'a mailbox host is the provider, before an inbound API',
		['mxa.eu.mailgun.org', MICROSOFT],
		'mailgun microsoft null unknown',
	],
	[
		'a backup shows the provider, not how the first host behaves',
		['mail.acme.com', 'mta5.am0.yahoodns.net'],
		'yahoo yahoo null unknown',
	],
])('of several hosts, %s', (_, hosts, expected) => {
	const found = findMailOperator(hosts);
	expect([found?.operator, found?.smtpProvider, String(found?.gateway), found?.routeClass].join(' ')).toBe(
		expected,
	);
});

describe('the rows', () => {
	const rows = Object.values<OperatorRow>(OPERATORS);
	const hosts = rows.flatMap((row) => row.hosts.split(' '));

	test('name hosts in lower case, with a star in the machine’s part at most', () => {
		for (const host of hosts) expect(host).toMatch(/^([a-z0-9-]+\*?\.|\*\.)*([a-z0-9-]+\.)+[a-z]+$/);
	});

	test('give no host to two operators, and no operator two rows', () => {
		expect(new Set(hosts).size).toBe(hosts.length);
		const written = [MAILBOX_HOSTS, INTERNET_PROVIDERS, GATEWAYS, HOSTING].map(
			(part) => Object.keys(part).length,
		);
		expect(rows).toHaveLength(written.reduce((sum, count) => sum + count, 0));
	});

	test('have a public word each', () => {
		for (const operator of operators)
			for (const word of [operator, wordOf(operator)]) expect(word).toMatch(/^[a-z][a-z0-9_]*$/);
	});

	test('name the public place of what they claim, and the day on which it was read', () => {
		for (const { source, date } of rows) {
			expect(source).toMatch(/\S{3}/u);
			expect(date, source).toMatch(/^20\d\d-\d\d-\d\d$/u);
			expect(source).not.toMatch(/common knowledge/u);
		}
	});

	test('on the page about operators are marked where no public source makes the claim', () => {
		const said = new Map(operatorRows().map(([name = '', recipients]) => [name, recipients]));
		expect([said.get('Fastmail'), said.get('Zoho'), said.get('BIGLOBE')]).toEqual([
			'checks, unconfirmed',
			'checks',
			'not known',
		]);
	});

	test.each<[OperatorName, ReturnType<typeof speaksForOf>]>([
		['google', 'operator'],
		['mimecast', 'operator'],
		['proofpoint', 'customer'],
		['cisco', 'customer'],
		['ovh', 'itself'],
		['combell', 'itself'],
		['cloudflare', 'itself'],
	])('say whose word a refusal is: %s', (operator, speaksFor) => {
		expect(speaksForOf(operator)).toBe(speaksFor);
	});
});

test('a zone with a thousand mail hosts of a hundred labels is read as fast as any other', () => {
	const hosts = Array.from({ length: 1_000 }, (_, n) => `${'a.'.repeat(120)}h${n}.x.test`);
	const begun = performance.now();
	expect(findMailOperator(hosts)).toBeNull();
	// Two seconds where each ending met each pattern.
	expect(performance.now() - begun).toBeLessThan(200);
});

// One spelling for all names of a mailbox, by the rules that its operator documents.

test.each<[string, string | null, string]>([
	['Jane.Doe+news@gmail.com', null, 'janedoe@gmail.com'],
	['jane.doe@googlemail.com', 'google', 'janedoe@gmail.com'],
	['Jane.Doe+news@outlook.com', null, 'jane.doe@outlook.com'],
	['Jane.Doe+news@hotmail.fr', null, 'jane.doe@hotmail.fr'],
	['Jane+news@icloud.com', null, 'jane@icloud.com'],
	// At a company's own domain dots count, whoever runs the servers.
	['Jane.Doe+news@acme.test', 'google', 'jane.doe@acme.test'],
	['Jane.Doe+news@acme.test', 'microsoft', 'jane.doe@acme.test'],
	['Jane+news@bücher.test', 'fastmail', 'jane@bücher.test'],
	// Nothing is known: every letter may matter.
	['Jane.Doe+news@acme.test', null, 'Jane.Doe+news@acme.test'],
	['Jane.Doe+news@acme.test', 'strato', 'Jane.Doe+news@acme.test'],
	['+news@gmail.com', null, '+news@gmail.com'],
	['"Jane+news"@gmail.com', null, '"Jane+news"@gmail.com'],
])('%s, at %s, is the mailbox %s', (email, provider, canonical) => {
	expect(canonicalEmail(addressOf(email), provider)).toBe(canonical);
});

test('a canonical address is its own', () => {
	for (const email of ['j.a.n.e+x@gmail.com', 'A+b@live.com', 'Z@acme.test']) {
		const once = canonicalEmail(addressOf(email), null);
		expect(canonicalEmail(addressOf(once), null)).toBe(once);
	}
});

test.each([
	['google', 'Google'],
	['microsoft365', 'Microsoft 365'],
	['webde', 'WEB.DE'],
	['mailbox_org', 'mailbox.org'],
	['perception_point', 'Perception Point'],
])('people read %s as %s', (word, name) => {
	expect(displayNameOf(word)).toBe(name);
});

test('no name that people read has the underscores of a word', () => {
	const words = [...operatorWords('gateways'), ...operatorWords('others')];
	expect(words.length).toBeGreaterThan(100);
	expect(words.map(displayNameOf).filter((name) => /_|^\s*$/.test(name))).toEqual([]);
});
