import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../src/core/address/parse-address.ts';
import { SmtpSession } from '../../../src/core/smtp/session.ts';
import { sentQuestion } from '../../../src/wire/prober.ts';
import { makeQuestion } from '../../support/unit/question.ts';
import { makePlan } from '../../support/unit/smtp-plan.ts';

// One address is one RCPT, and nothing of it a command: it is held at three doors, each of which would do alone.

/** What ends a line or a path for some reader: of SMTP, of UTF-8, or of the terminal beside. */
const BREAKS = [
	'\r\n',
	'\n',
	'\r',
	'\0',
	'\u0085',
	'\u2028',
	'\u2029',
	'\u000B',
	'\u000C',
	'\u001B',
	'\u200B',
	'\u202E',
];
const SMUGGLED = BREAKS.flatMap((end) => [
	`ada${end}DATA@inbox.test`,
	`"ada${end}DATA"@inbox.test`,
	`"ada\\${end}DATA"@inbox.test`,
	`ada@inbox.test${end}DATA`,
	`ada@inbox${end}.test`,
]);
const OUT_OF_THE_PATH = [
	'ada@inbox.test> SIZE=1',
	'<ada@inbox.test>',
	'ada>@inbox.test',
	'ada SIZE=1@inbox.test',
	'@relay.test:ada@inbox.test',
	'ada@inbox.test,bob@inbox.test',
	'ada@[127.0.0.1]',
	'ada@inbox.test ORCPT=utf-8;x',
];
const isAsked = (target: string, first = 'qzx@inbox.test'): boolean => {
	const question = makeQuestion({ targets: [target], invented: { first, further: [] }, deadline: 1_000 });
	return sentQuestion.shape.question.safeParse(question).success;
};

describe('an address that would end its own line or path', () => {
	test.each([...SMUGGLED, ...OUT_OF_THE_PATH])('is no address: %j', (text) => {
		// White space around an address is none of it.
		if (text.trim() === 'ada@inbox.test') return;
		expect(parseAddress(text).ok).toBe(false);
	});

	test.each([...SMUGGLED, 'ada@inbox.test> SIZE=1', '<ada@inbox.test>', 'ada SIZE=1@inbox.test'])(
		'is asked by no prober, even if the Worker let it through: %j',
		(text) => {
			expect(isAsked(text)).toBe(false);
			expect(isAsked('ada@inbox.test', text)).toBe(false);
		},
	);
});

test('whatever is an address is one line of one command, in a conversation and at the prober’s door', () => {
	const letter = fc.constantFrom('a', '.', '+', '"', '\\', ' ', '<', '>', '@', 'é', '日', ...BREAKS);
	const local = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''));
	const text = fc
		.tuple(local, fc.boolean())
		.map(([part, quoted]) => `${quoted ? `"${part}"` : `a${part}`}@inbox.test`);
	let seen = 0;
	fc.assert(
		fc.property(text, (given) => {
			const parsed = parseAddress(given);
			if (!parsed.ok) return;
			seen += 1;
			const recipient = `${parsed.address.localPart}@${parsed.address.domain}`;
			expect(isAsked(recipient)).toBe(true);
			const plan = makePlan({ targets: [recipient], needsSmtputf8: parsed.address.needsSmtputf8 });
			const session = new SmtpSession(plan);
			const said = ['220 mx\r\n', '250-mx\r\n250 SMTPUTF8\r\n', '250 ok\r\n'].map((reply) =>
				new TextDecoder().decode(session.receive(new TextEncoder().encode(reply))),
			);
			const lines = said
				.join('')
				.split('\r\n')
				.filter((line) => line.startsWith('RCPT'));
			expect(lines).toContain(`RCPT TO:<${recipient}>`);
			expect(said.join('').replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
		}),
		{ numRuns: 2_000 },
	);
	expect(seen).toBeGreaterThan(50);
});
