import { expect, test } from 'vitest';
import { addressDigest } from '../../../src/core/catchall/domain.ts';
import type { CatchAllEvidence } from '../../../src/core/catchall/judge.ts';
import { listFindings, planListFacts } from '../../../src/core/catchall/list/list-facts.ts';
import { mailboxFinding } from '../../../src/core/catchall/mailbox/mailbox.ts';
import { finding } from '../../../src/core/catchall/table.ts';
import { verdictOf } from '../../../src/core/verification/sub-status.ts';
import { HOSTS, judge, NEUTRAL, REPLIES } from '../../support/unit/catch-all-evidence.ts';
import type { Told } from '../../support/unit/catch-all-evidence.ts';
import { makeFacts, registration } from '../../support/unit/domain-facts.ts';

const parking = { kind: 'none' } as const;
const WELL_KEPT = makeFacts({
	...{ spf: 'ok', dmarc: 'reject', parking, website: 'own' },
	registration: registration({ age: 12 * 366 }),
});
const sign = 'ns1.sedoparking.com';

/** The domain by its state; `neutral` where no name is judged. */
const DOMAINS: Readonly<Record<string, CatchAllEvidence['facts']>> = {
	neutral: NEUTRAL,
	kept: WELL_KEPT,
	neglected: makeFacts({
		...{ spf: 'missing', dmarc: 'missing', website: 'unreachable' },
		registration: registration({ age: 200 }),
	}),
	parked: { ...WELL_KEPT, parking: { kind: 'name_server', sign } },
	young: { ...WELL_KEPT, registration: registration({ age: 20 }) },
	for_sale: { ...WELL_KEPT, website: 'for_sale' },
	held: { ...WELL_KEPT, registration: registration({ age: 4_000, holds: ['client hold'] }) },
	ended: { ...WELL_KEPT, registration: registration({ age: 4_000, holds: ['pending delete'] }) },
	not_told: { ...WELL_KEPT, registration: 'not_told' },
	not_looked_at: null,
	only_policies: makeFacts({ spf: 'ok', dmarc: 'reject' }),
	without_policies: makeFacts({ parking, registration: registration({ age: 700 }) }),
};
const FOUR = 'peter.schmidt,anna.becker,maria.novak,laura.rossi';

const replyOf = (word: string): string | null => REPLIES[word as keyof typeof REPLIES];

/** `name` at acme.com, its mail host, the replies, and what else is known. Left out: accepted, like three invented ones. */
function toldBy(words: string): Told {
	const known = Object.fromEntries(words.split(' ').map((word) => word.split(':')));
	const { at = 'own', name, domain = name === undefined ? 'neutral' : 'kept', peers, published } = known;
	const listed = [...(peers?.split(',') ?? []), name].map((one) => `${one}@acme.com`);
	const list = planListFacts(listed.map((email) => ({ email, status: 'risky', catchAll: true })));
	const facts = DOMAINS[domain] ?? null;
	return {
		host: HOSTS[at as keyof typeof HOSTS],
		viaBackup: 'backup' in known,
		...('target' in known ? { target: replyOf(known.target) } : {}),
		...('invented' in known
			? { invented: known.invented === '' ? [] : known.invented.split(',').map(replyOf) }
			: {}),
		...('control' in known ? { control: replyOf(known.control) ?? '' } : {}),
		...('end' in known ? { target: null, end: { kind: known.end } } : {}),
		...('answer' in known ? { answer: known.answer as NonNullable<Told['answer']> } : {}),
		rest: {
			lists: { disposable: 'disposable' in known, suggestedDomain: 'typo' in known ? 'gmail.com' : null },
			ownOutcome: known.own ?? null,
			localPart: name ?? 'ada',
			findings: name === undefined ? [] : [mailboxFinding(name), ...listFindings(`${name}@acme.com`, list)],
			facts: facts && {
				...facts,
				published: published === undefined ? null : [addressDigest(published, 'acme.com')],
			},
		},
	};
}

