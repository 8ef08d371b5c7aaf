import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startLocalProber } from '../support/local-prober.ts';
import type { LocalProber } from '../support/local-prober.ts';
import { makeQuestion } from '../support/unit/question.ts';
import type { Asked } from '../../src/wire/prober.ts';
import type { Heard } from '../../src/core/verification/interpret-session.ts';
import { startPostfix, whyNoPostfix } from './postfix.ts';
import type { Postfix } from './postfix.ts';

// A whole prober, asked as the Worker asks it, and a real mail server that demands TLS before it takes a sender.

const missing = whyNoPostfix();

test('where the project is built, Postfix can be started', ({ skip }) => {
	skip(!process.env['CI'], 'Postfix is required where CI is set');
	expect(missing).toBeNull();
});

const open: LocalProber[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Asks a mail host at a port of this machine about mailboxes of inbox.test. */
async function ask(smtpPort: number, mailboxes: readonly string[]): Promise<Asked> {
	const prober = await startLocalProber(smtpPort);
	open.push(prober);
	const question = makeQuestion({
		domain: 'inbox.test',
		hosts: [{ name: 'mx.inbox.test', addresses: ['127.0.0.1'], failed: false }],
		targets: mailboxes.map((mailbox) => `${mailbox}@inbox.test`),
		invented: { first: 'qzxjwv@inbox.test', further: [] },
		deep: 'catch_all',
		class: 'list',
		explain: true,
		deadline: Date.now() + 15_000,
	});
	return await prober.ask(question);
}

/** What was heard of each target. */
function heardOf({ answers }: Asked): readonly Heard[] {
	return answers.map((said) => {
		if (said?.kind !== 'heard') throw new Error(`nothing was heard: ${said?.kind}`);
		return said;
	});
}

const targetsOf = (asked: Asked) => heardOf(asked).map(({ interpretation }) => interpretation.target);

describe('Postfix that demands TLS', () => {
	let postfix: Postfix;
	beforeEach(({ skip }) => skip(missing !== null, missing ?? ''));
	beforeAll(async () => {
		if (missing === null) postfix = await startPostfix();
	});
	afterAll(() => postfix?.close());

	test('is asked over TLS, though its certificate has expired: who is there is told from who is not', async () => {
		const asked = await ask(postfix.port, ['ada', 'nobody']);
		expect(targetsOf(asked)).toMatchObject([{ kind: 'accepted' }, { kind: 'rejected' }]);
		expect(heardOf(asked).map(({ secured }) => secured)).toEqual([true, true]);
		expect(asked.evidence.map(({ step }) => step)).toContain('tls');
		expect(postfix.log()).toMatch(/TLS connection established from .*TLSv1\.3/);
	});
});
