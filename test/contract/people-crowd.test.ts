import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { call, makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { Visitor, hiddenFields } from '../support/visitor.ts';
import { TOKEN_FIELD } from '../../src/core/identity/tokens.ts';
import { isWorkDone, WORK_FIELD } from '../../src/core/identity/proof-of-work.ts';
import { newPerson, PASSWORD } from './people.ts';

// A password takes long to check, on purpose, and nothing else of the Worker goes on meanwhile.

const CROWD = 60;
const STRANGERS = 16;
const SIGN_IN = '/dashboard/sign-in';

/** Of its own: whoever signs in elsewhere would be refused, too. */
let service: TestService;

beforeAll(async () => {
	service = await startTestService({ sandbox: null, vars: { DEVELOPMENT: 'false' } });
});

afterAll(async () => {
	await service?.remove();
});

/** A sign-in of nobody from an address that no other one has, with its form ready to be sent. */
async function nobody(n: number) {
	const visitor = new Visitor(service.url);
	const form = hiddenFields(await visitor.get(SIGN_IN), SIGN_IN);
	return () => visitor.post(SIGN_IN, { ...form, email: `nobody${n}@inbox.test`, password: 'wrong otter' });
}

/** The work that a browser's script does for a form. */
function workFor(challenge: string): string {
	let answer = 0;
	while (!isWorkDone({ challenge, answer: String(answer) })) answer += 1;
	return String(answer);
}

test('sixty sign-ins at once: a few are looked at in turn, the others come back later, and the API goes on', async () => {
	const { apiKey } = await makeAccount(service);
	const ready = await Promise.all(Array.from({ length: CROWD }, (_, n) => nobody(n)));
	const crowd = { open: CROWD };
	const signIns = Promise.all(ready.map((send) => send().finally(() => (crowd.open -= 1))));
	const answers: number[] = [];
	while (crowd.open > 0) answers.push((await call(service.url, apiKey, 'GET', '/v1/credits')).status);
	const pages = await signIns;
	const [looked, refused] = [422, 503].map((status) => pages.filter((page) => page.status === status));
	expect([looked?.length, refused?.length].every((count) => count !== undefined && count > 0)).toBe(true);
	expect((looked?.length ?? 0) + (refused?.length ?? 0)).toBe(CROWD);
	for (const { headers, text } of refused ?? []) {
		expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
		expect(text).toContain('Go back and send the form again');
	}
	// Each password that was looked at is followed by a time for everybody else.
	expect(answers.length).toBeGreaterThanOrEqual((looked?.length ?? 0) / 2);
	// A machine that is slow at passwords has time for more calls than the key may make.
	expect(answers.filter((status) => status !== 200 && status !== 429)).toEqual([]);
	expect((await (await nobody(CROWD))()).status).toBe(422);
});

test('strangers with wrong passwords keep no person with a new browser out', async () => {
	const own = await startTestService({ sandbox: null });
	onTestFinished(() => own.remove());
	const { email } = await newPerson(undefined, own.url);
	const strangers = await Promise.all(
		Array.from({ length: STRANGERS }, async (_, n) => {
			const visitor = new Visitor(own.url, `203.0.${n}.7`);
			const form = hiddenFields(await visitor.get(SIGN_IN), SIGN_IN);
			return (m: number) =>
				visitor.post(SIGN_IN, { ...form, email: `nobody${n}.${m}@inbox.test`, password: 'wrong otter' });
		}),
	);
	const attacking = { isOpen: true };
	const attack = strangers.map(async (send) => {
		const statuses: number[] = [];
		for (let m = 0; attacking.isOpen; m += 1) statuses.push((await send(m)).status);
		return statuses;
	});
	const person = new Visitor(own.url, '198.51.100.7');
	const form = hiddenFields(await person.get(SIGN_IN), SIGN_IN);
	const fields = { ...form, [WORK_FIELD]: workFor(form[TOKEN_FIELD] ?? ''), email, password: PASSWORD };
	const page = await person.post(SIGN_IN, fields);
	attacking.isOpen = false;
	expect([page.status, page.location]).toEqual([303, '/dashboard']);
	expect((await Promise.all(attack)).flat()).toContain(503);
});
