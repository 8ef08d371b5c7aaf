import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyReply } from '../../../src/core/smtp/classify-reply.ts';
import type { Classification, Witness } from '../../../src/core/smtp/classify-reply.ts';
import type { Stage } from '../../../src/core/smtp/reply-reader.ts';
import { wordsOf } from '../../../src/core/smtp/reply-text.ts';
import { WEIGHTS } from '../../../src/core/smtp/reply-words/data/weights.ts';
import {
	LIKELIHOOD_ALONE,
	likelihoodOfMissing,
	parseWeights,
} from '../../../src/core/smtp/reply-words/read-words.ts';
import { lessPlainRefusal } from '../../support/unit/less-plain.ts';

// Replies that no rule knows, judged by their words.

const RECIPIENT = 'ada@x.test';

function read(
	written: string,
	{ stage = 'rcpt', witness = null }: { stage?: Stage; witness?: Witness } = {},
): Classification {
	const text = written.slice(4);
	const enhanced = /^#?([245]\.\d{1,3}\.\d{1,3})(?![.\d])/u.exec(text)?.[1] ?? null;
	const reply = { code: Number(written.slice(0, 3)), enhanced, lines: [text] };
	return classifyReply({ stage, reply, recipient: RECIPIENT, operator: null, witness });
}

// None of these is in the training file.
const NEVER_SEEN = [
	"550 5.7.1 The requested mailbox isn't available",
	'554 5.7.1 <ada@x.test>: Recipient address rejected: Nonexistent account',
	'550 5.7.1 <ada@x.test>: Recipient address rejected: mailbox of this name not available',
	'550 We could not match this address with a subscriber',
	'550 5.1.0 no such thing as this recipient',
	'553 ada@x.test User is not a member of domain x.test',
	'550 5.7.1 The account you mean is not known in this system',
	'550 5.7.1 Diese Adresse existiert bei uns nicht',
	'550 5.7.1 ce compte est inconnu chez nous',
	'550 5.7.1 el buzon no existe en este dominio',
	'550 This account is not provisioned here',
] as const;

test.each(NEVER_SEEN)('a missing mailbox in words that no rule has: %s', (written) => {
	const { meaning, rule, likelihood } = read(written);
	expect(meaning).toBe('no_such_mailbox');
	expect(rule).toBe('words.no_such_mailbox');
	expect(likelihood).toBeGreaterThanOrEqual(LIKELIHOOD_ALONE);
});

test.each([
	'550 rejected',
	'550 unknown',
	'550 ada@x.test',
	'550 5.7.1 ada@x.test',
	'550 5.1.77 Q7',
	'550 mailbox is read-only on Sundays',
	'550 recipient unhappy',
	'550 recipient <ada@x.test> is away',
	'550 mailbox for <ada@x.test>',
	'550 this user opted out',
	'550 5.7.1 mail to this mailbox must be signed',
	'550 This recipient does not hear the phone',
	'550 no parking for this user',
	'550 the user is not amused',
	'550 unknown reason',
	'550 unknown host name',
	'550 invalid name of a machine',
	'550 5.6.7 address with other letters is invalid',
	'550 5.1.2 no such address',
])('words that deny no mailbox, or deny something else, stay undetermined: %s', (written) => {
	expect(['undetermined', 'policy', 'relay_denied']).toContain(read(written).meaning);
});

/** A server's words about us, in its own languages. */
const ABOUT_US = [
	'your IP address is not welcome',
	'your host has a poor reputation',
	'rejected by our spam filter',
	'see our block list',
	'the sender is unknown',
	'sending too fast, rate exceeded',
	'policy of this domain',
	'greylisted, come again later',
	'relay access denied',
	'the sender domain fails SPF',
	'authentication required',
	'client without PTR',
	'blacklisted',
	'temporarily unavailable',
	'connection refused',
	'Ihre IP-Adresse ist gesperrt',
	'Absender unbekannt',
	'votre adresse est bloquée',
	'expéditeur inconnu',
	'su dirección está bloqueada',
	'remitente desconocido',
	'seu endereço IP foi bloqueado',
	'mittente sconosciuto',
	'uw IP-adres is geblokkeerd',
	'nadawca nieznany',
	'отправитель неизвестен',
] as const;

