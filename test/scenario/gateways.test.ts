import { afterAll, beforeAll, expect, test } from 'vitest';
import { inParallel } from '../../tools/sandbox-report.ts';
import { GATEWAY_ROWS } from '../sandbox/scenes/providers/gateways.ts';
import { MAILBOX_HOST_ROWS } from '../sandbox/scenes/providers/mailbox-hosts.ts';
import { addressOf, sceneOf } from '../sandbox/scenes/providers/row.ts';
import type { ProviderRow } from '../sandbox/scenes/providers/row.ts';
import { makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { apart } from './apart.ts';
import { verify } from './verdict.ts';
import type { Verification } from './verdict.ts';

// What gateways and mailbox providers really say, under the names of their mail hosts, through the running service.

const PARALLEL = 12;
const ROWS = [...GATEWAY_ROWS, ...MAILBOX_HOST_ROWS];

const services: TestService[] = [];
const verdicts = new Map<string, Verification>();

beforeAll(async () => {
	for (const rows of apart(ROWS)) {
		const service = await startTestService({
			sandbox: { extraScenes: rows.map(sceneOf) },
		});
		services.push(service);
		const { apiKey } = await makeAccount(service, rows.length);
		await inParallel(rows, PARALLEL, async (row) => {
			verdicts.set(row.name, await verify(service.url, apiKey, addressOf(row)));
		});
	}
});
afterAll(() => Promise.all(services.map((service) => service.remove())));

test.each(ROWS)('$name: $expect.status, $expect.sub_status', expectRight);

function expectRight(row: ProviderRow): void {
	const verdict = verdicts.get(row.name);
	const { status, sub_status, catch_all } = row.expect;
	expect({ status: verdict?.status, sub_status: verdict?.details.sub_status }).toEqual({
		status,
		sub_status,
	});
	if (catch_all !== undefined) expect(verdict?.details.attributes.catch_all).toBe(catch_all);
	expect(verdict?.details.mail_server).toMatchObject({
		gateway: row.gateway,
		smtp_provider: row.smtpProvider,
	});
}

test('providers that say yes to everybody are not asked at all, and consumer Outlook about no invented recipient', () => {
	for (const name of ['yahoo-all', 'mailru-all', 'outlook-unknown']) {
		const conversations = services.flatMap(({ sandbox }) => sandbox?.transcripts(`${name}.test`) ?? []);
		const row = name === 'outlook-unknown' ? ROWS.find((candidate) => candidate.name === name) : undefined;
		const asked = conversations.flatMap(({ lines }) => lines.filter((line) => line.startsWith('< RCPT')));
		expect(asked, name).toEqual(row === undefined ? [] : [`< RCPT TO:<${addressOf(row)}>`]);
	}
});