// Verdict, score, sub_status where it is not that of the verdict, and the rule that set or held the score.
const CASES = `
# A sum that a rule holds, and sums whose domains test/golden has not; the others are there.
name:mlindqvistsson.oberhuemer at:google -> unknown 79 held:79
# Evidence about this very mailbox, on any route.
name:qx at:proofpoint published:qx -> valid 88
name:info at:proofpoint published:info -> valid 89 held:89
name:peter.schmidt at:mimecast target:local control:ok -> valid 89 held:89
name:peter.schmidt target:busy -> valid 89 held:89
name:xiblorf.snarg at:proofpoint peers:${FOUR} -> unknown 79 held:79
# A dead domain, or a witness against the mailbox.
name:peter.schmidt at:google domain:parked -> invalid 20 held:20
name:jonas.weber at:google domain:parked peers:${FOUR} -> invalid 20 held:20
name:info at:proofpoint domain:for_sale -> invalid 17
name:deadbeefdeadbeef at:proofpoint typo -> invalid 9
name:weber.jonas at:google peers:jonas.weber,jweber,j.weber,jonasweber -> invalid 20 held:20
name:weber.jonas at:google peers:jonas.weber,jweber -> unknown 73
name:jonas.weber at:proofpoint peers:weber.jonas,jweber -> unknown 78
# The look of a name alone never makes an address invalid, nor does its domain.
name:xkqzvwpt domain:young typo -> unknown 21 held:21
# A domain that is not trusted carries nothing.
name:peter.schmidt at:google typo -> unknown 59
name:info at:google disposable published:info -> unknown 73
name:peter.schmidt at:google domain:not_told -> unknown 79 held:79
name:info at:proofpoint domain:not_told published:info -> unknown 79 held:79
# Too little was looked at.
name:info at:google domain:only_policies -> valid 87
name:info at:google domain:without_policies -> unknown 50 unknown:coverage
name:info at:google domain:not_looked_at -> unknown 50 unknown:coverage

# Gates.
answer:invalid_domain -> invalid 0 invalid_domain gate:no_domain
answer:does_not_accept_mail -> invalid 0 does_not_accept_mail gate:null_mx
answer:no_mx_records -> invalid 0 no_mx_records gate:no_mx
answer:unroutable_mx -> invalid 0 unroutable_mx gate:no_mx
domain:ended -> invalid 0 gate:domain_expired
target:gone -> invalid 2 gate:recipient_rejected
target:disabled -> invalid 2 gate:recipient_rejected
target:gone invented:gone -> invalid 2 rejected_email gate:recipient_rejected
target:disabled invented:silence -> invalid 2 mailbox_disabled gate:recipient_rejected
invented:gone,gone -> valid 97 accepted_email gate:not_catch_all
own:hard_bounce -> invalid 2 gate:own_bounce
own:delivered -> valid 98 gate:own_delivery
target:full -> invalid 3 gate:mailbox_full
# In their order.
answer:does_not_accept_mail own:delivered -> invalid 0 does_not_accept_mail gate:null_mx
target:gone domain:ended -> invalid 0 gate:domain_expired
target:gone own:delivered -> invalid 2 gate:recipient_rejected
invented:gone,gone,gone own:hard_bounce -> invalid 2 gate:own_bounce
target:blocked own:hard_bounce -> invalid 2 gate:own_bounce
answer:no_connect own:delivered -> valid 98 gate:own_delivery
target:full own:delivered -> valid 98 gate:own_delivery
target:full invented:ok,blocked -> invalid 3 gate:mailbox_full
target:gone invented:ok,blocked -> invalid 2 gate:recipient_rejected
target:gone invented:ok,gone -> invalid 2 gate:recipient_rejected
# A delivery to a domain that takes mail for every address proves nothing; a bounce does.
at:google typo own:hard_bounce -> invalid 2 gate:own_bounce
name:info at:google typo own:delivered -> unknown 59
name:info at:google disposable own:delivered -> unknown 59

# Nobody could be reached.
end:timeout -> unknown 50 timeout unknown:timeout
backup -> unknown 50 no_connect unknown:no_connect
backup invented:gone -> unknown 50 no_connect unknown:no_connect
backup invented:gone,blocked -> unknown 50 no_connect unknown:no_connect
target:tls -> unknown 50 tls_required unknown:tls_required
answer:dns_error -> unknown 50 dns_error unknown:dns_error
end:smtputf8_missing -> unknown 50 smtputf8_unsupported unknown:smtputf8_unsupported
# They do not want us.
target:blocked invented:silence -> unknown 50 probe_blocked unknown:probe_blocked
answer:probe_blocked -> unknown 50 probe_blocked unknown:probe_blocked
invented:ok,ok,blocked -> unknown 50 probe_blocked unknown:probe_blocked
target:policy -> unknown 50 antispam_system unknown:antispam_system
at:proofpoint target:policy -> unknown 50 gateway_protected unknown:gateway_protected
at:proofpoint invented:policy,policy,policy -> unknown 50 gateway_protected unknown:gateway_protected
invented:policy,policy,policy -> unknown 50 antispam_system unknown:antispam_system
invented:strange,strange,strange -> unknown 50 antispam_system unknown:antispam_system
# Come back later.
target:greylisted invented:greylisted -> unknown 50 greylisted unknown:greylisted
invented:greylisted,greylisted,greylisted -> unknown 50 greylisted unknown:greylisted
invented:ok,ok,temporary -> unknown 50 unknown:unconfirmed
invented:ok,greylisted,greylisted -> unknown 50 unknown:unconfirmed
at:mimecast invented:put_off,put_off,put_off -> unknown 50 unavailable_smtp unknown:unavailable_smtp
# Too fast, which a refusal may have been about, too.
target:limited invented:limited -> unknown 50 rate_limited unknown:rate_limited
invented:ok,limited -> unknown 50 rate_limited unknown:rate_limited
at:comcast invented:ok,limited -> unknown 50 rate_limited unknown:rate_limited
answer:rate_limited -> unknown 50 rate_limited unknown:rate_limited
target:gone invented:limited -> unknown 50 rate_limited unknown:rate_limited
target:gone invented:blocked -> unknown 50 probe_blocked unknown:probe_blocked
# It contradicts itself, or is no proof.
invented:ok,gone -> unknown 50 unknown:unconfirmed
at:comcast invented:ok,gone,gone -> unknown 50 unknown:unconfirmed
invented:gone -> unknown 50 unknown:unconfirmed
invented:ok -> unknown 50 unknown:unconfirmed
invented: -> unknown 50 unknown:unconfirmed
invented:ok,ok,silence -> unknown 50 unknown:unconfirmed
invented:gone,gone,gone typo -> unknown 50 unknown:doubtful_domain
invented:gone,gone,gone disposable -> unknown 50 unknown:doubtful_domain
target:full_for_now -> unknown 50 unknown:mailbox_full
# It says yes to everybody, unless it speaks of the mailbox, or the domain itself does.
at:yahoo invented: -> unknown 50 accepts_everything unknown:accepts_everything
at:yahoo invented: published:ada -> valid 84
at:yahoo invented: target:busy -> unknown 70
name:info target:busy backup -> valid 89 held:89
name:info invented:ok,ok -> unknown 78
`;
const ROWS = CASES.split('\n')
	.filter((line) => line.includes(' -> '))
	.map((line) => line.split(' -> ') as [string, string]);

test.each(ROWS)('an address of a catch-all domain, %s: %s', (words, expected) => {
	const told = toldBy(words);
	// A rule decides whatever was found.
	const isRule = /(?:gate|unknown):/.test(expected);
	for (const more of isRule ? [[], ['role'] as const, ['parking:found', 'placeholder'] as const] : [[]]) {
		const findings = [...(told.rest?.findings ?? []), ...more.map((name) => finding(name))];
		const { score, subStatus, rule } = judge({ ...told, rest: { ...told.rest, findings } });
		const shown = subStatus.startsWith('catch_all_') ? [] : [subStatus];
		expect([verdictOf(score), score, ...shown, ...(rule === null ? [] : [rule])].join(' ')).toBe(expected);
	}
});

test('what an own message came to is shown in the list section, the rest in smtp', () => {
	const own = judge({ rest: { ownOutcome: 'delivered' } }).breakdown;
	expect([own.list, own.smtp.score]).toEqual([{ score: 28, signals: ['gate:own_delivery'] }, 0]);
	const refused = judge({ target: REPLIES.gone }).breakdown;
	expect(refused.list).toEqual({ score: 0, signals: [] });
	expect(refused.smtp.signals).toContain('gate:recipient_rejected');
});
