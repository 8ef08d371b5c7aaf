import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/core/jobs/task-verdicts.ts';
import type { Behaviour } from '../sandbox/behaviour.ts';
import { accept } from '../sandbox/behaviour.ts';
import { unknown } from '../sandbox/expectation.ts';
import { GATEWAY_ROWS } from '../sandbox/scenes/providers/gateways.ts';
import { MAILBOX_HOST_ROWS } from '../sandbox/scenes/providers/mailbox-hosts.ts';
import { addressOf, sceneOf } from '../sandbox/scenes/providers/row.ts';
import type { ProviderRow } from '../sandbox/scenes/providers/row.ts';
import { makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { expectSums } from '../support/sums.ts';
import { allRows, jobAndTask } from './access.ts';
import { apart } from './apart.ts';
import type { Verification } from './verdict.ts';

// What gateways do with recipients, in bulk and then in a task: who accepts invented recipients is a catch-all, who
// refuses to say is protected, and the score knows by whom an acceptance was given.

function row(name: string, mx: string, gateway: string | null, behaviour: Behaviour): ProviderRow {
	return { name, mx, gateway, smtpProvider: null, behaviour, expect: unknown('catch_all_unresolved') };
}

/** Beside the rows that say how each gateway refuses: those that accept everybody, or one of them only. */
const ACCEPTING: readonly ProviderRow[] = [
	row('essentials-all', 'ppe-hosted.com', 'proofpoint', { rcpt: accept }),
	row('barracuda-all', 'ess.barracudanetworks.com', 'barracuda', { rcpt: accept }),
	row('trend-all', 'tmes.trendmicro.eu', 'trendmicro', { rcpt: accept }),
	row('fortinet-all', 'fortimailcloud.com', 'fortinet', { rcpt: accept }),
	row('hornet-all', 'hornetsecurity.com', 'hornetsecurity', { rcpt: accept }),
	row('gateway-but-gone', 'iphmx.com', 'cisco', {
		rcpt: (r) => (r.mailbox === 'ada' ? '550 #5.1.0 Address rejected.' : accept(r)),
	}),
	row('mimecast-other-words', 'eu.mimecast.com', 'mimecast', {
		rcpt: (r) => (r.mailbox === 'ada' ? '250 2.1.5 Recipient verified' : accept(r)),
	}),
	row('sophos-refuses-to-say', 'eu-central-1.prod.hydra.sophos.com', 'sophos', {
		rcpt: () => '550 5.7.1 Access denied',
	}),
];
const RELAY = MAILBOX_HOST_ROWS.filter(({ name }) => name === 'm365-relay');
const ALL = [...GATEWAY_ROWS, ...ACCEPTING, ...RELAY];

const services: TestService[] = [];
const bulk = new Map<string, Verification>();
const judged = new Map<string, Verdict>();

beforeAll(async () => {
	await Promise.all(apart(ALL).map(judge));
});
afterAll(() => Promise.all(services.map((service) => service.remove())));

async function judge(rows: readonly ProviderRow[]): Promise<void> {
	const service = await startTestService({ sandbox: { extraScenes: rows.map(sceneOf) } });
	services.push(service);
	const { apiKey } = await makeAccount(service, 2 * rows.length);
	const access = { url: service.url, apiKey };
	const { jobId, taskId } = await jobAndTask(access, rows.map(addressOf));
	type Row = Verification & { readonly email: string };
	for (const found of await allRows<Row>(access, `/v1/jobs/${jobId}`, rows.length))
		bulk.set(nameOf(found.email), found);
	for (const found of await allRows<Verdict>(access, `/v1/catchall/${taskId}`, rows.length))
		judged.set(nameOf(found.email), found);
}

/** The row that an address belongs to. */
function nameOf(email: string): string {
	return email.slice(email.indexOf('@') + 1, email.lastIndexOf('.test'));
}

/** `status/sub_status` of a bulk row, and whether its domain is a catch-all. */
function inBulk(name: string): readonly [string, boolean | null] {
	const found = bulk.get(name);
	return [`${found?.status}/${found?.details.sub_status}`, found?.details.attributes.catch_all ?? null];
}

/** What the provider alone moves the score by. */
function routeOf({ breakdown }: Verdict): readonly [string | undefined, number] {
	const label = breakdown.domain_triage.signals.find((signal) => signal.startsWith('provider:'));
	const effect = breakdown.explanations.find(({ signal }) => signal === label)?.effect ?? 0;
	return [label, effect];
}

describe('a gateway that accepts invented recipients', () => {
	// `asks`: it asks the server behind it first, so its acceptance is worth a little.
	test.each([
		['proofpoint-all', 'proofpoint', 'takes'],
		['essentials-all', 'proofpoint', 'asks'],
		['mimecast-all', 'mimecast', 'takes'],
		['barracuda-all', 'barracuda', 'asks'],
		['cisco-all', 'cisco', 'takes'],
		['symantec-all', 'symantec', 'takes'],
		['trend-all', 'trendmicro', 'takes'],
		['sophos-all', 'sophos', 'takes'],
		['fortinet-all', 'fortinet', 'takes'],
		['hornet-all', 'hornetsecurity', 'takes'],
	])('%s: risky/catch_all in bulk, and scored by a task as %s that %s', (name, gateway, manner) => {
		expect(inBulk(name)).toEqual(['risky/catch_all', true]);
		expect(bulk.get(name)?.details.mail_server.gateway).toBe(gateway);
		const found = judged.get(name);
		expect(found).toMatchObject({ verdict: 'unknown', is_actually_catchall: true });
		const [label, effect] = routeOf(found as Verdict);
		expect(label).toBe(`provider:${gateway}`);
		expect(effect > 0 ? 'asks' : 'takes').toBe(manner);
		// The table gives such a gateway a point.
		expect(effect).toBeLessThanOrEqual(1);
		expect(found?.breakdown.smtp.signals).toEqual(expect.arrayContaining(['randoms:accepted', 'reply:same']));
	});

	test('and refuses this one is invalid, by the rule and not by the score', () => {
		expect(inBulk('gateway-but-gone')).toEqual(['undeliverable/rejected_email', true]);
		expect(judged.get('gateway-but-gone')).toMatchObject({
			verdict: 'invalid',
			score: 2,
			is_actually_catchall: true,
		});
		expect(judged.get('gateway-but-gone')?.breakdown.smtp.signals).toContain('gate:recipient_rejected');
	});

	test('and words its answer to this one otherwise says that it exists: the score rises by that', () => {
		expect(inBulk('mimecast-other-words')).toEqual(['risky/catch_all', true]);
		const [same, other] = [judged.get('mimecast-all'), judged.get('mimecast-other-words')];
		expect(other?.breakdown.smtp.signals).toContain('reply:differs');
		expect(other?.verdict).toBe('valid');
		expect(other?.score).toBeGreaterThan(same?.score ?? 100);
	});

	test('is worth less than Microsoft 365, of which some domains have a true catch-all', () => {
		expect(inBulk('m365-relay')).toEqual(['risky/catch_all', true]);
		const relay = judged.get('m365-relay');
		expect(routeOf(relay as Verdict)).toEqual(['provider:microsoft', expect.any(Number)]);
		expect(relay?.score).toBeGreaterThan(judged.get('proofpoint-all')?.score ?? 100);
	});
});

describe('a gateway that does not say', () => {
	test.each(['fortinet-refuses-to-say', 'sophos-refuses-to-say'])(
		'%s: unknown/gateway_protected in bulk, refunded, and in no task',
		(name) => {
			expect(inBulk(name)).toEqual(['unknown/gateway_protected', null]);
			expect(judged.has(name)).toBe(false);
		},
	);

	test.each([
		['proofpoint-blocked', 'probe_blocked'],
		['proofpoint-reputation', 'probe_blocked'],
		['mimecast-reputation', 'probe_blocked'],
		['mimecast-place', 'probe_blocked'],
		['barracuda-blocked', 'probe_blocked'],
		['cisco-reputation', 'probe_blocked'],
		['cisco-access', 'probe_blocked'],
		['cisco-harvest', 'rate_limited'],
		['trend-blocked', 'probe_blocked'],
		['mimecast-deferred', 'greylisted'],
	])('%s: unknown/%s, whose doing it was, and in no task', (name, subStatus) => {
		expect(inBulk(name)).toEqual([`unknown/${subStatus}`, null]);
		expect(judged.has(name)).toBe(false);
	});
});

test('a gateway that knows its recipients needs no task', () => {
	const knowing = GATEWAY_ROWS.filter(({ expect: { catch_all } }) => catch_all === false);
	expect(knowing.length).toBeGreaterThan(8);
	for (const { name, expect: promised } of knowing) {
		expect(inBulk(name), name).toEqual([`${promised.status}/${promised.sub_status}`, false]);
		expect(judged.has(name), name).toBe(false);
	}
});

test('every row of the task has a breakdown that adds up to its score', () => {
	for (const found of judged.values()) expectSums(found);
	expect(judged.size).toBeGreaterThan(12);
});
