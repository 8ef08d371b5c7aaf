import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseProbers } from '../../src/core/egress/probers.ts';
import { SILENT } from '../../src/core/metrics/metrics.ts';
import type { ExaminePorts, How } from '../../src/engine/case.ts';
import { examineAddresses } from '../../src/engine/examine.ts';
import { examineAlone } from '../support/unit/examine-alone.ts';
import type { SubStatus } from '../../src/core/verification/sub-status.ts';
import { parseAddressBlock } from '../../src/lib/ip-address.ts';
import { sleep } from '../../src/lib/time.ts';
import { ProberClient } from '../../src/net/prober-client.ts';
import { createProberApp } from '../../src/prober/app.ts';
import { readProberConfig } from '../../src/prober/config.ts';
import { Prober } from '../../src/prober/prober.ts';
import { openListener } from '../sandbox/listener.ts';
import type { ChildServer } from '../support/proxies/child-server.ts';
import { ADDRESSES, PROGRAMS } from '../support/real-servers/programs.ts';
import type { Kind } from '../support/real-servers/programs.ts';
import { Recorder } from '../support/real-servers/recorder.ts';
import { startProgram, whyNone } from '../support/real-servers/start.ts';
import { fakeLookups } from '../support/unit/fake-lookups.ts';
import { fakeResolver } from '../support/unit/fake-resolver.ts';
import { addressOf } from '../support/unit/mail-servers.ts';

// The engine and a prober, as they are deployed, and mail servers that other people wrote.

const TOKEN = 't'.repeat(32);
const SETTINGS = { budgetMs: 20_000 };
const clock = { now: () => Date.now(), sleep };
const LIST: How = {
	asker: 'acc_1',
	deep: 'never',
	class: 'list',
	mail: null,
	sourceList: null,
	ownOutcomeOf: () => null,
};

/** What may be said of an address of each kind: what is true of it, or that we do not know. */
const TRUE: Readonly<Record<Kind, readonly SubStatus[]>> = {
	existing: ['accepted_email'],
	// Sendmail's own word for a missing user can be given a text, such as "User has moved".
	missing: ['rejected_email', 'mailbox_disabled'],
	full: ['mailbox_full'],
	disabled: ['mailbox_disabled'],
	greylisted: ['greylisted'],
	refused: ['antispam_system'],
	// A list leaves the deeper look to a catch-all task.
	catchAll: ['catch_all_unresolved', 'catch_all'],
	// OpenSMTPD has the same words for a missing mailbox.
	relay: ['unavailable_smtp', 'rejected_email'],
};

const missing = whyNone();
if (missing !== null) console.log(`Skipped: ${missing}`);

/** A prober whose mail hosts are at a port of this machine, and the Worker's engine in front of it. */
async function startService(smtpPort: number) {
	const prober = new Prober(
		readProberConfig({
			PROBER_TOKEN: TOKEN,
			PROBER_STATE: ':memory:',
			SMTP_EGRESS: 'direct://127.0.0.1',
			SMTP_PORT: String(smtpPort),
			HELO_NAME: 'probe.us.test',
			MAIL_FROM: 'verify@us.test',
			PROBER_WARM: 'all',
			PROBER_CONTROL: 'none',
			ALLOW_PRIVATE_MX: 'true',
		}),
	);
	const listener = await openListener(createServer(createProberApp(prober)));
	const probers = parseProbers(`http://${TOKEN}@127.0.0.1:${listener.port}`);
	const zone = { mx: ['10 mx.inbox.test'] };
	const ports: ExaminePorts = {
		clock,
		resolver: fakeResolver({
			'inbox.test': zone,
			'all.test': zone,
			'other.test': zone,
			'mx.inbox.test': { a: ['127.0.0.1'] },
		}),
		addressPolicy: [parseAddressBlock('127.0.0.0/8')!],
		prober: new ProberClient(probers, clock, fetch, SILENT),
		randomness: {
			word: (length) =>
				crypto
					.randomUUID()
					.replaceAll(/[-0-9]/g, 'x')
					.padEnd(length, 'q')
					.slice(0, length),
		},
		...fakeLookups(),
	};
	const single = async (email: string): Promise<string> => {
		const { result } = await examineAlone(ports, addressOf(email));
		return result.details.sub_status;
	};
	const list = async (emails: readonly string[]): Promise<string[]> => {
		const found = await examineAddresses(ports, SETTINGS, emails.map(addressOf), LIST);
		return found.map((findings) => findings?.outcome.subStatus ?? 'not asked');
	};
	return { single, list, close: () => listener.close().then(() => prober.end()) };
}

const started: string[] = [];

describe.each(Object.entries(PROGRAMS))('%s', (name, program) => {
	let server: ChildServer;
	let why = missing;
	// `RECORD=1` writes the conversations down for the golden verdicts (test/golden/README.md).
	const recorder = process.env['RECORD'] && !program.demandsTls ? new Recorder() : null;
	beforeAll(async () => {
		if (why !== null) return;
		try {
			server = await startProgram(program);
			started.push(name);
		} catch (error) {
			why = `${name}: ${error instanceof Error ? error.message.split('\n').at(-1) : 'it does not start'}`;
			console.log(`Skipped: ${String(error)}`);
		}
	});
	beforeEach(({ skip }) => skip(why !== null, why ?? ''));
	afterAll(async () => {
		await server?.close();
		if (why === null) recorder?.save(name);
	});

	test.each(program.kinds)(
		'is asked about an address that is %s, and nothing false is said, alone or in a list',
		async (kind) => {
			const email = ADDRESSES[kind];
			const domain = email.slice(email.indexOf('@'));
			const others = [`ada${domain}`, `someone.else${domain}`, `third${domain}`].filter(
				(one) => one !== email,
			);
			const recording = await recorder?.open(server.port, kind, [email, ...others]);
			const service = await startService(recording?.port ?? server.port);
			const alone = await service.single(email);
			const [inList] = await service.list([email, ...others]);
			await service.close();
			await recording?.close();
			expect(TRUE[kind]).toContain(alone);
			expect(TRUE[kind]).toContain(inList);
			if (kind !== 'catchAll') expect(inList).toBe(alone);
		},
	);
});

test('where the project is built, seven of them can be started', ({ skip }) => {
	skip(!process.env['CI'], 'Debian packages are required where CI is set');
	expect(started.length).toBeGreaterThanOrEqual(7);
});