test('what is about us is never read as a missing mailbox, whatever else the reply says', () => {
	const parts = fc.shuffledSubarray([...NEVER_SEEN.map((written) => written.slice(4))], {
		minLength: 1,
		maxLength: 3,
	});
	const about = fc.constantFrom(...ABOUT_US);
	const code = fc.constantFrom(550, 551, 553, 554);
	fc.assert(
		fc.property(parts, about, code, fc.nat(3), (texts, us, number, at) => {
			const said = [...texts.slice(0, at), us, ...texts.slice(at)].join('. ');
			const text = wordsOf([said], RECIPIENT, null);
			expect(likelihoodOfMissing({ code: number, status: null, text })).toBeNull();
			expect(read(`${number} ${said}`, { witness: 'for' }).rule).not.toMatch(/^words\./u);
		}),
		{ numRuns: 300 },
	);
});

test.each<[Stage, readonly number[]]>([
	['rcpt', [400, 421, 450, 451, 452, 499]],
	['greeting', [421, 450, 500, 550, 554, 599]],
	['ehlo', [421, 450, 500, 550, 554, 599]],
	['mail', [421, 450, 500, 550, 554, 599]],
])(
	'no temporary reply, and none to another command than RCPT, is judged by its words: %s %j',
	(stage, codes) => {
		for (const said of codes.flatMap((code) => NEVER_SEEN.map((words) => `${code} ${words.slice(4)}`))) {
			const { meaning, likelihood } = read(said, { stage, witness: 'for' });
			expect(['no_such_mailbox', 'mailbox_disabled'], said).not.toContain(meaning);
			expect(likelihood, said).toBeNull();
		}
	},
);

test.each([500, 502, 503, 504, 521, 530, 535, 552, 555, 556])(
	'a %d is about the command, the host or the space: its words are not judged',
	(code) => {
		expect(read(`${code} ${NEVER_SEEN[0].slice(4)}`).likelihood).toBeNull();
	},
);

test('a status of class 4 beside a code of class 5 is a contradiction: no words are judged', () => {
	expect(read('550 4.7.1 We could not match this address with a subscriber').likelihood).toBeNull();
});

test.each([
	[
		'550 5.1.1 no such mailbox',
		'no_such_mailbox',
		'unknown_user.noun_then_absent|unknown_user.absent_then_noun',
	],
	['550 mailbox unknown, account disabled', 'mailbox_disabled', 'disabled.words'],
	['550 unknown user or quota exceeded', 'mailbox_full', 'full.words'],
	['554 no such user, relay denied', 'relay_denied', 'relay.refused'],
	['550 no such address is permitted', 'no_such_mailbox', 'unknown_user.absent_then_noun'],
] as const)('a rule that knows the wording decides before the words: %s: %s', (written, meaning, rules) => {
	const found = read(written, { witness: 'for' });
	expect(found).toEqual({ meaning, rule: found.rule, likelihood: null });
	expect(rules.split('|')).toContain(found.rule);
});

describe('what the answers to invented recipients add', () => {
	const LESS_PLAIN = lessPlainRefusal();

	test('words that are less plain count only where another answer supports them', () => {
		expect(read(LESS_PLAIN).meaning).toBe('undetermined');
		expect(read(LESS_PLAIN, { witness: 'for' })).toMatchObject({
			meaning: 'no_such_mailbox',
			rule: 'words.no_such_mailbox_seconded',
		});
	});

	test.each(NEVER_SEEN)('against another answer, plain words count for nothing: %s', (written) => {
		expect(read(written, { witness: 'against' }).meaning).not.toBe('no_such_mailbox');
	});
});

test('words of others that we have never met make us less sure, not surer', () => {
	const text = wordsOf(['no such account'], RECIPIENT, null);
	const strange = wordsOf(['no such gherkin of an account in the orchard'], RECIPIENT, null);
	const sure = likelihoodOfMissing({ code: 550, status: null, text }) ?? 0;
	const unsure = likelihoodOfMissing({ code: 550, status: null, text: strange }) ?? 0;
	expect(sure).toBeGreaterThan(LIKELIHOOD_ALONE);
	expect(unsure).toBeLessThan(sure);
});

test('the table of weights holds words, pairs of words, codes and statuses: no name, number, address or host', () => {
	const word = String.raw`(?:<RCPT>|<OTHER>|[\p{L}'-]+)`;
	const feature = new RegExp(
		String.raw`^(?:\*|\?\??|code [45]\d\d|status (?:[45]\.\d|none)|${word}(?:[ ~]${word})?)$`,
		'u',
	);
	expect([...parseWeights(WEIGHTS).keys()].filter((one) => !feature.test(one))).toEqual([]);
});
